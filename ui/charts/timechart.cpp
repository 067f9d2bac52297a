// SPDX-License-Identifier: MIT
#include "timechart.h"

#include "chartstyle.h"
#include "downsample.h"
#include "ui/style/displaytimezone.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"

#include <QtCharts/QCategoryAxis>
#include <QtCharts/QValueAxis>
#include <QtCore/QLocale>
#include <QtCore/QTimeZone>
#include <QtGui/QPainter>
#include <QtGui/QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

/// Of a line with holes.
constexpr int kMaxParts = 200;
constexpr int kColumnPixels = 2;
constexpr double kZoomStep = 0.8;
constexpr Microseconds kShortest = 30s;
constexpr Microseconds kLongest = 48h;
constexpr int kPixelsPerLabel = 90;
constexpr int kMaxDecades = 9;

ServerTime fromX(double x)
{
    return ServerTime(Microseconds(qint64(x * 1000.0)));
}

/// The shortest of the round lengths that leaves room for labels.
std::chrono::seconds labelStep(Microseconds length, int labels)
{
    constexpr std::array<std::chrono::seconds, 15> steps{1s,   2s,    5s,    10s,   15s, 30s, 60s, 2min,
                                                         5min, 10min, 15min, 30min, 1h,  3h,  6h};
    for (const auto step : steps) {
        if (length / step <= labels)
            return step;
    }
    return 12h;
}

} // namespace

/// What moves over the lines without drawing them again: crosshair and marked moments.
class ChartOverlay : public QWidget
{
public:
    explicit ChartOverlay(TimeChart *chart)
        : QWidget(chart->viewport())
        , m_chart(chart)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
    }

    /// Only the strip of the crosshair, before and after it moved.
    void updateAt(const std::optional<ServerTime> &at)
    {
        if (at)
            update(QRect(int(m_chart->xOf(*at)) - 2, 0, 5, height()));
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        const QRectF plot = m_chart->plotArea();
        const auto line = [&](ServerTime at) {
            const qreal x = std::floor(m_chart->xOf(at)) + 0.5;
            if (x >= plot.left() && x <= plot.right())
                painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
            return x;
        };
        painter.setPen(QPen(markColor(Mark::Orphan, palette()), 1, Qt::DotLine));
        for (const TimeChart::Marker &marker : m_chart->m_markers) {
            const qreal x = line(marker.at);
            if (x >= plot.left() && x <= plot.right())
                paintMark(&painter, QRectF(x - 5, plot.top() - 5, 10, 10), Mark::Orphan,
                          markColor(Mark::Orphan, palette()));
        }
        if (m_chart->m_crosshair) {
            painter.setPen(QPen(palette().color(QPalette::WindowText), 1));
            line(*m_chart->m_crosshair);
        }
    }

private:
    TimeChart *m_chart;
};

TimeChart::TimeChart(Scale scale, const QString &name, QWidget *parent)
    : QChartView(parent)
    , m_scale(scale)
    , m_time(new QCategoryAxis)
    , m_overlay(new ChartOverlay(this))
{
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    chart()->addAxis(m_time, Qt::AlignBottom);
    if (scale == Scale::Durations) {
        m_durations = new QCategoryAxis;
        chart()->addAxis(m_durations, Qt::AlignLeft);
    } else {
        m_rates = new QValueAxis;
        m_rates->setTickCount(4);
        chart()->addAxis(m_rates, Qt::AlignLeft);
    }
    ChartStyle::setUp(this);
}

void TimeChart::setLines(const QList<Line> &lines, const Range &range, Microseconds longestGap)
{
    m_lines = lines;
    m_range = range;
    m_longestGap = longestGap;
    rebuild();
}

void TimeChart::setMarkers(const QList<Marker> &markers)
{
    m_markers = markers;
    m_overlay->update();
}

void TimeChart::setCrosshair(const std::optional<ServerTime> &at)
{
    if (m_crosshair == at)
        return;
    m_overlay->updateAt(m_crosshair);
    m_crosshair = at;
    m_overlay->updateAt(m_crosshair);
}

