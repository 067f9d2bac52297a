// SPDX-License-Identifier: MIT
#include "overtyping.h"

#include <QtCore/QCoreApplication>
#include <QtGui/QAction>
#include <QtGui/QKeyEvent>

namespace lockscope::ui {

OverTyping::OverTyping(QAction *action)
    : QObject(action)
    , m_action(action)
{
    qApp->installEventFilter(this);
}

/// A widget that wants a key for itself says so when it is asked, which is before shortcuts are looked for.
bool OverTyping::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride
        && m_action->shortcuts().contains(QKeySequence(static_cast<QKeyEvent *>(event)->keyCombination()))) {
        event->ignore();
        return true;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace lockscope::ui
