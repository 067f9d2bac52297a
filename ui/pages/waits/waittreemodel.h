// SPDX-License-Identifier: MIT
#pragma once

#include "ui/server/liveclock.h"
#include "ui/widgets/headedmodel.h"
#include "waitoutline.h"

namespace lockscope::ui {

/// Who blocks whom as a tree, the worst blocker first. A row is a session for as long as that is there: views keep
/// selection and expansion wherever it moves. Never reset.
class WaitTreeModel : public HeadedModel<QAbstractItemModel>
{
    Q_OBJECT
public:
    enum Column {
        SessionColumn,
        LockColumn,
        AgeColumn,
        StatementColumn,
        FreesColumn,
        StateColumn,
        RowsColumn,
        ProgramColumn,
        ColumnCount
    };
    Q_ENUM(Column)

    /// `clock` is not owned; durations run with it.
    explicit WaitTreeModel(const LiveClock *clock, QObject *parent = nullptr);

    /// None: nothing is known.
    void setPicture(const WaitPicturePtr &picture);
    const WaitPicturePtr &picture() const { return m_picture; }
    /// Rows that contain the text in any column, with those above and below them.
    void setFilter(const QString &filter);
    /// Shows the siblings that a "+N more" row stands for, or each of equal waiters where they are drawn.
    void open(const WaitKey &key);
    /// Equal waiters stand as one again.
    void close(const WaitKey &key);
    /// Opens what stands before the session, if anything does.
    QModelIndex reveal(quint64 session);

    WaitKey keyAt(const QModelIndex &index) const;
    /// The sessions that a row is for: none of a ring and of "+N more".
    QList<quint64> sessionsAt(const QModelIndex &index) const;
    QModelIndex indexOf(const WaitKey &key) const;
    const WaitOutline &outline() const { return m_outline; }

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &child) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    /// A "+N more" row is no session and cannot be selected.
    Qt::ItemFlags flags(const QModelIndex &index) const override;

Q_SIGNALS:
    void aboutToApply();
    /// `fresh` are rows that have rows below them for the first time, but for equal waiters.
    void applied(const QModelIndexList &fresh);

private:
    void rebuild(const WaitPicturePtr &picture);
    void apply(const WaitPicturePtr &picture, WaitOutline outline);
    void rearrange(const WaitPicturePtr &picture, WaitOutline outline);
    bool matches(const WaitPicture &picture, const WaitNode &node) const;
    QString text(const WaitRow &row, int column) const;
    QString sessionText(const WaitPicture &picture, const WaitNode &node, int column) const;
    QString equalText(const WaitRow &row, int column) const;
    QString tip(const WaitRow &row, int column) const;
    QVariant markOf(const WaitRow &row, int column) const;

    const LiveClock *m_clock;
    WaitPicturePtr m_picture; ///< that m_outline is of
    QString m_filter;
    QSet<WaitKey> m_opened;
    WaitOutline m_outline;
    QHash<WaitKey, int> m_rows;
};

} // namespace lockscope::ui
