// SPDX-License-Identifier: MIT
#include "livetableview.h"

#include <QtCore/QSignalBlocker>

#include <algorithm>
#include <numeric>
#include <utility>

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

std::pair<int, int> LiveTableView::rowsInSight() const
{
    const int first = rowAt(0);
    if (first < 0)
        return {0, -1};
    const int last = rowAt(viewport()->height() - 1);
    return {first, last < 0 ? model()->rowCount() - 1 : last};
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

void LiveTableView::holdSelection()
{
    m_held = selectedRowNumbers();
    if (m_held.size() < 2)
        return m_held.clear();
    const QSignalBlocker quiet(selectionModel()); // it comes back at once
    selectionModel()->clearSelection();
}

void LiveTableView::restoreSelection(const QList<int> &newRowOf)
{
    if (m_held.isEmpty())
        return;
    QList<int> rows;
    const qsizetype before = m_held.size();
    rows.reserve(before);
    for (const int row : std::exchange(m_held, {})) {
        if (const int now = newRowOf.value(row, -1); now >= 0)
            rows.append(now);
    }
    std::sort(rows.begin(), rows.end());
    const int lastColumn = model()->columnCount() - 1;
    QItemSelection selection;
    for (auto first = rows.cbegin(); first != rows.cend();) {
        const auto isGap = [](int a, int b) { return b != a + 1; };
        auto last = std::adjacent_find(first, rows.cend(), isGap);
        last = last == rows.cend() ? last - 1 : last;
        selection.append(QItemSelectionRange(model()->index(*first, 0), model()->index(*last, lastColumn)));
        first = last + 1;
    }
    {
        const QSignalBlocker quiet(selectionModel());
        selectionModel()->select(selection, QItemSelectionModel::Select);
    }
    if (rows.size() < before)
        Q_EMIT selectionModel()->selectionChanged({}, {});
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
