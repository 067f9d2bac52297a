// SPDX-License-Identifier: MIT
#include "latencyreader.h"

#include <limits>
#include <tuple>

namespace lockscope {

namespace {

enum Column { IdCol, AtCol, ModeCol, KindCol, OutcomeCol, SumCol, MaxCol, BucketsCol, OwnerCol, PrefixCol };

constexpr int kPage = 2000;
/// Rows are numbered nearly in the order of their times: no statement takes longer than its engine's time-out.
constexpr auto kDisorder = std::chrono::minutes(1);

ServerTime timeOf(const QVariant &value)
{
    return ServerTime(Microseconds(value.toLongLong()));
}

ServerTime slotOf(ServerTime at, Microseconds length)
{
    const Microseconds since1970 = at.time_since_epoch();
    return ServerTime(since1970 - since1970 % std::max(length, Microseconds(1)));
}

/// A column that may hold more than a duration can.
Duration durationOf(const QVariant &value)
{
    return Duration(qint64(std::min<quint64>(value.toULongLong(), quint64(std::numeric_limits<qint64>::max()))));
}

LatencyKey keyOf(const QVariantList &row, Microseconds slotLength)
{
    LatencyKey key;
    key.mode = row.value(ModeCol).toByteArray();
    key.kind = row.value(KindCol).toByteArray();
    key.outcome = row.value(OutcomeCol).toByteArray();
    key.slot = slotOf(timeOf(row.value(AtCol)), slotLength);
    return key;
}

} // namespace

bool operator<(const LatencyKey &a, const LatencyKey &b)
{
    return std::tie(a.mode, a.kind, a.outcome, a.slot) < std::tie(b.mode, b.kind, b.outcome, b.slot);
}

bool operator<(const LatencyUserKey &a, const LatencyUserKey &b)
{
    return std::tie(a.kind, a.program, a.prefix, a.slot) < std::tie(b.kind, b.program, b.prefix, b.slot);
}

void LatencyUse::add(const LatencyUse &other)
{
    granted.add(other.granted);
    others.add(other.others);
}

Histogram LatencySeries::total(const QByteArray &mode, const QByteArray &kind, const QByteArray &outcome) const
{
    Histogram total;
    for (auto it = histograms.lower_bound({mode, kind, outcome, ServerTime::min()}); it != histograms.end(); ++it) {
        if (it->first.mode != mode || it->first.kind != kind || it->first.outcome != outcome)
            break;
        total.add(it->second);
    }
    return total;
}

LatencyReader::LatencyReader(Session &session)
    : m_session(session)
{
}

std::optional<LockError> LatencyReader::read(const LatencyOptions &options, LatencySeries *series)
{
    LatencySeries fresh;
    quint64 after = 0;
    if (auto error = findStart(options.from - kDisorder, &after))
        return error;
    bool isLast = false;
    for (int read = 0; !isLast; read += kPage) {
        fresh.isComplete = read < options.limit;
        if (!fresh.isComplete)
            break;
        if (auto error = readPage(options, &after, &fresh, &isLast))
            return error;
    }
    *series = std::move(fresh);
    return std::nullopt;
}

/// Halves the range of numbers until the first row at or after `from` is found: some twenty short reads instead of an
/// index that every engine's writes would have to keep.
std::optional<LockError> LatencyReader::findStart(ServerTime from, quint64 *after)
{
    const Reply range = m_session.run("monitor/latency_range", Params());
    if (!range)
        return range.error;
    const QVariantList ends = range.set(-1).rows.value(0);
    quint64 low = ends.value(0).toULongLong();
    quint64 high = ends.value(1).toULongLong() + 1;
    while (low < high) {
        const quint64 middle = low + (high - low) / 2;
        const Reply reply = m_session.run("monitor/latency_id", Params().number("id", middle));
        if (!reply)
            return reply.error;
        const QVariantList row = reply.set(-1).rows.value(0);
        if (!row.isEmpty() && timeOf(row.value(1)) < from)
            low = row.value(0).toULongLong() + 1;
        else
            high = middle;
    }
    *after = low > 0 ? low - 1 : 0;
    return std::nullopt;
}

std::optional<LockError> LatencyReader::readPage(const LatencyOptions &options, quint64 *after, LatencySeries *series,
                                                 bool *isLast)
{
    const Reply reply =
        m_session.run("monitor/latency", Params().number("after", *after).number("limit", qint64(kPage)));
    if (!reply)
        return reply.error;
    const auto &rows = reply.set(-1).rows;
    for (const QVariantList &row : rows) {
        *after = row.value(IdCol).toULongLong();
        const ServerTime at = timeOf(row.value(AtCol));
        if (at >= options.from && at < options.to)
            merge(options, row, series);
    }
    *isLast = rows.size() < kPage || timeOf(rows.last().value(AtCol)) >= options.to + kDisorder;
    return std::nullopt;
}

void LatencyReader::merge(const LatencyOptions &options, const QVariantList &row, LatencySeries *series)
{
    const QByteArray owner = row.value(OwnerCol).toByteArray();
    auto service = m_services.constFind(owner);
    if (service == m_services.cend())
        service = m_services.insert(owner, Owner::fromJson(owner).service);
    const QByteArray prefix = row.value(PrefixCol).toByteArray();
    series->programs.insert(*service);
    series->prefixes.insert(prefix);
    const bool isAskedFor =
        (!options.program || *options.program == *service) && (!options.prefix || *options.prefix == prefix);
    const auto histogram = Histogram::fromBytes(row.value(BucketsCol).toByteArray(), durationOf(row.value(SumCol)),
                                                durationOf(row.value(MaxCol)));
    if (!histogram) {
        series->unreadable += isAskedFor ? 1 : 0;
        return;
    }
    const LatencyKey key = keyOf(row, options.slot);
    LatencyUse &use = series->uses[{key.kind, *service, prefix, key.slot}];
    (key.isGranted() ? use.granted : use.others).add(*histogram);
    if (!isAskedFor)
        return;
    series->histograms[key].add(*histogram);
    ++series->rows;
}

} // namespace lockscope
