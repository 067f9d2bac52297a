// SPDX-License-Identifier: MIT
#pragma once

#include "columnfit.h"

#include <QtCore/QStringList>
#include <QtWidgets/QHeaderView>

class QMenu;
class QSettings;

namespace lockscope::ui {

/// Column titles that stand exactly over the cells of RowDelegate, in every style: muted, on a thin line, with a small
/// triangle beside the title that the list is sorted by. A person may move columns, give them other widths and hide
/// them, once they have names; the others share what is left.
class FlatHeader : public QHeaderView
{
    Q_OBJECT
public:
    explicit FlatHeader(QWidget *parent = nullptr);

    /// Width that a title needs, with its triangle.
    int titleWidth(const QString &title) const;
    void setColumns(const QList<ColumnSpec> &columns);
    /// Whether there is anything in a column: else it is hidden, and not in the menu either.
    void setOffered(int column, bool isOffered);
    /// Makes the columns fit into a view that is `width` wide.
    void fit(int width);
    /// What the texts in sight need; never less than before, for nothing should jump to and fro.
    void setNeeds(const QList<int> &needs);

    /// What a person does to the columns is kept as `table` and by these names, one for each column in the model's
    /// order; columns of another version do no harm.
    void setNames(const QString &table, const QStringList &names);
    void save(QSettings &settings) const;
    void restore(const QSettings &settings);
    /// The columns to show and hide, as of now.
    void fillMenu(QMenu *menu);
    /// True when a person gave columns more room than there is.
    bool isWider() const { return m_isWider; }

Q_SIGNALS:
    /// By a person: to be fitted.
    void changed();

protected:
    void paintSection(QPainter *painter, const QRect &rect, int section) const override;
    QSize sectionSizeFromContents(int section) const override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    void onResized(int column, int width);
    void show(int column, bool isShown);
    void forget();
    QStringList inOrder() const;

    QList<ColumnSpec> m_columns; ///< with what a person wants of them
    QString m_table;
    QStringList m_names;
    bool m_isFitting = false;
    bool m_isWider = false;
};

} // namespace lockscope::ui
