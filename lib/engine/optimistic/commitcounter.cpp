// SPDX-License-Identifier: MIT
#include "commitcounter_p.h"

namespace lockscope::detail {

CommitCounts &CommitCounter::countsOf(const QByteArray &resource)
{
    auto &resources = m_statistics.resources;
    if (const auto known = resources.find(resource); known != resources.end())
        return known->second;
    return resources.size() < std::size_t(MaxCountedResources) ? resources[resource] : m_statistics.others;
}

void CommitCounter::count(const QByteArray &resource, CommitOutcome outcome, bool isRetry)
{
    const std::lock_guard lock(m_mutex);
    CommitCounts &counts = countsOf(resource);
    ++counts.attempts;
    if (isRetry)
        ++counts.retries;
    switch (outcome) {
    case CommitOutcome::Committed:
        ++counts.commits;
        break;
    case CommitOutcome::Conflict:
        ++counts.conflicts;
        break;
    case CommitOutcome::Unknown:
    case CommitOutcome::Failed:
        ++counts.failures;
        break;
    }
}

OptimisticStatistics CommitCounter::snapshot() const
{
    const std::lock_guard lock(m_mutex);
    return m_statistics;
}

} // namespace lockscope::detail
