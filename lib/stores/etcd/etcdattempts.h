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
};

/// A call's attempts, which run beside each other in the caller's thread, over connections that serve the next call
/// too. One that is not waited for any more ends with the object, and its connection with it. Thread: one at a time.
class EtcdAttempts
{
public:
    using Clock = std::chrono::steady_clock;

    EtcdAttempts();
    ~EtcdAttempts();
    EtcdAttempts(const EtcdAttempts &) = delete;
    EtcdAttempts &operator=(const EtcdAttempts &) = delete;

    void begin(std::unique_ptr<EtcdAttempt> attempt);
    /// Runs them until one has ended, and gives that one; null: none did until then.
    std::unique_ptr<EtcdAttempt> next(Clock::time_point until);
    bool areRunning() const { return !m_running.empty(); }

private:
    std::unique_ptr<EtcdAttempt> takeEnded();

    const std::unique_ptr<CURLM, CURLMcode (*)(CURLM *)> m_multi;
    std::vector<std::unique_ptr<EtcdAttempt>> m_running; ///< first one first
};

} // namespace lockscope::detail
