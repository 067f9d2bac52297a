// SPDX-License-Identifier: MIT
#include "latencylines.h"

#include "ui/charts/chartstyle.h"
#include "ui/style/theme.h"

#include <algorithm>
#include <array>

namespace lockscope::ui {

using Rate = LatencyChoice::Rate;

namespace {

constexpr std::array<qreal, LatencyValues::Count> kWidths{2, 2, 1, 1};
constexpr std::array<qreal, LatencyValues::Count> kOpacities{1, 0.7, 0.8, 0.45};

/// Of one slot, per second where it is a count.
double rateOf(const LatencyCounts &counts, Rate rate, Microseconds slot)
{
    const double seconds = std::chrono::duration<double>(slot).count();
    switch (rate) {
    case Rate::Granted:
        return double(counts.granted) / seconds;
    case Rate::Waiting:
        return counts.waiting;
    case Rate::TimedOut:
        return double(counts.timedOut) / seconds;
    case Rate::Busy:
        return double(counts.busy) / seconds;
    case Rate::Conflicts:
        return double(counts.conflicts) / seconds;
    case Rate::Retries:
    case Rate::RowLockWaits:
    case Rate::RowLockWaited:
        break;
    }
    return 0;
}

double rateOf(const WaitSample &sample, Rate rate)
{
    if (rate == Rate::Retries)
        return sample.perSecond(sample.retries);
    if (rate == Rate::RowLockWaits)
        return sample.perSecond(sample.waits);
    return sample.perSecond(sample.waited.count()) / 1'000'000.0;
}

bool isChosen(const LatencyCurve &curve, const LatencyChoice &choice)
{
    return choice.mode.isEmpty() || choice.mode == curve.mode;
}

TimeChart::Line valueLine(const LatencyCurve &curve, int value, Microseconds later, const QPen &pen)
{
    TimeChart::Line line{{}, pen};
    line.points.reserve(qsizetype(curve.points.size()));
    for (const LatencyPoint &point : curve.points) {
        if (point.hasLatency())
            line.points.append(
                {TimeChart::toX(point.at + later), double(point.latency.values[std::size_t(value)].count())});
    }
    return line;
}

} // namespace

bool isSampled(Rate rate)
{
    return rate == Rate::Retries || rate == Rate::RowLockWaits || rate == Rate::RowLockWaited;
}

QPen latencyPen(const QByteArray &mode, int value, const QPalette &palette)
{
    return ChartStyle::modePen(mode, palette, kWidths[std::size_t(value)], kOpacities[std::size_t(value)]);
}

QList<int> valuesShown(const LatencyChoice &choice)
{
    return choice.mode.isEmpty() ? QList<int>{0, 2} : QList<int>{0, 1, 2, 3};
}

QList<TimeChart::Line> latencyLines(const LatencyPicture &picture, const LatencyChoice &choice, const QPalette &palette)
{
    QList<TimeChart::Line> lines;
    const auto append = [&](const LatencyPeriod &period, bool isCompared) {
        const Microseconds later = picture.period.from - period.from;
        for (const LatencyCurve &curve : period.curves) {
            for (const int value : isChosen(curve, choice) ? valuesShown(choice) : QList<int>()) {
                const QPen pen = isCompared ? ChartStyle::comparedPen(palette, kWidths[std::size_t(value)])
                                            : latencyPen(curve.mode, value, palette);
                lines.append(valueLine(curve, value, later, pen));
            }
        }
    };
    if (picture.compared)
        append(*picture.compared, true);
    append(picture.period, false);
    return lines;
}

QList<TimeChart::Line> rateLines(const LatencyPicture &picture, const LatencyChoice &choice, const QPalette &palette)
{
    QList<TimeChart::Line> lines;
    if (isSampled(choice.rate)) {
        TimeChart::Line line{{}, ChartStyle::modePen("none", palette, 2)};
        for (const WaitSample &sample : picture.samples)
            line.points.append({TimeChart::toX(sample.at), rateOf(sample, choice.rate)});
        return {line};
    }
    const auto append = [&](const LatencyPeriod &period, bool isCompared) {
        const Microseconds later = picture.period.from - period.from;
        for (const LatencyCurve &curve : period.curves) {
            if (!isChosen(curve, choice))
                continue;
            TimeChart::Line line{
                {}, isCompared ? ChartStyle::comparedPen(palette, 2) : ChartStyle::modePen(curve.mode, palette, 2)};
            for (const LatencyPoint &point : curve.points)
                line.points.append(
                    {TimeChart::toX(point.at + later), rateOf(point.counts, choice.rate, picture.question.slot)});
            lines.append(line);
        }
    };
    if (picture.compared)
        append(*picture.compared, true);
    append(picture.period, false);
    return lines;
}

Microseconds longestGap(const LatencyQuestion &question)
{
    // Two engines that write every five seconds may leave a slot of that length empty between them.
    return std::max<Microseconds>(3 * question.slot, std::chrono::seconds(16));
}

TimeChart::Range measuredRange(const LatencyPicture &picture)
{
    const LatencyPeriod &period = picture.period;
    if (picture.compared)
        return {period.from, period.to};
    ServerTime first = period.to - std::chrono::minutes(1);
    for (const LatencyCurve &curve : period.curves) {
        if (!curve.points.empty())
            first = std::min(first, curve.points.front().at);
    }
    if (!picture.samples.empty())
        first = std::min(first, picture.samples.front().at);
    return {std::max(first, period.from), period.to};
}

const LatencyPoint *pointAt(const LatencyCurve &curve, ServerTime at, Microseconds slot)
{
    const auto behind = std::upper_bound(curve.points.begin(), curve.points.end(), at,
                                         [](ServerTime time, const LatencyPoint &point) { return time < point.at; });
    if (behind == curve.points.begin() || at >= std::prev(behind)->at + slot)
        return nullptr;
    return &*std::prev(behind);
}

QByteArray latencyCsv(const LatencyPicture &picture)
{
    QByteArray csv = "time,mode,granted,p50_us,p95_us,p99_us,max_us,waiting,busy,timed_out,conflicts,other\r\n";
    for (const LatencyCurve &curve : picture.period.curves) {
        for (const LatencyPoint &point : curve.points) {
            csv += toDateTime(point.at).toString(Qt::ISODate).toLatin1() + ',' + curve.mode + ','
                + QByteArray::number(point.counts.granted);
            for (const Duration value : point.latency.values)
                csv += ',' + (point.hasLatency() ? QByteArray::number(qint64(value.count())) : QByteArray());
            csv += ',' + QByteArray::number(point.counts.waiting, 'f', 3);
            for (const quint64 count :
                 {point.counts.busy, point.counts.timedOut, point.counts.conflicts, point.counts.other})
                csv += ',' + QByteArray::number(count);
            csv += "\r\n";
        }
    }
    return csv;
}

} // namespace lockscope::ui
