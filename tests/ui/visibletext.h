// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QLabel>

namespace lockscope::test {

/// What the labels of a widget say that are seen once its window is.
inline QString visibleText(const QWidget *widget)
{
    QStringList texts;
    for (const QLabel *label : widget->findChildren<QLabel *>()) {
        if (label->isVisibleTo(label->window()))
            texts += label->text();
    }
    return texts.join(QLatin1Char('\n'));
}

} // namespace lockscope::test
