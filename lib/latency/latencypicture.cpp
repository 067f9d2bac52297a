// SPDX-License-Identifier: MIT
#include "latencypicture.h"

#include <algorithm>

namespace lockscope {

namespace {

void count(const LatencyKey &key, const Histogram &histogram, Microseconds length, LatencyCounts *counts)
{
    if (key.isGranted())
        counts->granted += histogram.count();
    else if (key.outcome == "busy")
        counts->busy += histogram.count();
    else if (key.outcome == "timed_out")
        counts->timedOut += histogram.count();
    else if (key.outcome == "conflict")
        counts->conflicts += histogram.count();
    else
        counts->other += histogram.count();
    counts->waiting += double(histogram.sum().count()) / double(std::max<qint64>(1, length.count()));
}

struct Slot
{
    Histogram granted;
    LatencyCounts counts;
};

LatencyCurve curveOf(const QByteArray &mode, const std::map<ServerTime, Slot> &slots, LatencyCounts counts)
{
    LatencyCurve curve;
    curve.mode = mode;
    curve.counts = counts;
    curve.points.reserve(slots.size());
    for (const auto &[at, slot] : slots) {
        curve.points.push_back({at, LatencyValues::of(slot.granted), slot.counts});
        curve.granted.add(slot.granted);
    }
    curve.latency = LatencyValues::of(curve.granted);
    return curve;
}

/// Nothing is known of the time before the first measurement.
Microseconds measuredOf(const LatencySeries &series, ServerTime from, ServerTime to)
{
    ServerTime first = to;
    for (const auto &[key, histogram] : series.histograms) {
        if (key.slot >= from)
            first = std::min(first, key.slot);
    }
    return to - first;
}

} // namespace

LatencyValues LatencyValues::of(const Histogram &histogram)
{
    return {{histogram.percentile(50), histogram.percentile(95), histogram.percentile(99), histogram.max()}};
}

const LatencyCurve *LatencyPeriod::curve(const QByteArray &mode) const
{
    for (const LatencyCurve &curve : curves) {
        if (curve.mode == mode)
            return &curve;
    }
    return nullptr;
}

LatencyPeriod periodOf(const LatencySeries &series, const QByteArray &kind, ServerTime from, ServerTime to,
                       Microseconds slot)
{
    LatencyPeriod period;
    period.from = from;
    period.to = to;
    period.measured = measuredOf(series, from, to);
    period.isComplete = series.isComplete;
    period.unreadable = series.unreadable;
    std::map<QByteArray, std::map<ServerTime, Slot>> modes;
    std::map<QByteArray, LatencyCounts> totals;
    for (const auto &[key, histogram] : series.histograms) {
        if (key.kind != kind || key.slot < from || key.slot >= to)
            continue;
        Slot &at = modes[key.mode][key.slot];
        if (key.isGranted())
            at.granted.add(histogram);
        count(key, histogram, slot, &at.counts);
        count(key, histogram, period.measured, &totals[key.mode]);
    }
    for (const auto &[mode, slots] : modes)
        period.curves.push_back(curveOf(mode, slots, totals[mode]));
    return period;
}

QList<LatencyRank> ranksOf(const LatencySeries &series, const QByteArray &kind, ServerTime from, ServerTime to)
{
    std::map<std::pair<QString, QByteArray>, LatencyUse> users;
    double all = 0; // in floating point: the longest durations add up to more than an integer holds
    for (const auto &[key, use] : series.uses) {
        if (key.kind != kind || key.slot < from || key.slot >= to)
            continue;
        users[{key.program, key.prefix}].add(use);
        all += double(use.granted.sum().count()) + double(use.others.sum().count());
    }
    QList<LatencyRank> ranks;
    for (const auto &[user, use] : users) {
        const auto p95 = use.granted.count() > 0 ? std::optional(use.granted.percentile(95)) : std::nullopt;
        Histogram both = use.granted;
        both.add(use.others);
        ranks.append(
            {user.first, user.second, p95, both.count(), both.sum(), double(both.sum().count()) / std::max(1.0, all)});
    }
    std::stable_sort(ranks.begin(), ranks.end(),
                     [](const LatencyRank &a, const LatencyRank &b) { return a.spent > b.spent; });
    return ranks;
}

} // namespace lockscope
