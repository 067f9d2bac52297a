// SPDX-License-Identifier: MIT
#include "lockscope/once.h"

#include "engine/mysql/lostanswer_p.h"
#include "engine/unique/leasehold_p.h"
#include "session/validation_p.h"

#include <atomic>
#include <thread>

namespace lockscope {

namespace {

using namespace std::chrono_literals;
using detail::badRequest;
using Kind = LockError::Kind;

constexpr qsizetype kMaxTypeBytes = 64;
constexpr qsizetype kMaxIdBytes = 180;
/// Of one read, for what passes by itself.
constexpr int kTries = 4;
/// A record that cannot be written for this long is given up.
constexpr auto kGiveUpAfter = 10s;
constexpr auto kRetryPause = 100ms;
constexpr int kDuplicateKey = 1062;

std::optional<LockError> validatePart(const QByteArray &text, const QString &what, qsizetype most)
{
    if (text.isEmpty())
        return badRequest(QStringLiteral("The job has no %1.").arg(what));
    if (text.size() > most) {
        return badRequest(
            QStringLiteral("The job's %1 has %2 bytes; at most %3 are allowed.").arg(what).arg(text.size()).arg(most));
    }
    if (text.contains('\0'))
        return badRequest(QStringLiteral("The job's %1 contains a NUL byte.").arg(what));
    return std::nullopt;
}

std::optional<LockError> validate(const LockEngine &engine, const Job &job, const JobWork &work,
                                  const LockRequest &request)
{
    if (auto wrong = validatePart(job.type, QStringLiteral("type"), kMaxTypeBytes))
        return wrong;
    if (auto wrong = validatePart(job.id, QStringLiteral("id"), kMaxIdBytes))
        return wrong;
    if (!work)
        return badRequest(QStringLiteral("The job has no work: the function is empty."));
    if (request.mode != Mode::Unique)
        return badRequest(QStringLiteral("A job runs under a lease. Leave the request's mode at Unique."));
    return engine.validate(request);
}

LockRequest requestFor(const Job &job, const LockRequest &request)
{
    static std::atomic<quint64> next{1};
    LockRequest owned = request;
    owned.resource = jobResource(job);
    owned.ownerKey = "once " + QByteArray::number(next.fetch_add(1)); // a job must not re-enter its own lock
    return owned;
}

OnceOutcome notAcquired(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Busy:
        return OnceOutcome::Running;
    case Outcome::TimedOut:
        return OnceOutcome::TimedOut;
    case Outcome::Cancelled:
        return OnceOutcome::Cancelled;
    case Outcome::Deadlock:
        return OnceOutcome::Deadlock;
    default:
        return OnceOutcome::Failed; // also Unknown: the work did not run, which is all that matters here
    }
}

/// Of engine/done_ask. Nothing = it did not answer, or there is no record.
std::optional<OnceResult> writtenBy(const Reply &reply, quint64 token)
{
    if (!reply || reply.set(-1).rows.isEmpty())
        return std::nullopt;
    return OnceResult{.outcome = reply.value().toULongLong() == token ? OnceOutcome::Done : OnceOutcome::Lost};
}

} // namespace

namespace detail {

/// One call of once() or oneAtATime().
class JobRun
{
public:
    JobRun(const LockEngine &engine, const Job &job)
        : m_core(engine.m_core)
        , m_job(job)
    {
    }

    /// What once() remembers is in the engine's own tables.
    std::optional<LockError> validate() const
    {
        return m_core->backend->mysql() ? std::nullopt : std::optional(notWithoutMySql(QStringLiteral("once()")));
    }
    OnceResult runOnce(LockEngine &engine, const JobWork &work, const LockRequest &request);
    OnceResult runAgain(LockEngine &engine, const JobWork &work, const LockRequest &request);

private:
    Params params() const
    {
        return Params().bytes("type", m_core->config.namePrefix + m_job.type).bytes("id", m_job.id);
    }
    std::optional<OnceResult> alreadyDone();
    OnceResult record(const LeaseHold &hold);
    std::optional<OnceResult> recordOn(ReconnectingSession &link, const LeaseHold &hold);
    std::optional<OnceResult> settleDoubt(ReconnectingSession &link, quint64 token);

