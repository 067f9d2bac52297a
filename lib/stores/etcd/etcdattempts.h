// SPDX-License-Identifier: MIT
#pragma once

#include "etcdtransfer.h"

#include "lockscope/leaseclock.h"

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace lockscope::detail {

/// One call, sent to one member.
struct EtcdAttempt
{
    int member = 0;
    LeaseClock::time_point sentAt; ///< or later
    EtcdTransfer transfer;
    QByteArray answer;
    std::optional<CURLcode> code = {}; ///< once it has ended
    bool isLate = false;               ///< of an earlier call, which another member answered before
};

/// A call's attempts, which run beside each other in the caller's thread, over connections that serve the next call
/// too. One that is not waited for any more goes on beside the next call's: if it were ended, libcurl would close its
/// connection, and whoever was slow because that was new would be slow again. Thread: one at a time.
class EtcdAttempts
{
public:
    using Clock = std::chrono::steady_clock;

    EtcdAttempts();
    ~EtcdAttempts();
    EtcdAttempts(const EtcdAttempts &) = delete;
    EtcdAttempts &operator=(const EtcdAttempts &) = delete;

    void begin(std::unique_ptr<EtcdAttempt> attempt);
    /// Runs them until one has ended, be it a late one, and gives that one; null: none did until then.
    std::unique_ptr<EtcdAttempt> next(Clock::time_point until);
    /// Some that are not late.
    bool areRunning() const;
    /// The call is over: those that still run are late.
    void leave();
    bool hasLate() const { return !m_running.empty() && m_running.front()->isLate; }
    bool isLate(int member) const;
    /// Of late ones that were sent before `time`.
    std::vector<int> membersSilentSince(LeaseClock::time_point time) const;

private:
    std::unique_ptr<EtcdAttempt> takeEnded();

    const std::unique_ptr<CURLM, CURLMcode (*)(CURLM *)> m_multi;
    std::vector<std::unique_ptr<EtcdAttempt>> m_running; ///< first one first
};

} // namespace lockscope::detail
