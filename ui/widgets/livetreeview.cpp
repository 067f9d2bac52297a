// SPDX-License-Identifier: MIT
#include "livetreeview.h"

#include "rowdelegate.h"
#include "ui/style/theme.h"

#include <QtCore/QEvent>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QScrollBar>

#include <algorithm>

namespace lockscope::ui {

LiveTreeView::LiveTreeView(QWidget *parent)
    : QTreeView(parent)
    , m_header(new FlatHeader(this))
{
    setItemDelegate(new RowDelegate(this));
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setExpandsOnDoubleClick(true);
    setFrameShape(NoFrame);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    m_header->setSectionsClickable(false); // the worst blocker comes first, always
    m_header->setStretchLastSection(false);
    setHeader(m_header);
}

void LiveTreeView::setColumns(const QList<ColumnSpec> &columns)
{
    m_columns = columns;
    layoutColumns();
}

void LiveTreeView::layoutColumns()
{
    m_header->fit(m_columns, QFontMetrics(font()), viewport()->width());
}

void LiveTreeView::setStale(bool stale)
{
    m_isStale = stale;
    setPalette(listPalette(stale));
}

void LiveTreeView::keepPlace()
{
    m_anchors.clear();
    if (!model() || verticalScrollBar()->value() == 0)
        return; // at the top the worst stays in sight
    const auto keep = [this](const QModelIndex &index) { m_anchors.append({index, visualRect(index).top()}); };
    if (currentIndex().isValid() && viewport()->rect().intersects(visualRect(currentIndex())))
        keep(currentIndex().siblingAtColumn(0));
    for (QModelIndex index = indexAt({0, 0}); index.isValid(); index = indexBelow(index)) {
        if (visualRect(index).top() > viewport()->height())
            break;
        keep(index);
    }
}

void LiveTreeView::restorePlace()
{
    const auto anchor =
        std::find_if(m_anchors.cbegin(), m_anchors.cend(), [](const Anchor &a) { return a.index.isValid(); });
    if (anchor != m_anchors.cend()) {
        executeDelayedItemsLayout();
        const QRect now = visualRect(anchor->index);
        if (now.isValid())
            verticalScrollBar()->setValue(verticalScrollBar()->value() + now.top() - anchor->top);
    }
    m_anchors.clear();
}

void LiveTreeView::resizeEvent(QResizeEvent *event)
{
    QTreeView::resizeEvent(event);
    layoutColumns();
}

void LiveTreeView::changeEvent(QEvent *event)
{
    QTreeView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        layoutColumns();
    if (event->type() == QEvent::PaletteChange && m_isStale)
        setPalette(listPalette(true)); // muted in the new theme's colours
}

/// Enter belongs to an action of the list, but for rows that cannot be selected: these it activates.
bool LiveTreeView::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        const bool isEnter = key == Qt::Key_Return || key == Qt::Key_Enter;
        if (isEnter && currentIndex().isValid() && !currentIndex().flags().testFlag(Qt::ItemIsSelectable)) {
            event->accept();
            return true;
        }
    }
    return QTreeView::event(event);
}

/// Space pauses, as in every list of the window; a tree would select with it.
void LiveTreeView::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Space)
        event->ignore();
    else
        QTreeView::keyPressEvent(event);
}

} // namespace lockscope::ui