    const std::shared_ptr<EngineCore> m_core;
    const Job &m_job;
    quint64 m_inDoubt = 0; ///< the session that may have written the record
    std::optional<LockError> m_error;
};

/// Nothing = it was not.
std::optional<OnceResult> JobRun::alreadyDone()
{
    Reply reply;
    m_core->mysql().runQuick([&](ReconnectingSession &link) {
        for (int i = 0; i < kTries; ++i) {
            reply = link.run("engine/done_ask", params());
            if (reply || !isTransient(*reply.error))
                return;
        }
    });
    if (!reply)
        return OnceResult{.error = reply.error};
    if (reply.set(-1).rows.isEmpty())
        return std::nullopt;
    const QVariantList &row = reply.set(-1).rows.first();
    return OnceResult{.outcome = OnceOutcome::AlreadyDone,
                      .token = row.value(0).toULongLong(),
                      .doneAt = ServerTime(Duration(row.value(1).toLongLong()))};
}

OnceResult JobRun::runOnce(LockEngine &engine, const JobWork &work, const LockRequest &request)
{
    LockRequest asked = request;
    if (auto unready = m_core->waitUntilReady(asked))
        return {.outcome = notAcquired(unready->outcome), .error = std::move(unready->error)};
    if (auto answer = alreadyDone())
        return std::move(*answer);
    AcquireResult got = engine.acquire(asked);
    if (got.outcome != Outcome::Granted)
        return {.outcome = notAcquired(got.outcome), .error = std::move(got.error)};
    LockHandle handle = std::move(got.handle); // gone with this scope, also when `work` throws
    if (auto answer = alreadyDone())
        return std::move(*answer);
    const auto hold = std::static_pointer_cast<LeaseHold>(handle.m_hold); // `work` may move the handle away
    if (!work(handle))
        return {.outcome = OnceOutcome::NotDone, .hasRun = true, .token = hold->token};
    OnceResult result = record(*hold);
    result.hasRun = true;
    result.token = hold->token;
    return result;
}

OnceResult JobRun::runAgain(LockEngine &engine, const JobWork &work, const LockRequest &request)
{
    AcquireResult got = engine.acquire(request);
    if (got.outcome != Outcome::Granted)
        return {.outcome = notAcquired(got.outcome), .error = std::move(got.error)};
    LockHandle handle = std::move(got.handle); // gone with this scope, also when `work` throws
    OnceResult result{.outcome = OnceOutcome::NotDone, .hasRun = true, .token = handle.token()};
    if (work(handle)) {
        const bool isHeld = handle.isHeld();
        const bool isOurs = handle.release() != ReleaseOutcome::NotHeld && isHeld;
        result.outcome = isOurs ? OnceOutcome::Done : OnceOutcome::Lost;
    }
    return result;
}

OnceResult JobRun::record(const LeaseHold &hold)
{
    const auto giveUpAt = LeaseClock::now() + kGiveUpAfter;
    for (;;) {
        std::optional<OnceResult> answer;
        m_core->mysql().runQuick([&](ReconnectingSession &link) { answer = recordOn(link, hold); });
        if (answer)
            return std::move(*answer);
        if (LeaseClock::now() >= giveUpAt)
            return {.outcome = m_inDoubt ? OnceOutcome::Unknown : OnceOutcome::Failed, .error = m_error};
        std::this_thread::sleep_for(kRetryPause);
    }
}

/// Nothing = try again.
std::optional<OnceResult> JobRun::recordOn(ReconnectingSession &link, const LeaseHold &hold)
{
    LockError cannotOpen;
    if (!link.session(&cannotOpen)) {
        m_error = cannotOpen;
        return std::nullopt;
    }
    if (m_inDoubt) {
        auto answer = settleDoubt(link, hold.token);
        if (answer || m_inDoubt)
            return answer;
    }
    const quint64 session = link.sessionNumber();
    const Reply reply = link.run("engine/done_record",
                                 params()
                                     .bytes("owner", hold.owner)
                                     .bytes("resource", hold.resource)
                                     .number("slot", qint64(0))
                                     .number("token", hold.token)
                                     .lockName("presence", hold.presence())
                                     .lockName("former", hold.former()));
    if (reply)
        return OnceResult{.outcome = reply.set(0).affected == 1 ? OnceOutcome::Done : OnceOutcome::Lost};
    m_error = reply.error;
    if (reply.error->code == kDuplicateKey) // this session said so: it is not in doubt
        return writtenBy(link.run("engine/done_ask", params()), hold.token);
    if (reply.error->kind == Kind::ConnectionLost)
        m_inDoubt = session;
    else if (!isTransient(*reply.error) && reply.error->kind != Kind::Unavailable)
        return OnceResult{.error = reply.error};
    return std::nullopt;
}

/// Was the record written before the connection broke? Nothing and no doubt any more = it was not, and will not be.
std::optional<OnceResult> JobRun::settleDoubt(ReconnectingSession &link, quint64 token)
{
    Reply reply;
    const Fate fate = askAfterLostAnswer(*m_core, link, m_inDoubt, [&] {
        reply = link.run("engine/done_ask", params());
        return !reply ? Fate::Unknown : reply.set(-1).rows.isEmpty() ? Fate::NotDone : Fate::Done;
    });
    if (fate != Fate::Unknown)
        m_inDoubt = 0;
    return fate == Fate::Done ? writtenBy(reply, token) : std::nullopt;
}

} // namespace detail

OnceResult once(LockEngine &engine, const Job &job, const JobWork &work, const LockRequest &request)
{
    const LockRequest owned = requestFor(job, request);
    if (auto wrong = validate(engine, job, work, owned))
        return {.error = std::move(wrong)};
    detail::JobRun run(engine, job);
    if (auto refused = run.validate())
        return {.error = std::move(refused)};
    return run.runOnce(engine, work, owned);
}

OnceResult oneAtATime(LockEngine &engine, const Job &job, const JobWork &work, const LockRequest &request)
{
    const LockRequest owned = requestFor(job, request);
    if (auto wrong = validate(engine, job, work, owned))
        return {.error = std::move(wrong)};
    return detail::JobRun(engine, job).runAgain(engine, work, owned);
}

QByteArray jobResource(const Job &job)
{
    const QByteArray length = job.type.contains(':') ? '=' + QByteArray::number(job.type.size()) : QByteArray();
    return "once" + length + ':' + job.type + ':' + job.id;
}

} // namespace lockscope
