// SPDX-License-Identifier: MIT
#include "worker.h"

#include <QtSql/QSqlDatabase>

#include <thread>

using namespace std::chrono_literals;

namespace lockscope::faults {

namespace {

constexpr Duration kLongestWait = 10s;
constexpr Duration kLongestRest = 30ms; ///< between two requests
/// A wake-up that is lost shows itself by the time that passes until the lease's end, so some last for long.
constexpr int kLongTtlOneIn = 3;
constexpr int kLongTtlFactor = 4;
/// After an answer that a server at work does not give.
constexpr auto kAfterFailure = 100ms;

Kind writeKind(Answer written)
{
    return written == Answer::Yes ? Kind::Wrote : written == Answer::No ? Kind::Refused : Kind::Maybe;
}

Kind releaseKind(ReleaseOutcome outcome)
{
    switch (outcome) {
    case ReleaseOutcome::Released:
        return Kind::Released;
    case ReleaseOutcome::NotHeld:
        return Kind::Gone;
    default:
        return Kind::Unsure;
    }
}

} // namespace

Worker::Worker(WorkerProcess &process, int thread)
    : m_process(process)
    , m_store(process.target, process.plan.isFenced)
    , m_guarded(process.engine, storeTable())
    , m_own(process.engine)
{
    std::seed_seq seed{quint32(process.plan.seed), quint32(process.plan.seed >> 32), quint32(process.number),
                       quint32(thread)};
    m_random.seed(seed);
}

void Worker::tell(Kind kind, const Turn &turn, qint64 value)
{
    m_process.events.add({Event::now(), kind, m_process.number, turn.request, turn.resource, turn.token, value});
}

qint64 Worker::upTo(qint64 most)
{
    return std::uniform_int_distribution<qint64>(0, most)(m_random);
}

void Worker::pause(Duration longest)
{
    std::this_thread::sleep_for(Duration(upTo(longest.count())));
}

Worker::Turn Worker::nextTurn()
{
    Turn turn;
    turn.request = ++m_process.requests;
    turn.resource = int(upTo(m_process.plan.resources - 1));
    turn.ttl = m_process.plan.ttl;
    if (m_process.plan.way == Way::Unique && upTo(kLongTtlOneIn - 1) == 0)
        turn.ttl *= kLongTtlFactor;
    return turn;
}

/// Most are patient, some give up while they wait, a few only try.
Duration Worker::nextWait()
{
    const qint64 choice = upTo(9);
    if (choice == 0)
        return Duration::zero();
    return choice < 3 ? Duration(500ms) + Duration(upTo(kLongestWait.count() / 20)) : kLongestWait;
}

void Worker::run(const std::stop_token &stop)
{
    while (!stop.stop_requested()) {
        if (m_process.plan.way == Way::Optimistic)
            commitTurn(stop);
        else
            holdTurn(stop);
        pause(kLongestRest);
    }
}

LockRequest Worker::requestFor(const Turn &turn, Duration wait, const std::stop_token &stop) const
{
    LockRequest request;
    request.resource = resourceName(turn.resource);
    request.ttl = turn.ttl;
    request.wait = wait;
    request.ownerKey = writerName(m_process.number, turn.request); // so that the server tells whose it is
    request.stop = stop;
    if (m_process.plan.way == Way::Pessimistic) {
        request.mode = Mode::Pessimistic;
        request.wantsToken = true;
    }
    return request;
}

void Worker::holdTurn(const std::stop_token &stop)
{
    Turn turn = nextTurn();
    const Duration wait = nextWait();
    tell(Kind::Ask, turn, wait.count());
    AcquireResult result = m_process.engine.acquire(requestFor(turn, wait, stop));
    if (result.outcome != Outcome::Granted) {
        tell(result.outcome == Outcome::Unknown ? Kind::Doubt : Kind::Missed, turn);
        if (result.error)
            std::this_thread::sleep_for(kAfterFailure);
        return;
    }
    turn.token = result.handle.token();
    tellDeadline(Kind::Got, turn, result.handle);
    bool isPending = false;
    if (m_process.plan.way == Way::Pessimistic)
        isPending = workOnRow(turn, result.handle);
    else
        workOnLease(turn, result.handle);
    release(turn, result.handle, isPending);
}

/// The clock is read first: this process may be frozen at any of these lines.
void Worker::tellDeadline(Kind kind, const Turn &turn, const LockHandle &handle)
{
    const qint64 now = Event::now();
    const Duration left = handle.remaining();
    const bool hasDeadline = m_process.plan.way == Way::Unique && left > Duration::zero();
    tell(kind, turn, hasDeadline ? now + left.count() : 0);
}

void Worker::workOnLease(const Turn &turn, const LockHandle &handle)
{
    const auto think = [&] {
        pause(m_process.plan.think);
        tellDeadline(Kind::Holds, turn, handle);
        tell(Kind::Write, turn);
    };
    const QByteArray writer = writerName(m_process.number, turn.request);
    Answer written = Answer::No;
    if (m_process.plan.isFenced && upTo(3) == 0) {
        bool wasInvoked = false;
        written = m_store.readAndWrite(turn.resource, turn.token, writer, [&] {
            think();
            wasInvoked = true;
        });
        if (!wasInvoked)
            return;
    } else {
        const auto sum = m_store.read(turn.resource, turn.token);
        if (!sum)
            return;
        think();
        written = m_store.write(turn.resource, turn.token, *sum, writer);
    }
    tell(writeKind(written), turn);
}

/// True: it has written, and what it wrote is there when the release is done.
bool Worker::workOnRow(const Turn &turn, LockHandle &handle)
{
    std::optional<qint64> sum;
    const auto unread = handle.inTransaction([&](QSqlDatabase &database) { sum = readSum(database, turn.resource); });
    if (unread || !sum)
        return false;
    pause(m_process.plan.think);
    tell(Kind::Write, turn);
    bool isWritten = false;
    const auto undone = handle.inTransaction([&](QSqlDatabase &database) {
        isWritten = writeSum(database, turn.resource, turn.token, *sum, writerName(m_process.number, turn.request));
    });
    if (!undone && isWritten)
        return true;
    tell(Kind::Refused, turn);
    return false;
}

/// `isPending`: there is a write for it to commit.
void Worker::release(const Turn &turn, LockHandle &handle, bool isPending)
{
    tell(Kind::Release, turn);
    const Kind kind = releaseKind(handle.release());
    tell(kind, turn);
    if (isPending)
        tell(writeKind(kind == Kind::Released ? Answer::Yes : kind == Kind::Gone ? Answer::No : Answer::Unknown), turn);
}

/// Resources behind those of the store are of the engine's own table, where nothing is written but a version.
void Worker::commitTurn(const std::stop_token &stop)
{
    Turn turn = nextTurn();
    const bool isGuarded = upTo(1) == 0;
    if (!isGuarded)
        turn.resource += m_process.plan.resources;
    RetryPolicy policy;
    policy.maxAttempts = 1000;
    policy.timeLimit = kLongestWait;
    policy.stop = stop;
    tell(Kind::Ask, turn, policy.timeLimit.count());
    const RunResult result = commit(turn, isGuarded, policy);
    const bool isCommitted = result.outcome == RunOutcome::Committed;
    const bool isKnown = result.outcome != RunOutcome::Unknown;
    turn.token = isCommitted ? quint64(result.committed.version) : 0;
    tell(isCommitted ? Kind::Got : isKnown ? Kind::Missed : Kind::Doubt, turn);
    if (isGuarded)
        tell(writeKind(isCommitted ? Answer::Yes : isKnown ? Answer::No : Answer::Unknown), turn);
    if (result.error)
        std::this_thread::sleep_for(kAfterFailure);
}

RunResult Worker::commit(const Turn &turn, bool isGuarded, const RetryPolicy &policy)
{
    OptimisticStore &store = isGuarded ? m_guarded : m_own;
    if (isGuarded)
        tell(Kind::Write, turn);
    return store.run(
        resourceName(turn.resource),
        [&](const Snapshot &now) -> std::optional<ColumnValues> {
            pause(m_process.plan.think);
            if (!isGuarded)
                return ColumnValues();
            return ColumnValues{{QStringLiteral("total"), now.values.value(0).toLongLong() + 1},
                                {QStringLiteral("writer"), writerName(m_process.number, turn.request)}};
        },
        policy);
}

} // namespace lockscope::faults
