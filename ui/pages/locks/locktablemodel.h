// SPDX-License-Identifier: MIT
#pragma once

#include "feeds/monitor.h"
#include "ui/style/tint.h"
#include "ui/widgets/headedmodel.h"

#include <QtCore/QAbstractTableModel>

namespace lockscope::ui {

class LiveClock;

/// The locks, in the order the monitor gives them. Never resets: rows that stay keep their persistent indexes, and so
/// selection, current row and scroll. Numbers that run with the clock are computed when asked for.
class LockTableModel : public HeadedModel<QAbstractTableModel>
{
    Q_OBJECT
public:
    enum Column {
        ResourceColumn,
        ServerColumn, ///< of a list of several
        StateColumn,
        OwnerColumn,
        ProcessColumn,
        NoteColumn,
        HeldForColumn,
        TtlColumn,
        TokenColumn,
        WaitersColumn,
        SessionColumn,
        ColumnCount
    };
    Q_ENUM(Column)

    /// `clock` is not owned and must outlive the model.
    explicit LockTableModel(const LiveClock *clock, QObject *parent = nullptr);

    /// Applies one update; updates must come in the order they were made.
    void apply(const LockListUpdatePtr &update);
    /// Forgets everything, for another server.
    void clear();

    /// Null for an invalid row.
    const LockItem *itemAt(int row) const;
    const QList<LockItem> &items() const { return m_items; }
    /// What stands in a cell at that time of the server's, which is called so in a list of several. Thread: any.
    static QString text(const LockItem &item, int column, ServerTime now, const QString &server = {});
    /// What is known of a server of such a list.
    struct Server
    {
        QString name;
        const LiveClock *clock = nullptr; ///< not owned; must outlive the model, or the next call
        Tint tint = Tint::None;
        bool isStale = false; ///< it does not answer
    };
    /// By their numbers; empty: there is one, whose clock is the model's.
    void setServers(const QMap<int, Server> &servers);
    ServerNames serverNames() const;
    /// The times of servers at this moment, by their numbers.
    QMap<int, ServerTime> times() const;
    /// -1 when the lock is not in the list.
    int rowOf(const LockKey &key) const;
    /// True while the mark of one of these rows still fades.
    bool hasFreshRows(int first, int last) const;
    /// What is wrong with which lock, for the mark beside its state.
    void setAlarms(const QHash<LockKey, QString> &alarms);
    void setReducedMotion(bool reduced) { m_isReducedMotion = reduced; }
    static LockSort sortOf(int column);
    static Column columnOf(LockSort sort);

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

Q_SIGNALS:
    /// Around every change, for views that keep their place and what is selected.
    void aboutToApply();
    /// ListDiff::newRowOf of the change.
    void applied(const QList<int> &newRowOf);

private:
    void applyRows(const LockListUpdate &update);
    void applyLayout(const LockListUpdate &update);
    void notifyChanged(const QList<int> &rows);
    QString toolTip(const LockItem &item, int column) const;
    QVariant fraction(const LockItem &item) const;
    double tint(const LockItem &item) const;

    ServerTime nowOf(const LockItem &item) const;

    const LiveClock *m_clock;
    QMap<int, Server> m_servers;
    QList<LockItem> m_items;
    int m_rows = 0; ///< as views know it
    QHash<LockKey, QString> m_alarms;
    bool m_isReducedMotion = false;
};

} // namespace lockscope::ui
