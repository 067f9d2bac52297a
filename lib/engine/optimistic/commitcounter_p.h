// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/versions.h"

#include <mutex>

namespace lockscope::detail {

/// Counts commits by resource, in memory only. Thread: any.
class CommitCounter
{
public:
    void count(const QByteArray &resource, CommitOutcome outcome, bool isRetry);
    OptimisticStatistics snapshot() const;

private:
    CommitCounts &countsOf(const QByteArray &resource);

    mutable std::mutex m_mutex; // protects the member below
    OptimisticStatistics m_statistics;
};

} // namespace lockscope::detail
