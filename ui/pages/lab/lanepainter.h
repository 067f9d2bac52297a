// SPDX-License-Identifier: MIT
#pragma once

#include "lanes.h"
#include "ui/charts/chartlegend.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QRect>

class QPainter;

namespace lockscope::ui {

/// What of the lanes is in a picture, and where. Moments are microseconds of the machine's monotonic clock.
struct LaneScene
{
    qint64 begin = 0;  ///< at the left edge
    qint64 end = 0;    ///< at the right edge
    qint64 newest = 0; ///< what goes on is known up to here
    qint64 moment = 0; ///< that the scale counts from
    QRect queue;       ///< above the lanes; names stand left of it
    QRect lanes;       ///< with their names
    QRect scale;       ///< below the lanes
    int laneHeight = 1;
    int scrolled = 0; ///< lanes that have left at the top, in pixels

    int width() const;
    double perMicrosecond() const; ///< pixels
    int x(qint64 at) const;
    qint64 timeAt(int x) const;
    int top(int worker) const { return lanes.top() + worker * laneHeight - scrolled; }
};

/// Paints lanes, and what stands above and below them. Lives for one picture.
class LanePainter
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::LanePainter)
public:
    LanePainter(QPainter *painter, const Lanes &lanes, const LaneScene &scene, const QPalette &palette);

    void paintLane(int worker) const;
    void paintHandOvers() const;
    void paintQueue() const;
    void paintScale() const;
    /// What the colours and heights mean.
    static QList<ChartLegend::Entry> legend(const QPalette &palette, int lineHeight);

private:
    QPainter *m_painter;
    const Lanes &m_lanes;
    const LaneScene &m_scene;
    const QPalette &m_palette;
};

} // namespace lockscope::ui
