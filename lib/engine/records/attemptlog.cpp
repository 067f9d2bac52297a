// SPDX-License-Identifier: MIT
#include "attemptlog_p.h"

namespace lockscope::detail {

namespace {

constexpr std::ptrdiff_t kRowsPerStatement = 250;
constexpr auto kRememberedFor = std::chrono::minutes(10);

} // namespace

void AttemptLog::count(const QByteArray &resource, CommitOutcome outcome, bool isRetry)
{
    if (outcome != CommitOutcome::Committed && outcome != CommitOutcome::Conflict)
        return;
    const std::lock_guard lock(m_mutex);
    auto found = m_counts.find(resource);
    if (found == m_counts.end()) {
        if (m_counts.size() >= std::size_t(MaxCountedResources))
            return;
        found = m_counts.emplace(resource, Counts()).first;
    }
    Counts &counts = found->second;
    ++(outcome == CommitOutcome::Committed ? counts.commits : counts.conflicts);
    if (isRetry)
        ++counts.retries;
}

/// What there is to write, in the order of the key; forgets names that nobody uses any more.
std::vector<AttemptLog::Entry> AttemptLog::collect()
{
    const auto now = Clock::now();
    std::vector<Entry> changed;
    const std::lock_guard lock(m_mutex);
    for (auto entry = m_counts.begin(); entry != m_counts.end();) {
        const bool isIdle = entry->second.isEmpty();
        if (isIdle && now - entry->second.usedAt > kRememberedFor) {
            entry = m_counts.erase(entry);
            continue;
        }
        if (!isIdle) {
            entry->second.usedAt = now;
            changed.emplace_back(*entry);
        }
        ++entry;
    }
    return changed;
}

/// What was counted while the statement ran stays.
void AttemptLog::settle(const Entry *first, const Entry *last)
{
    const std::lock_guard lock(m_mutex);
    for (const Entry *entry = first; entry != last; ++entry) {
        Counts &left = m_counts[entry->first];
        left.commits -= entry->second.commits;
        left.conflicts -= entry->second.conflicts;
        left.retries -= entry->second.retries;
    }
}

std::optional<LockError> AttemptLog::flush(ReconnectingSession &link)
{
    const std::vector<Entry> changed = collect();
    const Entry *const end = changed.data() + changed.size();
    for (const Entry *first = changed.data(); first != end;) {
        const Entry *const last = first + std::min(kRowsPerStatement, end - first);
        LockError unreachable;
        if (!link.session(&unreachable))
            return unreachable;
        QByteArray statement = link.render("engine/attempt", Params());
        for (const Entry *entry = first; entry != last; ++entry) {
            statement += (entry == first ? " " : ", ")
                + link.render("engine/attempt_row",
                              Params()
                                  .bytes("resource", entry->first)
                                  .number("commits", entry->second.commits)
                                  .number("conflicts", entry->second.conflicts)
                                  .number("retries", entry->second.retries));
        }
        const Reply reply = link.run(statement + ' ' + link.render("engine/attempt_add", Params()), "engine/attempt");
        if (reply || reply.error->kind == LockError::Kind::ConnectionLost)
            settle(first, last);
        if (!reply)
            return reply.error;
        first = last;
    }
    return std::nullopt;
}

} // namespace lockscope::detail
