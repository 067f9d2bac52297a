// SPDX-License-Identifier: MIT
#pragma once

#include "latencypicture.h"

namespace lockscope {

/// A period that moves: what was read stays, and only what is new is read.
class LatencyWindow
{
public:
    /// Another question: forget everything.
    void clear();
    /// Brings the series to [from, to). Both only ever move forward until `clear`.
    std::optional<LockError> moveTo(LatencyReader &reader, const LatencyQuestion &question, ServerTime from,
                                    ServerTime to);
    const LatencySeries &series() const { return m_series; }

private:
    void replaceFrom(ServerTime first, LatencySeries fresh);

    LatencySeries m_series;
    std::optional<ServerTime> m_readUpTo;
};

/// What the server counts, as rates between two reads.
class WaitSampler
{
public:
    /// A gap of more than this is not averaged over: nobody looked.
    static constexpr std::chrono::seconds LongestGap{30};

    std::optional<LockError> sample(Session &session, ServerTime now);
    /// Oldest first; the last 24 hours.
    const std::vector<WaitSample> &samples() const { return m_samples; }
    std::optional<ServerTime> serverStart() const { return m_serverStart; }

private:
    struct Counters
    {
        ServerTime at{};
        qint64 waits = 0;
        qint64 milliseconds = 0;
        qint64 current = 0;
        qint64 uptime = 0;
        qint64 retries = 0;
    };
    void add(const Counters &now);

    std::optional<Counters> m_last;
    std::vector<WaitSample> m_samples;
    std::optional<ServerTime> m_serverStart;
};

} // namespace lockscope
