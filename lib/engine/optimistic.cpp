// SPDX-License-Identifier: MIT
#include "lockscope/optimistic.h"

#include "engine/core/asyncwork_p.h"
#include "engine/mysql/lostanswer_p.h"
#include "engine/optimistic/optimisticcore_p.h"

#include <QtCore/QRandomGenerator>

namespace lockscope {

namespace detail {

namespace {

using Kind = LockError::Kind;

/// Of one call, for what passes by itself: a row lock of somebody else, a connection closed for idleness.
constexpr int kTries = 4;

Ending endingOf(CommitOutcome outcome)
{
    switch (outcome) {
    case CommitOutcome::Committed:
        return Ending::Committed;
    case CommitOutcome::Conflict:
        return Ending::Conflict;
    case CommitOutcome::Unknown:
        return Ending::Unknown;
    case CommitOutcome::Failed:
        break;
    }
    return Ending::Failed;
}

QByteArray randomId()
{
    const quint64 bits = QRandomGenerator::system()->generate64();
    return QByteArray(reinterpret_cast<const char *>(&bits), sizeof bits);
}

} // namespace

OptimisticCore::OptimisticCore(std::shared_ptr<EngineCore> engine, const VersionedTable &table)
    : m_engine(std::move(engine))
    , m_rows(versionRowsOf(table, m_engine->config))
    , m_prefixBytes(table == VersionedTable() ? m_engine->config.namePrefix.size() : 0)
{
}

std::optional<LockError> OptimisticCore::validate(const QByteArray &resource) const
{
    if (auto refused = m_engine->validateProcess()) // before anything that another thread of the parent may lock
        return refused;
    if (m_engine->isClosing())
        return badRequest(QStringLiteral("The engine of this store has ended; make both anew."));
    if (!m_engine->backend->mysql())
        return notWithoutMySql(QStringLiteral("Optimistic mode"));
    auto wrong = m_rows->validationError();
    return wrong ? wrong : validateResource(resource, m_prefixBytes);
}

ReadResult OptimisticCore::read(const QByteArray &resource)
{
    auto refused = validate(resource);
    if (!refused)
        refused = m_engine->ensureReady();
    if (refused)
        return {ReadOutcome::Failed, {}, std::move(refused)};
    ReadResult result;
    m_engine->mysql().runQuick([&](ReconnectingSession &link) {
        for (int i = 0; i < kTries; ++i) {
            result = readOn(link, resource);
            if (!result.error || !isTransient(*result.error))
                return;
        }
    });
    return result;
}

ReadResult OptimisticCore::readOn(ReconnectingSession &link, const QByteArray &resource)
{
    auto refused = m_rows->prepare(link);
    if (!refused)
        refused = m_rows->validate(resource);
    if (refused)
        return {ReadOutcome::Failed, {}, std::move(refused)};
    return m_rows->read(link, resource);
}

CommitResult OptimisticCore::commit(const Snapshot &from, const ColumnValues &values)
{
    return tryCommit(from, values, kTries, false);
}

/// Counts everything but what was refused as a bad request: that was no attempt.
CommitResult OptimisticCore::tryCommit(const Snapshot &from, const ColumnValues &values, int tries, bool isRetry)
{
    auto wrong = validate(from.resource);
    if (!wrong)
        wrong = m_rows->validate(values);
    if (wrong)
        return {CommitOutcome::Failed, {}, std::move(wrong)};
    const auto begin = LeaseClock::now();
    CommitResult result;
    result.error = m_engine->ensureReady();
    if (result.error && result.error->kind == Kind::BadRequest)
        return result;
    if (!result.error) {
        const VersionCommit commit{from, values, randomId()};
        m_engine->mysql().runQuick([&](ReconnectingSession &link) { result = commitOn(link, commit, tries); });
    }
    counter.count(from.resource, result.outcome, isRetry);
    const QByteArray name = m_rows->countedAs(from.resource);
    m_engine->measured(MeasuredMode::Optimistic, endingOf(result.outcome), name,
                       std::chrono::round<Duration>(LeaseClock::now() - begin));
    if (m_engine->config.measuresLatency)
        m_engine->mysql().attempts.count(name, result.outcome, isRetry);
    return result;
}

CommitResult OptimisticCore::commitOn(ReconnectingSession &link, const VersionCommit &commit, int tries)
{
    std::optional<LockError> error;
    for (int i = 0; i < tries; ++i) {
        LockError cannotOpen;
        if (!link.session(&cannotOpen))
            return {CommitOutcome::Failed, {}, cannotOpen};
        error = m_rows->prepare(link);
        if (!error)
            error = m_rows->validate(commit.from.resource);
        if (!error) {
            const quint64 session = link.sessionNumber();
            const Reply reply = m_rows->send(link, commit);
            if (reply && reply.set(0).affected > 0)
                return {CommitOutcome::Committed, m_rows->after(commit, reply.set(0).insertId), {}};
            if (reply)
                return {CommitOutcome::Conflict, {}, {}};
            error = reply.error;
            if (error->kind == Kind::ConnectionLost) {
                if (auto answer = resolveDoubt(link, commit, session, *error))
                    return std::move(*answer);
            }
        }
        if (!isTransient(*error))
            break;
    }
    return {CommitOutcome::Failed, {}, error};
}

/// The connection broke: has the commit been carried out? Nothing = it was not, and will not be.
std::optional<CommitResult> OptimisticCore::resolveDoubt(ReconnectingSession &link, const VersionCommit &commit,
                                                         quint64 brokenSession, const LockError &error)
{
    using Found = VersionRows::Fate;
    Found found = Found::NoAnswer;
    const Fate fate = fateAfterLostAnswer(*m_engine, link, brokenSession, [&] {
        found = m_rows->fateOf(link, commit);
        return found == Found::NoAnswer ? Fate::Unknown : found == Found::Done ? Fate::Done : Fate::NotDone;
    });
    if (fate == Fate::Done)
        return CommitResult{CommitOutcome::Committed, m_rows->after(commit, 0), {}};
    if (fate == Fate::NotDone && found == Found::NotDone)
        return std::nullopt;
    if (fate == Fate::NotDone && found == Found::Overtaken)
        return CommitResult{CommitOutcome::Conflict, {}, {}};
    return CommitResult{CommitOutcome::Unknown, {}, error};
}

RunResult OptimisticCore::run(const QByteArray &resource, const VersionChange &change, const RetryPolicy &policy)
{
    RunResult last;
    last.error = validatePolicy(policy);
    if (!last.error && !change)
        last.error = badRequest(QStringLiteral("The function of OptimisticStore::run is empty."));
    if (last.error)
        return last;
    RetryPacer pacer(*m_engine, policy);
    for (;;) {
        if (auto answer = attempt(resource, change, policy.stop, &last))
            return std::move(*answer);
        if (const auto over = pacer.pause(last.attempts)) {
            last.outcome = *over;
            return last;
        }
    }
}

/// Nothing = a conflict, or an error that passes: go on. `last` keeps what is to be told if that is not possible.
std::optional<RunResult> OptimisticCore::attempt(const QByteArray &resource, const VersionChange &change,
                                                 const std::stop_token &stop, RunResult *last)
{
    const auto end = [last](RunOutcome outcome, std::optional<LockError> error = {}) {
        return RunResult{outcome, last->attempts, {}, std::move(error)};
    };
    if (stop.stop_requested())
        return end(RunOutcome::Cancelled);
    ReadResult read = this->read(resource);
    if (read.outcome != ReadOutcome::Read)
        return end(read.outcome == ReadOutcome::NotFound ? RunOutcome::NotFound : RunOutcome::Failed, read.error);
    const auto values = change(read.snapshot);
    if (!values)
        return end(RunOutcome::Abandoned);
    if (stop.stop_requested())
        return end(RunOutcome::Cancelled);
    CommitResult result = tryCommit(read.snapshot, *values, 1, last->attempts > 0);
    ++last->attempts;
    switch (result.outcome) {
    case CommitOutcome::Committed:
        return RunResult{RunOutcome::Committed, last->attempts, std::move(result.committed), {}};
    case CommitOutcome::Unknown:
        return end(RunOutcome::Unknown, result.error);
    case CommitOutcome::Failed:
        if (!isTransient(*result.error))
            return end(RunOutcome::Failed, result.error);
        break;
    case CommitOutcome::Conflict:
        break;
    }
    last->error = std::move(result.error);
    return std::nullopt;
}

} // namespace detail

OptimisticStore::OptimisticStore(const LockEngine &engine, const VersionedTable &table)
    : m_core(std::make_shared<detail::OptimisticCore>(engine.m_core, table))
{
}

ReadResult OptimisticStore::read(const QByteArray &resource)
{
    return m_core->read(resource);
}

CommitResult OptimisticStore::commit(const Snapshot &from, const ColumnValues &values)
{
    return m_core->commit(from, values);
}

RunResult OptimisticStore::run(const QByteArray &resource, const Change &change, const RetryPolicy &policy)
{
    return m_core->run(resource, change, policy);
}

QFuture<RunResult> OptimisticStore::runAsync(const QByteArray &resource, const Change &change,
                                             const RetryPolicy &policy)
{
    return detail::startAsync(
        m_core->engine(), [core = m_core, resource, change, policy] { return core->run(resource, change, policy); });
}

OptimisticStatistics OptimisticStore::statistics() const
{
    return m_core->counter.snapshot();
}

} // namespace lockscope
