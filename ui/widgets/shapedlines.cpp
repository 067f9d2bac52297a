// SPDX-License-Identifier: MIT
#include "shapedlines.h"

#include <QtGui/QFontMetrics>
#include <QtGui/QPainter>
#include <QtWidgets/QStyle>

namespace lockscope::ui {

void ShapedLines::paint(QPainter *painter, const QRect &rect, Qt::Alignment alignment, const QString &text,
                        Qt::TextElideMode elide)
{
    if (text.isEmpty())
        return;
    setFont(painter->font());
    const Key key{text, rect.width(), elide, painter->font().strikeOut()};
    QStaticText line; // shares what is kept
    if (const QStaticText *kept = m_lines.object(key)) {
        line = *kept;
    } else {
        const QString oneLine = QString(text).replace(u'\n', u' ');
        line.setText(painter->fontMetrics().elidedText(oneLine, elide, rect.width()));
        line.setTextFormat(Qt::PlainText);
        line.prepare(painter->transform(), painter->font());
        m_lines.insert(key, new QStaticText(line));
    }
    // Of widths that are no whole pixels the end stays where it is: QStyle::alignedRect() knows whole ones alone.
    QRectF place = QStyle::alignedRect(painter->layoutDirection(), alignment, line.size().toSize(), rect);
    if (QStyle::visualAlignment(painter->layoutDirection(), alignment).testFlag(Qt::AlignRight))
        place.moveLeft(rect.right() + 1 - line.size().width());
    painter->drawStaticText(place.topLeft(), line);
}

int ShapedLines::widthOf(const QFont &font, const QString &text)
{
    setFont(font);
    if (const int *kept = m_widths.object(text))
        return *kept;
    const int width = QFontMetrics(m_font).horizontalAdvance(text);
    m_widths.insert(text, new int(width));
    return width;
}

void ShapedLines::setFont(const QFont &font)
{
    QFont plain = font;
    if (plain.strikeOut()) // a font that is told what it is already becomes a copy
        plain.setStrikeOut(false);
    if (plain == m_font)
        return;
    m_lines.clear();
    m_widths.clear();
    m_font = plain;
}

} // namespace lockscope::ui
