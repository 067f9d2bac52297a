// SPDX-License-Identifier: MIT
#include "livetableview.h"

#include <algorithm>
#include <numeric>

namespace lockscope::ui {

LiveTableView::LiveTableView(QWidget *parent)
    : LiveView(parent)
{
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setHorizontalHeader(m_header);
    applyRowHeight();
}

void LiveTableView::applyRowHeight()
{
    const int height = RowDelegate::rowHeight(QFontMetrics(font()));
    verticalHeader()->setMinimumSectionSize(height);
    verticalHeader()->setDefaultSectionSize(height);
}

void LiveTableView::chooseRow(int row)
{
    selectionModel()->setCurrentIndex(model()->index(row, horizontalHeader()->logicalIndexAt(0)),
                                      QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

QList<int> LiveTableView::selectedRowNumbers() const
{
    QList<int> rows;
    for (const QItemSelectionRange &range : selectionModel()->selection()) {
        const qsizetype before = rows.size();
        rows.resize(before + range.height());
        std::iota(rows.begin() + before, rows.end(), range.top());
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

QModelIndex LiveTableView::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers)
{
    if (action != MoveHome && action != MoveEnd)
        return QTableView::moveCursor(action, modifiers);
    const QModelIndex some = currentIndex().isValid() ? currentIndex() : QTableView::moveCursor(action, modifiers);
    return some.siblingAtRow(action == MoveHome ? 0 : model()->rowCount() - 1);
}

void LiveTableView::changeEvent(QEvent *event)
{
    LiveView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        applyRowHeight();
}

void LiveTableView::rowsAboutToBeRemoved(const QModelIndex &parent, int first, int last)
{
    const int current = currentIndex().row();
    if (current >= first && current <= last)
        selectionModel()->clear();
    QTableView::rowsAboutToBeRemoved(parent, first, last);
}

} // namespace lockscope::ui
