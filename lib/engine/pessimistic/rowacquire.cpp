// SPDX-License-Identifier: MIT
#include "rowacquire_p.h"

#include "engine/core/watchdog_p.h"
#include "rowhold_p.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QtEndian>

#include <algorithm>

namespace lockscope::detail {

namespace {

using namespace std::chrono_literals;
using Kind = LockError::Kind;

/// Connections that may break under one request before it gives up: a killed one costs a reconnect, no more.
constexpr int kMaxBroken = 3;
/// Of the server's own limit for row locks, in seconds: a wait has its limit in its statement, a try is not to wait.
constexpr qint64 kLongestRowWait = 100'000'000;
constexpr qint64 kShortestRowWait = 1;
/// A budget up to this is a try: as a limit of the statement it could end before a free row was looked at.
constexpr Duration kTryOnly = 1ms;
/// A waiter asks this often whether the server is at work on its request, and gives up when it is not this many times
/// running.
constexpr Duration kPollEvery = 5s;
constexpr int kIdlePolls = 3;
constexpr Duration kLastChance = 1s;

} // namespace

QByteArray stripeOf(const QByteArray &resource, int stripes)
{
    const QByteArray digest = QCryptographicHash::hash(resource, QCryptographicHash::Sha256);
    const auto number = qFromBigEndian<quint64>(digest.constData()) % quint64(stripes);
    return "stripe " + QByteArray::number(number) + " of " + QByteArray::number(stripes);
}

AcquireResult acquireRow(const std::shared_ptr<EngineCore> &core, const LockRequest &request, const QByteArray &owner,
                         const QList<QByteArray> &rows)
{
    const auto budgetEnd = WaitControl::endOf(request.wait);
    std::shared_ptr<RowAcquire> before;
    for (int cutOff = 0;; ++cutOff) {
        const auto one = std::make_shared<RowAcquire>(core, request, owner, rows, budgetEnd);
        core->addWait(one->control());
        if (before) // not earlier: the engine's end waits for this request
            core->removeWait(before->control());
        AcquireResult result = one->run(before ? before->thread() : nullptr);
        if (!one->isCutOff() || cutOff == kMaxBroken) {
            one->writeOffLeftThread();
            core->removeWait(one->control());
            return result;
        }
        before = one;
    }
}

RowAcquire::RowAcquire(std::shared_ptr<EngineCore> core, const LockRequest &request, QByteArray owner,
                       QList<QByteArray> rows, WaitControl::Clock::time_point budgetEnd)
    : m_core(std::move(core))
    , m_request(request)
    , m_owner(std::move(owner))
    , m_rows(std::move(rows))
    , m_rowsMayBeMissing(m_rows.size() > 1)
    , m_control(std::make_shared<WaitControl>(m_core->mysql().keeper.thread(), budgetEnd))
    , m_waits(request.wait > kTryOnly)
    , m_sight(std::make_shared<std::atomic<Sight>>(Sight::None))
{
}

AcquireResult RowAcquire::run(const ConnectionThread *insteadOf)
{
    if (m_control->isCancelled()) // the engine ends
        return {Outcome::Cancelled, {}, {}};
    m_thread = m_core->mysql().pool.lend(insteadOf);
    if (!m_thread) {
        LockError limit;
        limit.kind = Kind::LimitReached;
        limit.message =
            QStringLiteral("All connections of this engine hold row locks or wait; each such lock needs one. "
                           "Raise maxConnections (now %1), of which half are for this.")
                .arg(m_core->config.maxConnections);
        return {Outcome::Failed, {}, limit};
    }
    if (m_waits)
        m_control->watchBudget(m_core->timer);
    AcquireResult result;
    {
        const std::stop_callback onStop(m_request.stop, [this] { m_control->cancel(); });
        result = acquire();
    }
    if (result.outcome == Outcome::Busy && m_request.wait > Duration::zero()) // a try, or the token's row was locked
        result.outcome = Outcome::TimedOut;
    return result;
}

AcquireResult RowAcquire::acquire()
{
    // Waiting while holding something is announced, which costs two commits; a row that is free needs none of that.
    if (m_waits && m_core->holdsAnything(m_request.ownerKey)) {
        m_waits = false;
        AcquireResult result = inThread();
        if (result.outcome != Outcome::Busy)
            return result;
        m_waits = true;
    }
    if (!m_waits)
        return inThread();
    m_detector = std::make_shared<DeadlockDetector>(*m_core, m_request, m_owner, m_control);
    auto refused = m_detector->enter();
    AcquireResult result = refused ? AcquireResult{refused->outcome, {}, std::move(refused->error)} : inThread();
    m_detector->leave();
    return result;
}

/// What the connection thread finds, unless its connection was cut without a word: the request is over and no answer
/// comes, or the server says that the session does nothing, so its answer was lost. A try is over when the server is
/// through with it.
AcquireResult RowAcquire::inThread()
{
    using Clock = WaitControl::Clock;
    auto running = m_thread->start(
        [self = shared_from_this()](ReconnectingSession &link) { self->m_result = self->onThread(link); });
    const auto begin = Clock::now(); // a thread may have been long in coming
    for (int idle = 0; idle < kIdlePolls;) {
        const auto endsAt = m_control->endsAt();
        const auto due = endsAt == Clock::time_point::max() ? endsAt : std::max(begin, endsAt) + kLongestPatience;
        const auto next = Clock::now() + kPollEvery;
        if (running.waitUntil(due > Clock::now() ? std::min(due, next) : next))
            return std::move(m_result);
        const Sight seen = look();
        const bool isTriedStill = !m_waits && seen == Sight::AtWork && !m_control->isCancelled();
        if (Clock::now() >= due && !isTriedStill)
            break;
        idle = seen == Sight::Idle ? idle + 1 : seen == Sight::AtWork ? 0 : idle;
    }
    // A process that was suspended takes the answer that is there.
    if (running.waitUntil(Clock::now() + kLastChance))
        return std::move(m_result);
    if (!m_isDecided.exchange(true))
        return leaveThread();
    running.waitUntil(Clock::time_point::max()); // it has the row, and is about to say so
    return std::move(m_result);
}

/// Asks over another connection whether the server is at work on the packet; tells what the question before has found.
RowAcquire::Sight RowAcquire::look()
{
    const Sight seen = m_sight->load();
    if (seen == Sight::Asked)
        return Sight::None;
    const quint64 number = m_control->blockedOn();
    *m_sight = number == 0 ? Sight::None : Sight::Asked;
    if (number == 0) // it is between two packets, or the answer to one that cannot block was lost
        return m_asksElsewhere ? Sight::None : Sight::Idle;
    const auto session = Params().lockName("name", m_core->mysql().markOf(number));
    m_core->mysql().service.post([sight = m_sight, session](ReconnectingSession &link) {
        const Reply known = link.run("engine/session_works", session);
        *sight = !known ? Sight::None : known.set(-1).rows.isEmpty() ? Sight::Idle : Sight::AtWork;
    });
    return seen;
}

AcquireResult RowAcquire::leaveThread()
{
    const bool isCancelled = m_control->isCancelled();
    const bool isOver = m_control->isOver();
    m_control->cancel(); // ends the session, and with it what it may have got
    m_hasLeftThread = true;
    if (isCancelled)
        return {cancelled(), {}, {}};
    if (isOver && m_request.wait > kTryOnly)
        return {Outcome::TimedOut, {}, {}};
    m_isCutOff = !isOver;
    return {Outcome::Unknown, {}, lockErrorFor(2013, {}, "engine/row_lock")};
}

void RowAcquire::writeOffLeftThread()
{
    if (m_hasLeftThread)
        m_core->mysql().pool.writeOff(*m_thread);
}

AcquireResult RowAcquire::onThread(ReconnectingSession &link)
{
    for (;;) {
        if (m_control->isCancelled())
            return {cancelled(), {}, {}};
        if (auto answer = tryOnce(link)) // also when the row had to be made first, and the budget went with it
            return std::move(*answer);
        if (m_waits && m_control->isOver() && !m_rowsMayBeMissing)
            return {Outcome::TimedOut, {}, {}};
    }
}

RowAcquire::Answer RowAcquire::tryOnce(ReconnectingSession &link)
{
    LockError error;
    if (!link.session(&error)) { // a session may be killed while it opens, too
        return error.kind == Kind::ConnectionLost ? afterError(link, error) : AcquireResult{Outcome::Failed, {}, error};
    }
    if (m_rowsMayBeMissing) {
        if (const auto refused = ensureRows(link))
            return afterError(link, *refused);
        m_rowsMayBeMissing = false;
    }
    const auto sentAt = LeaseClock::now();
    const Reply reply = send(link, packet(link), "engine/row_lock");
    return reply ? afterReply(link, reply, sentAt) : afterError(link, *reply.error);
}

/// Makes the rows that are missing. A row that is there is left alone: inserting it again would wait for its holder.
std::optional<LockError> RowAcquire::ensureRows(ReconnectingSession &link)
{
    const QByteArray ask = link.render("engine/row_known", Params().bytesList("resources", m_rows));
    const Reply known = send(link, ask, "engine/row_known");
    if (!known)
        return known.error;
    QSet<QByteArray> missing(m_rows.begin(), m_rows.end());
    for (const QVariantList &row : known.set(-1).rows)
        missing.remove(row.first().toByteArray());
    for (const QByteArray &row : std::as_const(missing)) {
        const QByteArray make = link.render("engine/row_ensure", Params().bytes("resource", row));
        const Reply made = send(link, make, "engine/row_ensure");
        if (!made && made.error->kind != Kind::Contention) // contended: another made it meanwhile, and holds it
            return made.error;
    }
    return std::nullopt;
}

QByteArray RowAcquire::packet(ReconnectingSession &link) const
{
    const auto limits = Params()
                            .number("idle", idleSeconds(m_request.ttl))
                            .number("row_wait", m_waits ? kLongestRowWait : kShortestRowWait);
    const QByteArray begin = link.render("engine/row_begin", limits) + "; ";
    auto one = Params().bytes("resource", m_rows.first());
    if (m_rows.size() == 1) {
        const QByteArray lock = m_waits ? link.render("engine/row_lock", one.number("milliseconds", millisecondsLeft()))
                                        : link.render("engine/row_try", one);
        return begin + lock + "; " + link.render("engine/row_holder", holder(link, m_rows.first()));
    }
    return begin + link.render("engine/row_any", Params().bytesList("resources", m_rows));
}

Params RowAcquire::holder(const ReconnectingSession &link, const QByteArray &row) const
{
    return Params()
        .bytes("resource", row)
        .bytes("owner", m_owner)
        .bytes("note", m_request.note)
        .lockName("presence", m_core->mysql().markOf(link.sessionNumber()));
}

/// 0 stands for no limit.
qint64 RowAcquire::millisecondsLeft() const
{
    if (m_control->budgetEnd() == WaitControl::Clock::time_point::max())
        return 0;
    const auto left = m_control->budgetEnd() - WaitControl::Clock::now();
    return std::max<qint64>(1, std::chrono::ceil<std::chrono::milliseconds>(left).count());
}

/// A kill ends the session, and with it a row that was locked in the last moment.
Reply RowAcquire::send(ReconnectingSession &link, const QByteArray &packet, const QByteArray &name)
{
    bool isKilled = false;
    Reply reply = m_control->send(link, packet, name, &isKilled);
    if (isKilled && reply)
        reply.error = lockErrorFor(1927, {}, name);
    return reply;
}

RowAcquire::Answer RowAcquire::afterReply(ReconnectingSession &link, const Reply &reply, LeaseClock::time_point sentAt)
{
    const bool isAny = m_rows.size() > 1;
    const auto &found = reply.set(isAny ? -1 : 1).rows;
    if (!found.isEmpty()) {
        const QByteArray row = found.first().value(0).toByteArray();
        if (isAny) {
            const QByteArray mark = link.render("engine/row_holder", holder(link, row));
            const Reply marked = send(link, mark, "engine/row_holder");
            if (!marked)
                return afterError(link, *marked.error);
        }
        return granted(link, row, sentAt);
    }
    link.run("engine/row_free", Params());
    if (isAny)
        return AcquireResult{Outcome::Busy, {}, {}};
    m_rowsMayBeMissing = true; // never used, or cleaned up
    return std::nullopt;
}

RowAcquire::Answer RowAcquire::afterError(ReconnectingSession &link, const LockError &error)
{
    if (error.connectionGone) {
        if (m_control->isCancelled())
            return AcquireResult{cancelled(), {}, {}};
        if (m_waits && m_control->isOver())
            return AcquireResult{Outcome::TimedOut, {}, {}};
        if (error.kind != Kind::ConnectionLost || ++m_broken > kMaxBroken)
            return AcquireResult{Outcome::Failed, {}, error};
        return std::nullopt; // what the broken session had, the server has undone
    }
    // A wait meets a limit at a table that is locked. A deadlock is no cycle of owners, for this transaction holds
    // nothing yet: whoever makes a row anew that was cleaned up has a shared lock on it first, and taking it
    // exclusively cannot overtake those who wait.
    if (error.kind == Kind::Contention)
        return m_waits ? goOn(link) : leave(link, Outcome::Busy);
    if (error.kind == Kind::Interrupted)
        return m_control->isCancelled() ? leave(link, cancelled()) : goOn(link); // a stranger's KILL QUERY, or its time
    return leave(link, Outcome::Failed, error);
}

/// Ends what the packet began; the loop sees whether there is time for another.
RowAcquire::Answer RowAcquire::goOn(ReconnectingSession &link)
{
    if (!link.run("engine/row_free", Params()))
        link.drop();
    return std::nullopt;
}

AcquireResult RowAcquire::leave(ReconnectingSession &link, Outcome outcome, std::optional<LockError> error)
{
    if (!link.run("engine/row_free", Params()))
        link.drop();
    return {outcome, {}, std::move(error)};
}

/// Whether the session still has what it was granted.
std::optional<LockError> RowAcquire::check(ReconnectingSession &link)
{
    return send(link, link.render("engine/row_check", {}), "engine/row_check").error;
}

/// Over another connection, which may have been closed while it was idle. A number that is raised twice is no loss.
Reply RowAcquire::raiseToken(const QByteArray &row)
{
    Reply raised;
    m_asksElsewhere = true;
    for (int broken = 0; broken <= kMaxBroken;) {
        m_core->mysql().service.run([&](ReconnectingSession &other) {
            raised = other.run("engine/row_token", Params().bytes("resource", row));
        });
        if (raised)
            break;
        const bool isContended = raised.error->kind == Kind::Contention;
        broken += raised.error->kind == Kind::ConnectionLost ? 1 : 0;
        const bool hasTime = m_waits && !m_control->isOver() && !m_control->isCancelled();
        if (raised.error->kind != Kind::ConnectionLost && !(isContended && hasTime))
            break;
    }
    m_asksElsewhere = false;
    return raised;
}

/// The row's token, raised while it is held: whoever holds the row later raises it later. A session that ended
/// meanwhile has freed its row, so the number counts only once the session is known to live. Nothing = the hold has its
/// token.
std::optional<RowAcquire::Answer> RowAcquire::fence(ReconnectingSession &link, Hold &hold,
                                                    LeaseClock::time_point *sentAt)
{
    const Reply raised = raiseToken(hold.resource);
    if (!raised && m_control->isCancelled())
        return leave(link, cancelled());
    if (!raised && raised.error->kind == Kind::Contention)
        return leave(link, Outcome::Busy);
    if (!raised)
        return leave(link, Outcome::Failed, raised.error);
    *sentAt = LeaseClock::now();
    if (const auto gone = check(link))
        return afterError(link, *gone);
    hold.token = raised.value(-1).toULongLong();
    return std::nullopt;
}

RowAcquire::Answer RowAcquire::granted(ReconnectingSession &link, const QByteArray &row, LeaseClock::time_point sentAt)
{
    LockRequest got = m_request;
    got.resource = row;
    auto hold = std::make_shared<RowHold>(m_core, got, m_owner);
    // The server counts a session's idle time from the end of its last packet; after a long wait that was a while ago.
    if (m_request.ttl != Forever && LeaseClock::now() - sentAt > m_request.ttl / 3) {
        sentAt = LeaseClock::now();
        if (const auto gone = check(link))
            return afterError(link, *gone);
    }
    if (m_request.wantsToken) {
        if (auto refused = fence(link, *hold, &sentAt))
            return std::move(*refused);
    }
    hold->setDeadline(deadlineFrom(sentAt, m_request.ttl), m_request.ttl);
    auto lock = std::make_shared<RowLock>();
    lock->thread = m_thread;
    lock->row = row;
    lock->connection = link.connectionId();
    lock->session = link.sessionNumber();
    if (m_isDecided.exchange(true))
        return leave(link, Outcome::Failed);
    hold->setRow(std::move(lock));
    m_core->addHold(hold);
    watch(m_core, hold);
    return AcquireResult{Outcome::Granted, LockHandle(std::move(hold)), {}};
}

} // namespace lockscope::detail
