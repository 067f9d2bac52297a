// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockengine.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>

namespace lockscope::test {

/// The news that a lock is lost. Thread: any.
class LossNews
{
public:
    void tell(LossReason reason);
    /// Waits for them: "expired", "taken over", …
    std::string wait();
    int count();

private:
    std::mutex m_mutex;
    std::condition_variable m_told;
    std::optional<LossReason> m_reason;
    int m_count = 0;
};

/// What a process that holds locks for a test answers: "granted 7", "timed out", "failed disk full"; "not held".
std::string outcomeText(const AcquireResult &result);
std::string outcomeText(ReleaseOutcome outcome);
/// The kind alone; for those that no test provokes the whole error.
std::string kindText(const std::optional<LockError> &error);

} // namespace lockscope::test
