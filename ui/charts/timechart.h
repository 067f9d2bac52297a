// SPDX-License-Identifier: MIT
#pragma once

#include "locks/snapshot.h"

#include <QtCharts/QChartView>

QT_BEGIN_NAMESPACE
class QCategoryAxis;
class QValueAxis;
QT_END_NAMESPACE

namespace lockscope::ui {

class ChartOverlay;

/// Lines over time, with a crosshair and marked moments. Axes, grid and labels are Qt Charts'; the lines are painted
/// here: a QLineSeries computes for every line the outline in which the mouse would hit it, which nobody asks for and
/// which took most of a redraw. Zooms with the wheel and + −, pans by dragging and Shift with the arrow keys, moves the
/// crosshair with the mouse and the arrow keys. What is to be seen is up to its owner: the chart only says what was
/// asked for.
class TimeChart : public QChartView
{
    Q_OBJECT
public:
    /// Durations are given in microseconds and drawn on a logarithmic scale; rates from zero up.
    enum class Scale { Durations, Rates };

    struct Line
    {
        QList<QPointF> points; ///< x in milliseconds since 1970 UTC, in order
        QPen pen;
    };
    struct Marker
    {
        ServerTime at;
        QString text;
    };
    struct Range
    {
        ServerTime from;
        ServerTime to;
        bool operator==(const Range &) const = default;
    };

    /// The x of a moment in `Line::points`.
    static double toX(ServerTime time) { return double(time.time_since_epoch().count()) / 1000.0; }

    TimeChart(Scale scale, const QString &name, QWidget *parent = nullptr);

    /// Points further apart than `longestGap` are not connected.
    void setLines(const QList<Line> &lines, const Range &range, Microseconds longestGap);
    void setMarkers(const QList<Marker> &markers);
    /// The moment under the crosshair; none hides it.
    void setCrosshair(const std::optional<ServerTime> &at);
    /// How far the arrow keys move the crosshair.
    void setStep(Microseconds step) { m_step = step; }
    const Range &range() const { return m_range; }

Q_SIGNALS:
    /// Zoomed or panned by hand.
    void rangeWanted(const lockscope::ui::TimeChart::Range &range);
    /// Back to the beginning: double click, Home.
    void resetWanted();
    void crosshairMoved(const std::optional<lockscope::ServerTime> &at);

protected:
    void drawForeground(QPainter *painter, const QRectF &rect) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    friend class ChartOverlay;

    void rebuild();
    void mapToScene();
    void labelTime();
    void labelValues(double low, double high);
    ServerTime timeAt(qreal x) const;
    qreal xOf(ServerTime at) const;
    QRectF plotArea() const;
    void zoom(ServerTime around, double factor);
    void pan(Microseconds by);

    const Scale m_scale;
    QCategoryAxis *m_time;
    QCategoryAxis *m_durations = nullptr;
    QValueAxis *m_rates = nullptr;
    QList<Line> m_lines;
    struct Drawn
    {
        QPolygonF points; ///< in the scene
        QPen pen;
    };
    QList<Drawn> m_drawn; ///< m_lines as they are painted
    QList<Marker> m_markers;
    Range m_range{};
    Microseconds m_longestGap{};
    Microseconds m_step = std::chrono::seconds(5);
    std::optional<ServerTime> m_crosshair;
    std::optional<QPoint> m_dragFrom;
    Range m_dragged{};
    ChartOverlay *m_overlay;
};

} // namespace lockscope::ui
