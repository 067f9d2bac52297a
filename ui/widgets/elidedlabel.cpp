// SPDX-License-Identifier: MIT
#include "elidedlabel.h"

#include "ui/text/commontext.h"

#include <QtGui/QPainter>

namespace lockscope::ui {

ElidedLabel::ElidedLabel(QWidget *parent, Qt::TextElideMode mode)
    : QLabel(parent)
    , m_mode(mode)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void ElidedLabel::setFullText(const QString &full)
{
    if (text() == full)
        return;
    setText(full);
    setToolTip(CommonText::tip(full));
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 6, sizeHint().height()};
}

QSize ElidedLabel::sizeHint() const
{
    return fontMetrics().size(0, text()).expandedTo({0, fontMetrics().height()});
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QStringList lines = text().split(u'\n');
    for (QString &line : lines)
        line = fontMetrics().elidedText(line, m_mode, width());
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(rect(), int(alignment()), lines.join(u'\n'));
}

} // namespace lockscope::ui
