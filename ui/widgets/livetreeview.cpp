// SPDX-License-Identifier: MIT
#include "livetreeview.h"

#include <QtGui/QKeyEvent>

namespace lockscope::ui {

LiveTreeView::LiveTreeView(QWidget *parent)
    : LiveView(parent)
{
    setSelectionMode(ExtendedSelection);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setExpandsOnDoubleClick(true);
    m_header->setSectionsClickable(false); // the worst blocker comes first, always
    m_header->setStretchLastSection(false);
    setHeader(m_header);
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
        LiveView::keyPressEvent(event);
}

} // namespace lockscope::ui
