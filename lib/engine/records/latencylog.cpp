// SPDX-License-Identifier: MIT
#include "latencylog_p.h"

#include "lockscope/outcomes.h"

namespace lockscope {

namespace {

constexpr const char *kModes[] = {"unique", "pessimistic", "optimistic"};
constexpr const char *kEndingNames[] = {"granted", "busy",     "timed_out", "cancelled", "unknown",
                                        "failed",  "deadlock", "committed", "conflict",  ""};

} // namespace

const char *nameOf(MeasuredMode mode)
{
    return kModes[int(mode)];
}

const char *nameOf(Ending ending)
{
    return kEndingNames[int(ending)];
}

namespace detail {

namespace {

constexpr Duration kFlushEvery = std::chrono::seconds(5);
/// After errors: measuring must not keep the service thread from renewing.
constexpr Duration kLongestPause = std::chrono::minutes(1);

static_assert(int(Outcome::Granted) == int(Ending::Granted) && int(Outcome::Busy) == int(Ending::Busy)
              && int(Outcome::TimedOut) == int(Ending::TimedOut) && int(Outcome::Cancelled) == int(Ending::Cancelled)
              && int(Outcome::Unknown) == int(Ending::Unknown) && int(Outcome::Failed) == int(Ending::Failed)
              && int(Outcome::Deadlock) == int(Ending::Deadlock));
static_assert(measuredMode(Mode::Unique) == MeasuredMode::Unique
              && measuredMode(Mode::Pessimistic) == MeasuredMode::Pessimistic);

QByteArray engineJson(Owner owner)
{
    owner.thread.clear();
    return owner.toJson();
}

} // namespace

LatencyLog::LatencyLog(bool isOn, const Owner &owner, QByteArray prefix)
    : m_isOn(isOn)
    , m_owner(engineJson(owner))
    , m_prefix(std::move(prefix))
    , m_since(std::chrono::steady_clock::now())
{
    static_assert(std::size(kEndingNames) == kEndings && std::size(kModes) * kEndings == kSlots);
}

LatencyLog::~LatencyLog()
{
    for (auto &recorder : m_recorders)
        delete recorder.load();
}

void LatencyLog::record(MeasuredMode mode, Ending ending, Duration duration)
{
    if (!m_isOn)
        return;
    auto &slot = m_recorders[std::size_t(mode) * kEndings + std::size_t(ending)];
    AtomicHistogram *recorder = slot.load(std::memory_order_acquire);
    if (!recorder) {
        auto made = std::make_unique<AtomicHistogram>();
        if (slot.compare_exchange_strong(recorder, made.get()))
            recorder = made.release();
    }
    recorder->record(duration);
}

std::optional<LockError> LatencyLog::flush(ReconnectingSession &link)
{
    auto error = settleDoubt(link);
    if (!error) {
        takeIn();
        error = m_pending.empty() ? std::nullopt : send(link);
    }
    m_failures = error ? m_failures + 1 : 0;
    return error;
}

Duration LatencyLog::pause() const
{
    return std::min(kFlushEvery * (1 << std::min(m_failures, 10)), kLongestPause);
}

/// Only a batch that is known not to have arrived may be sent again: counts must not double.
std::optional<LockError> LatencyLog::settleDoubt(ReconnectingSession &link)
{
    if (!m_isInDoubt)
        return std::nullopt;
    const Reply reply = link.run("engine/latency_ask", Params().bytes("owner", m_owner).number("batch", m_batch));
    if (!reply)
        return reply.error;
    if (reply.value().toInt() > 0) {
        m_pending.clear();
        m_period = Duration::zero();
    }
    ++m_batch;
    m_isInDoubt = false;
    return std::nullopt;
}

void LatencyLog::takeIn()
{
    const auto now = std::chrono::steady_clock::now();
    for (int slot = 0; slot < kSlots; ++slot) {
        AtomicHistogram *recorder = m_recorders[std::size_t(slot)].load(std::memory_order_acquire);
        if (!recorder)
            continue;
        if (const Histogram taken = recorder->take(); !taken.isEmpty())
            m_pending[slot].add(taken);
    }
    m_period += std::chrono::duration_cast<Duration>(now - m_since);
    m_since = now;
    if (m_pending.empty())
        m_period = Duration::zero();
}

std::optional<LockError> LatencyLog::send(ReconnectingSession &link)
{
    LockError unreachable;
    if (!link.session(&unreachable))
        return unreachable;
    QByteArray statement;
    for (const auto &[slot, histogram] : m_pending)
        statement +=
            link.render(statement.isEmpty() ? "engine/latency" : "engine/latency_row", rowParams(slot, histogram));
    const Reply reply = link.run(statement, "engine/latency");
    if (!reply) {
        m_isInDoubt = reply.error->kind == LockError::Kind::ConnectionLost;
        return reply.error;
    }
    m_pending.clear();
    m_period = Duration::zero();
    ++m_batch;
    return std::nullopt;
}

Params LatencyLog::rowParams(int slot, const Histogram &histogram) const
{
    const int ending = slot % kEndings;
    return Params()
        .microseconds("period", m_period)
        .bytes("mode", nameOf(MeasuredMode(slot / kEndings)))
        .bytes("kind", ending == int(Ending::Held) ? "hold" : "acquire")
        .bytes("outcome", nameOf(Ending(ending)))
        .bytes("owner", m_owner)
        .bytes("prefix", m_prefix)
        .number("batch", m_batch)
        .number("count", histogram.count())
        .microseconds("sum", histogram.sum())
        .microseconds("max", histogram.max())
        .bytes("buckets", histogram.toBytes());
}

} // namespace detail

} // namespace lockscope
