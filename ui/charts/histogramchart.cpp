// SPDX-License-Identifier: MIT
#include "histogramchart.h"

#include "chartstyle.h"

#include <QtCharts/QCategoryAxis>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

#include <cmath>
#include <map>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kBinsPerDecade = 10;
constexpr int kMaxDecades = 5;

/// Percent of all, by the bin's number on the logarithmic axis.
std::map<int, double> sharesOf(const Histogram &histogram)
{
    std::map<int, double> shares;
    for (const Histogram::Bucket &bucket : histogram.buckets()) {
        const double log = ChartStyle::logOf(Histogram::middle(bucket.index));
        shares[int(std::floor(log * kBinsPerDecade))] += 100.0 * double(bucket.count) / double(histogram.count());
    }
    return shares;
}

/// The outline of the bins.
QList<QPointF> outlineOf(const std::map<int, double> &shares)
{
    QList<QPointF> outline;
    int end = 0; // of the bin before
    for (const auto &[bin, share] : shares) {
        if (outline.isEmpty() || bin != end) {
            if (!outline.isEmpty())
                outline.append({end / kBinsPerDecade, 0});
            outline.append({bin / kBinsPerDecade, 0});
        }
        end = bin + 1;
        outline.append({bin / kBinsPerDecade, share});
        outline.append({end / kBinsPerDecade, share});
    }
    if (!outline.isEmpty())
        outline.append({end / kBinsPerDecade, 0});
    return outline;
}

} // namespace

HistogramChart::HistogramChart(const QString &name, QWidget *parent)
    : QChartView(parent)
    , m_durations(new QCategoryAxis)
    , m_shares(new QValueAxis)
{
    setAccessibleName(name);
    setFocusPolicy(Qt::NoFocus); // nothing in it moves
    m_shares->setLabelFormat(u"%.0f %"_s);
    m_shares->setTickCount(3);
    chart()->addAxis(m_durations, Qt::AlignBottom);
    chart()->addAxis(m_shares, Qt::AlignLeft);
    ChartStyle::setUp(this);
}

void HistogramChart::setShapes(const QList<Shape> &shapes)
{
    double low = 8;
    double high = 2;
    double most = 1;
    qsizetype used = 0;
    for (const Shape &shape : shapes) {
        const QList<QPointF> outline = outlineOf(sharesOf(shape.histogram));
        for (const QPointF &point : outline) {
            low = std::min(low, std::floor(point.x()));
            high = std::max(high, std::ceil(point.x()));
            most = std::max(most, point.y());
        }
        if (used == m_series.size()) {
            m_series.append(new QLineSeries(this));
            chart()->addSeries(m_series.last());
            m_series.last()->attachAxis(m_durations);
            m_series.last()->attachAxis(m_shares);
        }
        m_series[used]->setPen(shape.pen);
        m_series[used++]->replace(outline);
    }
    for (; used < m_series.size(); ++used)
        m_series[used]->clear();
    low = std::min(low, high - 2);
    ChartStyle::labelDurations(m_durations, low, high, kMaxDecades);
    m_shares->setRange(0, most);
    m_shares->applyNiceNumbers();
}

void HistogramChart::resizeEvent(QResizeEvent *event)
{
    QChartView::resizeEvent(event);
    ChartStyle::layOut(this);
}

void HistogramChart::changeEvent(QEvent *event)
{
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        ChartStyle::applyTheme(this);
}

} // namespace lockscope::ui
