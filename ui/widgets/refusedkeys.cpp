// SPDX-License-Identifier: MIT
#include "refusedkeys.h"

#include <QtGui/QAction>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QWidget>

namespace lockscope::ui {

RefusedKeys::RefusedKeys(QWidget *widget, QAction *action)
    : QObject(widget)
    , m_action(action)
{
    widget->installEventFilter(this);
}

bool RefusedKeys::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress || m_action->isEnabled())
        return QObject::eventFilter(watched, event);
    const QKeySequence keys(static_cast<QKeyEvent *>(event)->keyCombination());
    if (!m_action->shortcuts().contains(keys))
        return QObject::eventFilter(watched, event);
    Q_EMIT pressed(m_action->toolTip());
    return true;
}

} // namespace lockscope::ui
