// SPDX-License-Identifier: MIT
#include "indexruler.h"

#include "ui/style/theme.h"
#include "ui/text/commontext.h"

#include <QtGui/QHelpEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QToolTip>

namespace lockscope::ui {

IndexRuler::IndexRuler(QWidget *parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Indexes and the locks on them"));
}

void IndexRuler::show(const LessonMoment &moment, const QStringList &sessions)
{
    m_picture = IndexPicture(moment, sessions);
    setAccessibleDescription(m_picture.toString());
    updateGeometry();
    update();
}

void IndexRuler::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (!m_picture.isEmpty()) {
        m_picture.paint(&painter, font(), palette());
        return;
    }
    painter.setPen(mutedText(palette()));
    painter.drawText(rect(), Qt::AlignCenter, tr("Nothing to draw: no entries are known here"));
}

/// What a bar is, in words.
bool IndexRuler::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    if (const IndexPicture::Bar *bar = m_picture.barAt(help->pos(), font()))
        QToolTip::showText(help->globalPos(), CommonText::tip(IndexPicture::toString(*bar)), this);
    else
        QToolTip::hideText();
    return true;
}

} // namespace lockscope::ui
