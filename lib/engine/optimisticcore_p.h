#pragma once

#include "commitcounter_p.h"
#include "enginecore_p.h"
#include "versionrows_p.h"

namespace lockscope::detail {

/// What copies of one OptimisticStore share. Thread: any.
class OptimisticCore
{
public:
    OptimisticCore(std::shared_ptr<EngineCore> engine, const VersionedTable &table);

    ReadResult read(const QByteArray &resource);
    CommitResult commit(const Snapshot &from, const ColumnValues &values);
    RunResult run(const QByteArray &resource, const OptimisticStore::Change &change, const RetryPolicy &policy);

    CommitCounter counter;

private:
    std::optional<LockError> complaintAbout(const QByteArray &resource) const;
    ReadResult readOn(Link &link, const QByteArray &resource);
    CommitResult tryCommit(const Snapshot &from, const ColumnValues &values, int tries, bool isRetry);
    CommitResult commitOn(Link &link, const VersionCommit &commit, int tries);
    std::optional<CommitResult> resolveDoubt(Link &link, const VersionCommit &commit, quint64 brokenConnection,
                                             const LockError &error);
    std::optional<RunResult> attempt(const QByteArray &resource, const OptimisticStore::Change &change,
                                     const std::stop_token &stop, RunResult *last);

    const std::shared_ptr<EngineCore> m_engine;
    const std::unique_ptr<VersionRows> m_rows;
};

/// What is wrong with a policy, before any I/O.
std::optional<LockError> complaintAboutPolicy(const RetryPolicy &policy);

/// Paces the attempts of one `run`.
class RetryPacer
{
public:
    explicit RetryPacer(const RetryPolicy &policy);

    /// Sleeps until the next attempt may begin, `attempts` having been made. An answer: there is none.
    std::optional<RunOutcome> pause(int attempts);

private:
    const RetryPolicy &m_policy;
    const LeaseClock::time_point m_end;
};

} // namespace lockscope::detail
