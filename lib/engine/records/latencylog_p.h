// SPDX-License-Identifier: MIT
#pragma once

#include "histogram.h"
#include "lockscope/lockerror.h"
#include "lockscope/measurement.h"
#include "lockscope/owner.h"
#include "session/reconnectingsession.h"

#include <array>
#include <atomic>
#include <map>

namespace lockscope::detail {

/// An engine's measurements: histograms by mode and ending, and their way into `lock_latency`.
/// Thread: `record` any; the rest one at a time (the service thread).
class LatencyLog
{
public:
    /// Without `isOn` nothing is recorded and nothing written.
    LatencyLog(bool isOn, const Owner &owner, QByteArray prefix = {});
    ~LatencyLog();
    LatencyLog(const LatencyLog &) = delete;
    LatencyLog &operator=(const LatencyLog &) = delete;

    /// Waits for nobody. Cost: some ten nanoseconds.
    void record(MeasuredMode mode, Ending ending, Duration duration);

    /// Writes what was recorded since the last time, in one statement; nothing is sent when there is nothing. After an
    /// error it is kept and goes with the next call, as the sum of both.
    std::optional<LockError> flush(ReconnectingSession &link);
    /// How long to wait before the next flush; more after errors.
    Duration pause() const;

private:
    static constexpr int kEndings = int(Ending::Held) + 1;
    static constexpr int kSlots = 3 * kEndings;

    std::optional<LockError> settleDoubt(ReconnectingSession &link);
    void takeIn();
    std::optional<LockError> send(ReconnectingSession &link);
    Params rowParams(int slot, const Histogram &histogram) const;

    const bool m_isOn;
    const QByteArray m_owner; // JSON, without a thread
    const QByteArray m_prefix;
    /// Made when first used: few of the combinations ever are.
    std::array<std::atomic<AtomicHistogram *>, kSlots> m_recorders{};

    // The service thread's.
    std::map<int, Histogram> m_pending; // by slot
    std::chrono::steady_clock::time_point m_since;
    Duration m_period = Duration::zero(); ///< that m_pending was counted over
    quint64 m_batch = 1;
    bool m_isInDoubt = false; ///< the connection broke before the answer: m_pending may have arrived
    int m_failures = 0;       ///< in a row
};

} // namespace lockscope::detail
