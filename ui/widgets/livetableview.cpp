// SPDX-License-Identifier: MIT
#include "livetableview.h"

#include "rowdelegate.h"
#include "ui/style/theme.h"

#include <QtCore/QEvent>
#include <QtWidgets/QScrollBar>

#include <algorithm>

namespace lockscope::ui {

LiveTableView::LiveTableView(QWidget *parent)
    : QTableView(parent)
    , m_header(new FlatHeader(this))
{
    setItemDelegate(new RowDelegate(this));
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setEditTriggers(NoEditTriggers);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setFrameShape(NoFrame);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setHorizontalHeader(m_header);
    applyRowHeight();
}

void LiveTableView::setColumns(const QList<ColumnSpec> &columns)
{
    m_columns = columns;
    layoutColumns();
}

void LiveTableView::layoutColumns()
{
    m_header->fit(m_columns, QFontMetrics(font()), viewport()->width());
}

void LiveTableView::applyRowHeight()
{
    const int height = RowDelegate::rowHeight(QFontMetrics(font()));
    verticalHeader()->setMinimumSectionSize(height);
    verticalHeader()->setDefaultSectionSize(height);
}

void LiveTableView::setStale(bool stale)
{
    m_isStale = stale;
    setPalette(listPalette(stale));
}

void LiveTableView::keepPlace()
{
    m_anchors.clear();
    if (!model() || verticalScrollBar()->value() == 0)
        return; // at the top the newest stays in sight
    const int first = rowAt(0);
    const int last = rowAt(viewport()->height() - 1);
    const int current = currentIndex().row();
    if (current >= first && (last < 0 || current <= last))
        m_anchors.append({currentIndex(), current});
    for (int row = first; row >= 0 && row < model()->rowCount() && (last < 0 || row <= last); ++row)
        m_anchors.append({model()->index(row, 0), row});
}

void LiveTableView::restorePlace()
{
    const auto anchor =
        std::find_if(m_anchors.cbegin(), m_anchors.cend(), [](const Anchor &a) { return a.index.isValid(); });
    if (anchor != m_anchors.cend() && anchor->index.row() != anchor->row) {
        executeDelayedItemsLayout();
        const int moved = (anchor->index.row() - anchor->row) * verticalHeader()->defaultSectionSize();
        verticalScrollBar()->setValue(verticalScrollBar()->value() + moved);
    }
    m_anchors.clear();
}

void LiveTableView::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    layoutColumns();
}

void LiveTableView::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        applyRowHeight();
        layoutColumns();
    }
    if (event->type() == QEvent::PaletteChange && m_isStale)
        setPalette(listPalette(true)); // muted in the new theme's colours
}

void LiveTableView::rowsAboutToBeRemoved(const QModelIndex &parent, int first, int last)
{
    const int current = currentIndex().row();
    if (current >= first && current <= last)
        selectionModel()->clear();
    QTableView::rowsAboutToBeRemoved(parent, first, last);
}

} // namespace lockscope::ui
