// SPDX-License-Identifier: MIT
#include "mutedlabel.h"

#include "ui/style/theme.h"

#include <QtCore/QEvent>
#include <QtWidgets/QApplication>

namespace lockscope::ui {

MutedLabel::MutedLabel(const QString &text, QWidget *parent)
    : QLabel(text, parent)
{
    setTextFormat(Qt::PlainText);
    applyColor();
}

void MutedLabel::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyColor();
}

void MutedLabel::applyColor()
{
    const QColor color = mutedText(QApplication::palette());
    QPalette colors = palette();
    if (colors.color(QPalette::WindowText) == color)
        return;
    colors.setColor(QPalette::WindowText, color);
    setPalette(colors);
}

} // namespace lockscope::ui
