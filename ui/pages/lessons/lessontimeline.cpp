// SPDX-License-Identifier: MIT
#include "lessontimeline.h"

#include "timelinepicture.h"
#include "ui/text/commontext.h"

#include <QtGui/QHelpEvent>
#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QToolTip>

#include <algorithm>

namespace lockscope::ui {

LessonTimeline::LessonTimeline(QWidget *parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Time line"));
    setFocusPolicy(Qt::StrongFocus);
}

TimelinePicture LessonTimeline::picture() const
{
    return {m_line, font(), palette()};
}

void LessonTimeline::show(const Timeline &line)
{
    m_line = line;
    m_position = line.played - 1;
    describe();
    updateGeometry();
    update();
    Q_EMIT positionChanged();
}

void LessonTimeline::describe()
{
    const QString here = m_line.words.value(m_position);
    setAccessibleDescription(here.isEmpty() ? m_line.toString() : here + QLatin1String("\n\n") + m_line.toString());
}

void LessonTimeline::moveTo(qsizetype column)
{
    const qsizetype to = std::clamp<qsizetype>(column, std::min<qsizetype>(0, looked()), m_line.columns() - 1);
    if (to == m_position)
        return;
    const qsizetype before = looked();
    m_position = to;
    describe();
    update();
    if (looked() != before)
        Q_EMIT lookedAt(looked());
    Q_EMIT positionChanged();
}

QRect LessonTimeline::columnRect(qsizetype column) const
{
    return picture().columnRect(column).toAlignedRect();
}

QRect LessonTimeline::stepRect(qsizetype column) const
{
    return picture().stepRect(column).toAlignedRect();
}

QSize LessonTimeline::sizeHint() const
{
    return picture().size();
}

void LessonTimeline::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    picture().paint(&painter, m_position, std::max(0, -x()));
}

/// Scrolled: the names stay in sight.
void LessonTimeline::moveEvent(QMoveEvent *event)
{
    QWidget::moveEvent(event);
    update();
}

void LessonTimeline::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        moveTo(m_position - 1);
        return;
    case Qt::Key_Right:
        moveTo(m_position + 1);
        return;
    case Qt::Key_Home:
        moveTo(0);
        return;
    case Qt::Key_End:
    case Qt::Key_Escape:
        if (m_position == m_line.played - 1)
            break; // not ours
        moveTo(m_line.played - 1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_position < m_line.played)
            break;
        Q_EMIT runTo(m_position + 1);
        return;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void LessonTimeline::mousePressEvent(QMouseEvent *event)
{
    const qsizetype column = picture().columnAt(event->position());
    if (event->button() != Qt::LeftButton || column < 0)
        return;
    moveTo(column);
    if (column >= m_line.played)
        Q_EMIT runTo(column + 1);
}

/// As a slider, over what was played.
void LessonTimeline::mouseMoveEvent(QMouseEvent *event)
{
    const qsizetype column = picture().columnAt(event->position());
    if (event->buttons().testFlag(Qt::LeftButton) && column >= 0 && column < m_line.played)
        moveTo(column);
}

/// What a column shows, in words.
bool LessonTimeline::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const qsizetype column = picture().columnAt(help->pos());
    QString words = m_line.words.value(column);
    if (column >= m_line.played)
        words += QLatin1Char('\n') + tr("A click plays up to here.");
    QToolTip::showText(help->globalPos(), CommonText::tip(words), this);
    return true;
}

} // namespace lockscope::ui
