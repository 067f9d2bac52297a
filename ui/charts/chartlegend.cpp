// SPDX-License-Identifier: MIT
#include "chartlegend.h"

#include "ui/style/theme.h"

#include <QtGui/QPainter>

namespace lockscope::ui {

namespace {

constexpr int kSample = 28;

} // namespace

ChartLegend::ChartLegend(QWidget *parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void ChartLegend::setEntries(const QList<Entry> &entries)
{
    m_entries = entries;
    QStringList words;
    for (const Entry &entry : entries)
        words += entry.text;
    setAccessibleName(words.join(u", "));
    updateGeometry();
    update();
}

/// Where each entry stands: in lines, as many as are needed.
QList<QRect> ChartLegend::placesIn(int width) const
{
    QList<QRect> places;
    const int line = fontMetrics().height() + kSpaceInGroup;
    QPoint next(0, 0);
    for (const Entry &entry : m_entries) {
        const int wide = kSample + kSpaceInGroup + fontMetrics().horizontalAdvance(entry.text);
        if (next.x() > 0 && next.x() + wide > width)
            next = QPoint(0, next.y() + line);
        places.append(QRect(next, QSize(wide, line)));
        next.rx() += wide + kSpaceSection;
    }
    return places;
}

int ChartLegend::heightForWidth(int width) const
{
    const QList<QRect> places = placesIn(width);
    return places.isEmpty() ? fontMetrics().height() + kSpaceInGroup : places.last().bottom() + 1;
}

void ChartLegend::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QList<QRect> places = placesIn(width());
    for (qsizetype i = 0; i < places.size(); ++i) {
        const QRect &place = places[i];
        painter.setPen(m_entries[i].pen);
        painter.drawLine(place.left(), place.center().y(), place.left() + kSample, place.center().y());
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(place.adjusted(kSample + kSpaceInGroup, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         m_entries[i].text);
    }
}

} // namespace lockscope::ui