void TimeChart::rebuild()
{
    if (m_range.to <= m_range.from)
        return;
    const double from = toX(m_range.from);
    const double to = toX(m_range.to);
    const int columns = std::max(1, viewport()->width() / kColumnPixels);
    const double longestGap = double(m_longestGap.count()) / 1000.0;
    double low = m_scale == Scale::Durations ? 2 : 0; // 100 µs
    double high = m_scale == Scale::Durations ? 4 : 1;
    m_drawn.clear();
    for (const Line &line : std::as_const(m_lines)) {
        QList<QPointF> cut = downsample(line.points, from, to, columns);
        if (m_scale == Scale::Durations) { // only now: few are left, and their order is the same
            for (QPointF &point : cut)
                point.setY(ChartStyle::logOf(Duration(qint64(point.y()))));
        }
        for (const auto &part : splitAtGaps(cut, longestGap, kMaxParts)) {
            for (const QPointF &point : part) {
                low = std::min(low, std::floor(point.y()));
                high = std::max(high, m_scale == Scale::Durations ? std::ceil(point.y()) : point.y());
            }
            m_drawn.append({QPolygonF(part), line.pen});
        }
    }
    m_time->setRange(from, to);
    labelTime();
    labelValues(low, high);
    mapToScene();
    m_overlay->update();
    viewport()->update();
}

/// From values to places, once the axes know their ends.
void TimeChart::mapToScene()
{
    const QRectF plot = chart()->plotArea();
    const double from = toX(m_range.from);
    const double perMs = plot.width() / (toX(m_range.to) - from);
    const double low = m_rates ? m_rates->min() : m_durations->min();
    const double perUnit = plot.height() / std::max(1e-9, (m_rates ? m_rates->max() : m_durations->max()) - low);
    for (Drawn &drawn : m_drawn) {
        for (QPointF &point : drawn.points)
            point = {plot.left() + (point.x() - from) * perMs, plot.bottom() - (point.y() - low) * perUnit};
    }
}

/// Thin cosmetic lines are what the painter is fast at, so a thicker one is several of them.
void TimeChart::drawForeground(QPainter *painter, const QRectF &)
{
    painter->save();
    painter->setClipRect(chart()->plotArea());
    const qreal scale = painter->device()->devicePixelRatioF();
    for (const Drawn &drawn : std::as_const(m_drawn)) {
        QPen thin = drawn.pen;
        const int passes = std::max(1, int(std::lround(thin.widthF() * scale)));
        if (QList<qreal> dashes = thin.dashPattern(); thin.style() == Qt::CustomDashLine) {
            for (qreal &dash : dashes)
                dash *= passes;
            thin.setDashPattern(dashes);
        }
        thin.setWidthF(1);
        painter->setPen(thin);
        for (int pass = 0; pass < passes; ++pass) {
            const QPointF offset(0, pass / scale);
            if (drawn.points.size() == 1) // one alone would not be seen
                painter->fillRect(QRectF(drawn.points.first() + offset - QPointF(2, 2), QSizeF(4, 4)), thin.color());
            else
                painter->drawPolyline(drawn.points.translated(offset));
        }
    }
    painter->restore();
}

void TimeChart::labelTime()
{
    for (const QString &label : m_time->categoriesLabels())
        m_time->remove(label);
    const auto step = labelStep(m_range.to - m_range.from, std::max(2, viewport()->width() / forType(kPixelsPerLabel)));
    const int seconds = DisplayTimeZone::instance()->of(m_range.to).offsetFromUtc();
    const QTimeZone zone(seconds);
    const qint64 offset = qint64(seconds) * 1000;
    const qint64 stepMs = std::chrono::milliseconds(step).count();
    const qint64 first = (qint64(toX(m_range.from)) + offset) / stepMs + 1;
    const QString format = step < 60s ? u"HH:mm:ss"_s : u"HH:mm"_s;
    for (qint64 tick = first; double(tick * stepMs - offset) < toX(m_range.to); ++tick) {
        const qint64 at = tick * stepMs - offset;
        m_time->append(QDateTime::fromMSecsSinceEpoch(at, zone).toString(format), double(at));
    }
}

void TimeChart::labelValues(double low, double high)
{
    if (m_rates) {
        m_rates->setRange(0, high);
        m_rates->applyNiceNumbers();
        m_rates->setLabelFormat(m_rates->max() < 4 ? u"%.1f"_s : u"%.0f"_s);
        return;
    }
    ChartStyle::labelDurations(m_durations, low, high, kMaxDecades);
}

QRectF TimeChart::plotArea() const
{
    const QRectF area = chart()->plotArea();
    return {QPointF(mapFromScene(area.topLeft())), area.size()};
}

