// SPDX-License-Identifier: MIT
#pragma once

#include "timeline.h"

#include <QtGui/QFont>
#include <QtGui/QFontMetrics>
#include <QtGui/QPalette>

class QPainter;

namespace lockscope::ui {

/// A time line as it is drawn with a font and a palette: on the screen, or into a file.
class TimelinePicture
{
public:
    TimelinePicture(const Timeline &line, const QFont &font, const QPalette &palette);

    QSize size() const;
    /// `position`: the column that is looked at, -1: none. What is left of `left` is out of sight: the names stand
    /// there.
    void paint(QPainter *painter, qsizetype position = -1, int left = 0) const;
    QRectF columnRect(qsizetype column) const;
    /// In the lane of who does it.
    QRectF stepRect(qsizetype column) const;
    /// -1: none.
    qsizetype columnAt(const QPointF &position) const;

private:
    double middleOf(qsizetype column) const { return columnRect(column).center().x(); }
    double boxTop(qsizetype lane) const;
    double boxMiddle(qsizetype lane) const { return boxTop(lane) + m_box / 2.0; }
    QColor colorOf(qsizetype lane) const;
    void paintScale(QPainter *painter, qsizetype position) const;
    double xOf(qsizetype arrow) const;
    void paintLines(QPainter *painter) const;
    void paintNames(QPainter *painter, int left) const;
    void paintStretch(QPainter *painter, const Timeline::Stretch &stretch) const;
    void paintNote(QPainter *painter, const Timeline::Note &note) const;
    void paintArrow(QPainter *painter, const Timeline::Arrow &arrow, double x) const;
    void paintHead(QPainter *painter, const QPointF &tip, bool isDown, const QColor &color) const;

    const Timeline &m_line;
    QFont m_font;
    QFontMetrics m_metrics;
    QPalette m_palette;
    int m_scale = 0; ///< heights and widths, in pixels
    int m_box = 0;
    int m_lane = 0;
    int m_names = 0;
    int m_column = 0;
};

} // namespace lockscope::ui
