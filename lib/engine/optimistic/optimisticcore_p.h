// SPDX-License-Identifier: MIT
#pragma once

#include "commitcounter_p.h"
#include "engine/mysql/mysqlserver_p.h"
#include "versionrows_p.h"

namespace lockscope::detail {

/// What copies of one OptimisticStore share. Thread: any.
class OptimisticCore
{
public:
    OptimisticCore(std::shared_ptr<EngineCore> engine, const VersionedTable &table);

    ReadResult read(const QByteArray &resource);
    CommitResult commit(const Snapshot &from, const ColumnValues &values);
    RunResult run(const QByteArray &resource, const VersionChange &change, const RetryPolicy &policy);

    EngineCore &engine() const { return *m_engine; }

    CommitCounter counter;

private:
    std::optional<LockError> validate(const QByteArray &resource) const;
    ReadResult readOn(ReconnectingSession &link, const QByteArray &resource);
    CommitResult tryCommit(const Snapshot &from, const ColumnValues &values, int tries, bool isRetry);
    CommitResult commitOn(ReconnectingSession &link, const VersionCommit &commit, int tries);
    std::optional<CommitResult> resolveDoubt(ReconnectingSession &link, const VersionCommit &commit,
                                             quint64 brokenSession, const LockError &error);
    std::optional<RunResult> attempt(const QByteArray &resource, const VersionChange &change,
                                     const std::stop_token &stop, RunResult *last);

    const std::shared_ptr<EngineCore> m_engine;
    const std::unique_ptr<VersionRows> m_rows;
    const qsizetype m_prefixBytes; ///< in front of names in the store
};

/// What is wrong with a policy, before any I/O.
std::optional<LockError> validatePolicy(const RetryPolicy &policy);

/// The longest delay after this many attempts: doubled from one to the next, up to the policy's bound.
Duration longestDelayAfter(const RetryPolicy &policy, int attempts);
/// Full jitter: anything from nothing to that, so that those who collided do not meet again.
Duration delayAfter(const RetryPolicy &policy, int attempts);

/// Paces the attempts of one `run`.
class RetryPacer
{
public:
    RetryPacer(EngineCore &engine, const RetryPolicy &policy);

    /// Sleeps until the next attempt may begin, `attempts` having been made, or the engine ends. An answer: there is
    /// none.
    std::optional<RunOutcome> pause(int attempts);

private:
    EngineCore &m_engine;
    const RetryPolicy &m_policy;
    const LeaseClock::time_point m_end;
};

} // namespace lockscope::detail