qreal TimeChart::xOf(ServerTime at) const
{
    const QRectF plot = plotArea();
    const double part = (toX(at) - toX(m_range.from)) / std::max(1.0, toX(m_range.to) - toX(m_range.from));
    return plot.left() + part * plot.width();
}

ServerTime TimeChart::timeAt(qreal x) const
{
    const QRectF plot = plotArea();
    const double part = std::clamp((x - plot.left()) / std::max(1.0, plot.width()), 0.0, 1.0);
    return fromX(toX(m_range.from) + part * (toX(m_range.to) - toX(m_range.from)));
}

void TimeChart::zoom(ServerTime around, double factor)
{
    const Microseconds length = m_range.to - m_range.from;
    const auto wanted = std::clamp(Microseconds(qint64(double(length.count()) * factor)), kShortest, kLongest);
    const double before = double((around - m_range.from).count()) / double(std::max<qint64>(1, length.count()));
    const ServerTime from = around - Microseconds(qint64(double(wanted.count()) * before));
    Q_EMIT rangeWanted({from, from + wanted});
}

void TimeChart::pan(Microseconds by)
{
    Q_EMIT rangeWanted({m_range.from + by, m_range.to + by});
}

void TimeChart::wheelEvent(QWheelEvent *event)
{
    const double steps = event->angleDelta().y() / 120.0;
    if (steps != 0)
        zoom(timeAt(event->position().x()), std::pow(kZoomStep, steps));
    event->accept();
}

void TimeChart::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton) {
        m_dragFrom = event->pos();
        m_dragged = m_range;
    }
    setFocus(Qt::MouseFocusReason);
}

void TimeChart::mouseMoveEvent(QMouseEvent *event)
{
    if (m_dragFrom && (event->pos() - *m_dragFrom).manhattanLength() > 3) {
        const double pixels = std::max(1.0, plotArea().width());
        const double perPixel = double((m_dragged.to - m_dragged.from).count()) / pixels;
        const Microseconds by(qint64((m_dragFrom->x() - event->pos().x()) * perPixel));
        Q_EMIT rangeWanted({m_dragged.from + by, m_dragged.to + by});
        return;
    }
    const bool isInside = plotArea().contains(event->position());
    Q_EMIT crosshairMoved(isInside ? std::optional(timeAt(event->position().x())) : std::nullopt);
    QString near;
    for (const Marker &marker : std::as_const(m_markers)) {
        if (isInside && std::abs(xOf(marker.at) - event->position().x()) < 6)
            near += (near.isEmpty() ? QString() : u"\n"_s) + marker.text;
    }
    setToolTip(near.isEmpty() ? QString() : CommonText::tip(near));
}

void TimeChart::mouseReleaseEvent(QMouseEvent *)
{
    m_dragFrom.reset();
}

void TimeChart::mouseDoubleClickEvent(QMouseEvent *)
{
    m_dragFrom.reset();
    Q_EMIT resetWanted();
}

void TimeChart::leaveEvent(QEvent *event)
{
    if (!hasFocus())
        Q_EMIT crosshairMoved(std::nullopt);
    QChartView::leaveEvent(event);
}

void TimeChart::keyPressEvent(QKeyEvent *event)
{
    const ServerTime middle = m_crosshair.value_or(m_range.from + (m_range.to - m_range.from) / 2);
    const int direction = event->key() == Qt::Key_Left ? -1 : 1;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (event->modifiers() & Qt::ShiftModifier)
            pan(direction * (m_range.to - m_range.from) / 4);
        else
            Q_EMIT crosshairMoved(std::clamp(middle + direction * m_step, m_range.from, m_range.to));
        break;
    case Qt::Key_Plus:
        zoom(middle, kZoomStep);
        break;
    case Qt::Key_Minus:
        zoom(middle, 1 / kZoomStep);
        break;
    case Qt::Key_Home:
        Q_EMIT resetWanted();
        break;
    default:
        QChartView::keyPressEvent(event);
    }
}

void TimeChart::resizeEvent(QResizeEvent *event)
{
    QChartView::resizeEvent(event);
    ChartStyle::layOut(this);
    m_overlay->setGeometry(viewport()->rect());
    rebuild();
}

void TimeChart::changeEvent(QEvent *event)
{
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        ChartStyle::applyTheme(this);
}

} // namespace lockscope::ui
