// SPDX-License-Identifier: MIT
#include "timeslider.h"

#include <QtGui/QMouseEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QStyleOptionSlider>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr int kHandleInset = 2;

} // namespace

TimeSlider::TimeSlider(QWidget *parent)
    : QSlider(Qt::Horizontal, parent)
{
}

QRect TimeSlider::part(QStyle::SubControl control) const
{
    QStyleOptionSlider option;
    initStyleOption(&option);
    return style()->subControlRect(QStyle::CC_Slider, &option, control, this);
}

/// The handle is under the mouse then, and is dragged on.
void TimeSlider::mousePressEvent(QMouseEvent *event)
{
    const QRect handle = part(QStyle::SC_SliderHandle);
    const QPoint at = event->position().toPoint();
    if (event->button() == Qt::LeftButton && !handle.contains(at)) {
        const QRect groove = part(QStyle::SC_SliderGroove);
        QStyleOptionSlider option;
        initStyleOption(&option);
        setValue(QStyle::sliderValueFromPosition(minimum(), maximum(), at.x() - groove.x() - handle.width() / 2,
                                                 groove.width() - handle.width(), option.upsideDown));
    }
    QSlider::mousePressEvent(event);
}

/// Styles draw the handle like a button, which in the dark is hardly told from the ground.
void TimeSlider::paintEvent(QPaintEvent *event)
{
    QSlider::paintEvent(event);
    if (!isEnabled())
        return;
    const QRect handle = part(QStyle::SC_SliderHandle);
    const int size = std::min(handle.width(), handle.height()) - 2 * kHandleInset;
    QRect knob(0, 0, size, size);
    knob.moveCenter(handle.center());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(palette().color(QPalette::Window));
    painter.setBrush(palette().color(QPalette::WindowText));
    painter.drawEllipse(knob);
}

} // namespace lockscope::ui
