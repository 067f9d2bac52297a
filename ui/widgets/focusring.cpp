// SPDX-License-Identifier: MIT
#include "focusring.h"

#include "ui/style/statemark.h"

#include <QtCore/QEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QApplication>

#include <utility>

namespace lockscope::ui {

namespace {

constexpr int kWidth = 2;

} // namespace

FocusRing::FocusRing(QWidget *window)
    : QWidget(window)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget *, QWidget *now) {
        const bool isHere = now && now->window() == parentWidget();
        follow(isHere && parentWidget()->testAttribute(Qt::WA_KeyboardFocusChange) ? now : nullptr);
    });
}

void FocusRing::follow(QWidget *target)
{
    for (const QPointer<QWidget> &widget : std::exchange(m_followed, {})) {
        if (widget)
            widget->removeEventFilter(this);
    }
    m_target = target;
    for (QWidget *widget = target; widget && widget != parentWidget(); widget = widget->parentWidget()) {
        widget->installEventFilter(this);
        m_followed.append(widget);
    }
    place();
}

/// What can be seen of the target: that of one that is scrolled ends where the area does that it is scrolled in.
QRect FocusRing::seen() const
{
    if (!m_target || !m_target->isVisible())
        return {};
    QRect seen = m_target->rect();
    for (const QWidget *widget = m_target; widget != parentWidget(); widget = widget->parentWidget())
        seen = seen.translated(widget->pos()) & widget->parentWidget()->rect();
    return seen;
}

void FocusRing::place()
{
    const QRect around = seen();
    setVisible(!around.isEmpty());
    if (around.isEmpty())
        return;
    setGeometry(around);
    raise();
}

bool FocusRing::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
        place();
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

void FocusRing::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(markColor(Mark::Held, palette()), kWidth));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 2, 2);
}

} // namespace lockscope::ui
