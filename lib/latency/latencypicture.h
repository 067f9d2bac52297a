// SPDX-License-Identifier: MIT
#pragma once

#include "latencyreader.h"

#include <array>
#include <memory>
#include <vector>

namespace lockscope {

/// What the latency page wants to see.
struct LatencyQuestion
{
    std::optional<ServerTime> to = {};              ///< none: now, moving on with time
    Microseconds length = std::chrono::minutes(15); ///< ending at `to`
    Microseconds slot = std::chrono::seconds(5);    ///< one point each
    QByteArray kind = "acquire";                    ///< or "hold"
    std::optional<QString> program = {};
    std::optional<QByteArray> prefix = {};
    std::optional<Microseconds> compareBefore = {}; ///< and the same length of time this much earlier

    bool operator==(const LatencyQuestion &) const = default;
};

/// How requests ended, as numbers.
struct LatencyCounts
{
    quint64 granted = 0; ///< optimistic: committed; holds: ended
    quint64 busy = 0;    ///< asked without waiting, and it was held
    quint64 timedOut = 0;
    quint64 conflicts = 0;
    quint64 other = 0; ///< cancelled, deadlock, failed, unknown
    /// Requests that waited, on average over the time: what all of them took together, divided by it (Little's law).
    double waiting = 0;

    bool operator==(const LatencyCounts &) const = default;
};

/// Percentiles of what was granted; of buckets, so within 1/32.
struct LatencyValues
{
    static constexpr int Count = 4;
    /// p50, p95, p99 and the maximum; all zero when nothing was granted.
    std::array<Duration, Count> values{};

    static LatencyValues of(const Histogram &histogram);
    bool operator==(const LatencyValues &) const = default;
};

/// One slot of time.
struct LatencyPoint
{
    ServerTime at; ///< its beginning
    LatencyValues latency;
    LatencyCounts counts;

    bool hasLatency() const { return counts.granted > 0; }
};

/// One mode over a period. Slots in which nothing ended have no point.
struct LatencyCurve
{
    QByteArray mode; ///< as in lock_latency
    std::vector<LatencyPoint> points;
    Histogram granted;
    LatencyValues latency; ///< of all of it
    LatencyCounts counts;
};

struct LatencyPeriod
{
    ServerTime from{};
    ServerTime to{};
    /// From the first measurement of any mode and kind to the end: what is told per second is per second of this.
    Microseconds measured{};
    std::vector<LatencyCurve> curves; ///< by mode's name; modes that measured something
    bool isComplete = true;           ///< false: there was more than could be read
    int unreadable = 0;               ///< rows that are damaged or of a newer engine

    const LatencyCurve *curve(const QByteArray &mode) const;
};

/// One program and the prefix of resources that it uses, among all.
struct LatencyRank
{
    QString program;
    QByteArray prefix;
    std::optional<Duration> p95; ///< of what was granted; none: nothing was
    quint64 requests = 0;        ///< or holds
    Duration spent{};            ///< waiting, or holding, by all of them together
    double share = 0;            ///< of what all spent so, 0…1

    bool operator==(const LatencyRank &) const = default;
};

/// Row-lock waits of all programs, from two reads of the server's counters.
struct WaitSample
{
    ServerTime at{};
    Microseconds length{}; ///< of the time between the reads, which ended at `at`
    qint64 waits = 0;      ///< that began in it
    Microseconds waited{}; ///< what those that ended in it had waited; the server counts whole milliseconds
    qint64 current = 0;    ///< waits under way at its end
    qint64 retries = 0;    ///< of optimistic callers

    double perSecond(qint64 count) const { return double(count) / std::chrono::duration<double>(length).count(); }
};

/// The answer to a question. A value that never changes; shared because it is large.
struct LatencyPicture
{
    LatencyQuestion question;
    LatencyPeriod period;
    std::optional<LatencyPeriod> compared;
    QList<LatencyRank> waiters; ///< of all programs and resources, whatever was asked for; who waited most comes first
    QList<LatencyRank> holders; ///< the same, who held most
    std::vector<WaitSample> samples; ///< since the page was opened, of the period; oldest first
    std::optional<ServerTime> serverStart;
    std::set<QString> programs; ///< that can be asked for
    std::set<QByteArray> prefixes;
    Microseconds cost{}; ///< what reading it took
};
using LatencyPicturePtr = std::shared_ptr<const LatencyPicture>;

/// Puts measurements of one kind into curves.
LatencyPeriod periodOf(const LatencySeries &series, const QByteArray &kind, ServerTime from, ServerTime to,
                       Microseconds slot);

/// Who spent how much of the time on it; "acquire" is waiting.
QList<LatencyRank> ranksOf(const LatencySeries &series, const QByteArray &kind, ServerTime from, ServerTime to);

} // namespace lockscope
