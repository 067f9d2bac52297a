// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QPointer>
#include <QtWidgets/QWidget>

namespace lockscope::ui {

/// Enables and disables the buttons of one place, and gives the focus back to the one that lost it so: else the next
/// press of Space would be another button's.
class KeptFocus
{
public:
    void setEnabled(QWidget *widget, bool enabled)
    {
        if (!enabled && widget->hasFocus())
            m_lost = widget;
        widget->setEnabled(enabled);
        if (enabled && m_lost == widget) {
            m_lost.clear();
            widget->setFocus();
        }
    }

private:
    QPointer<QWidget> m_lost;
};

} // namespace lockscope::ui
