// SPDX-License-Identifier: MIT
#include "uniqueacquire_p.h"

#include "engine/core/watchdog_p.h"
#include "engine/mysql/lostanswer_p.h"
#include "leasehold_p.h"
#include "session/validation_p.h"

#include <algorithm>

namespace lockscope::detail {

namespace {

using Kind = LockError::Kind;

constexpr int kTries = 4;
/// A row or table that somebody else keeps locked; the statement has waited a second for it.
constexpr int kLockWaitTimeout = 1205;
constexpr int kLeaveTries = 5;

} // namespace

LockError UniqueAcquire::noTokenFloor()
{
    LockError error = lockErrorFor(1146, {}, "engine/create");
    error.message =
        QStringLiteral("The row floor_of_tokens of lock_meta is missing, so no token would be safe. Put it back with a "
                       "floor that is larger than every token there was: "
                       "INSERT INTO lock_meta (name, value, floor) VALUES ('floor_of_tokens', 0, …).");
    return error;
}

UniqueAcquire::UniqueAcquire(std::shared_ptr<EngineCore> core, const LockRequest &request, QByteArray owner)
    : m_core(std::move(core))
    , m_request(request)
    , m_owner(std::move(owner))
    , m_control(std::make_shared<WaitControl>(m_core->mysql().keeper.thread(), WaitControl::endOf(request.wait)))
    , m_local(m_core->mysql().localQueue, request.resource, m_control)
{
}

UniqueAcquire::~UniqueAcquire()
{
    if (m_name.isEmpty())
        return;
    if (m_isNameUnknown)
        m_core->mysql().keeper.giveBack(m_name);
    else
        m_core->mysql().keeper.drop(m_name);
}

/// In place of the one that it has, which it keeps when it gets no other: it must never act without a name.
bool UniqueAcquire::takeName(LockError *error)
{
    QByteArray name = m_core->mysql().keeper.take(error);
    if (name.isEmpty())
        return false;
    m_core->mysql().keeper.drop(m_name);
    m_name = std::move(name);
    m_isNameUnknown = true;
    return true;
}

AcquireResult UniqueAcquire::run()
{
    LockError error;
    if (!takeName(&error))
        return failed(error);
    if (m_request.wait > Duration::zero() && m_request.wait < kWatchBelow)
        m_control->watchBudget(m_core->timer);
    if (auto answer = tryFree())
        return std::move(*answer);
    if (m_request.wait == Duration::zero()) {
        for (int i = 0; i < kTries; ++i) {
            if (auto answer = tryExpired())
                return std::move(*answer);
        }
        return m_inVain == kTries ? failed(noTokenFloor()) : AcquireResult{Outcome::Busy, {}, {}};
    }
    if (m_control->isOver())
        return {Outcome::TimedOut, {}, {}};
    return wait();
}

Params UniqueAcquire::params() const
{
    return Params()
        .bytes("resource", m_request.resource)
        .number("slot", qint64(0))
        .lockName("presence", m_name)
        .microseconds("ttl", ttlValue(m_request.ttl))
        .bytes("owner", m_owner)
        .bytes("note", m_request.note);
}

UniqueAcquire::Answer UniqueAcquire::tryFree()
{
    Answer answer;
    const auto tries = [&](ReconnectingSession &link) {
        for (int i = 0; i < kTries; ++i) {
            if (i > 0 && m_request.wait > Duration::zero())
                m_control->watchBudget(m_core->timer);
            const QByteArray packet = m_core->mysql().knowsName(m_request.resource)
                ? link.execution("engine/acquire", params())
                : link.render("engine/acquire", params()) + "; " + link.render("engine/create", params());
            const auto sentAt = LeaseClock::now();
            const Reply reply = m_control->send(link, packet, "engine/acquire");
            answer = afterTry(link, reply, sentAt, link.sessionNumber());
            if (answer || reply || (m_request.wait > Duration::zero() && m_control->isOver()))
                return;
        }
    };
    // The end of a watched budget would end the packet, and with it what others have in it.
    const bool isWatched = m_request.wait > Duration::zero() && m_request.wait < kWatchBelow;
    SessionPool::Statement take;
    if (m_core->mysql().pool.ownSession() == 0 && !isWatched && m_core->mysql().knowsName(m_request.resource))
        take = {"engine/acquire", params()};
    const auto sentAt = LeaseClock::now();
    m_core->mysql().runQuick(tries, take.name.isEmpty() ? nullptr : &take);
    if (!take.reply)
        return answer;
    if (*take.reply && !tookLong(sentAt))
        return taken(*take.reply, sentAt);
    m_core->mysql().runQuick([&](ReconnectingSession &link) {
        answer = afterTry(link, *take.reply, sentAt, take.session);
        if (!answer && !*take.reply)
            tries(link);
    });
    return answer;
}

/// An answer that came so late must be read once more.
bool UniqueAcquire::tookLong(LeaseClock::time_point sentAt) const
{
    return m_request.ttl != Forever && LeaseClock::now() - sentAt > m_request.ttl / 3;
}

UniqueAcquire::Answer UniqueAcquire::taken(const Reply &reply, LeaseClock::time_point sentAt)
{
    m_core->mysql().rememberName(m_request.resource);
    for (const ResultSet &set : reply.sets) {
        if (set.affected == 1)
            return granted(set.insertId, deadlineFrom(sentAt, m_request.ttl), false);
    }
    return std::nullopt;
}

UniqueAcquire::Answer UniqueAcquire::afterTry(ReconnectingSession &link, const Reply &reply,
                                              LeaseClock::time_point sentAt, quint64 session)
{
    if (reply.error && reply.error->kind == Kind::ConnectionLost) {
        m_brokenSession = session;
        return resolveDoubt(link, *reply.error);
    }
    const bool isTaken = // also by a statement before an error: what it changed is committed
        std::any_of(reply.sets.begin(), reply.sets.end(), [](const ResultSet &set) { return set.affected == 1; });
    if (isTaken && tookLong(sentAt))
        return askAgain(link);
    if (isTaken || !reply.error)
        return taken(reply, sentAt);
    if (isKeptOut(*reply.error))
        return AcquireResult{Outcome::Busy, {}, {}};
    const bool passes = reply.error->kind == Kind::Contention || reply.error->kind == Kind::Interrupted;
    return passes ? std::nullopt : Answer(failed(*reply.error));
}

/// A request that does not wait is told that it is busy once it has waited for a lock that no request holds for long.
bool UniqueAcquire::isKeptOut(const LockError &error) const
{
    return m_request.wait == Duration::zero() && error.code == kLockWaitTimeout;
}

/// A request that does not wait still takes a lease that has expired, or a row whose queue is dead.
UniqueAcquire::Answer UniqueAcquire::tryExpired()
{
    Reply reply;
    Answer answer;
    m_core->mysql().runQuick([&](ReconnectingSession &link) {
        reply = link.run("engine/look", params());
        if (!reply)
            return;
        m_view = LeaseView::from(reply);
        if (m_view.exists)
            answer = claimAsNewcomer(link);
    });
    if (reply.error && isKeptOut(*reply.error))
        return AcquireResult{Outcome::Busy, {}, {}};
    if (reply.error && reply.error->kind != Kind::ConnectionLost && reply.error->kind != Kind::Contention)
        return failed(*reply.error);
    if (answer || !reply)
        return answer;
    if (!m_view.exists) {
        m_core->mysql().forgetName(m_request.resource); // cleaned up since
        ++m_inVain;
    }
    return tryFree();
}

/// Nothing: try again.
UniqueAcquire::Answer UniqueAcquire::claimAsNewcomer(ReconnectingSession &link)
{
    if (m_view.isFree()) // engine/acquire takes it
        return std::nullopt;
    if (!m_view.isExpired() || (m_view.mayBeRenewed() && !m_view.isOverdue(m_view.clockGrace())))
        return AcquireResult{Outcome::Busy, {}, {}};
    if (m_view.isFreeForNewcomers())
        return claim(link, LeaseView::NewcomerGrace);
    const std::size_t before = m_view.queue.size();
    const Reply reply = link.run(readPacket(link, kDropsDead), "engine/look");
    const bool isShorter = reply && LeaseView::from(reply).queue.size() < before;
    return isShorter ? std::nullopt : Answer({Outcome::Busy, {}, {}});
}

/// `queuedGrace`: how long after its end it may be taken past those who wait before us.
UniqueAcquire::Answer UniqueAcquire::claim(ReconnectingSession &link, Duration queuedGrace)
{
    const bool isTakeover = !m_view.kept;
    const QByteArray packet = link.render("engine/claim",
                                          params()
                                              .number("token", m_view.token)
                                              .number("takeover", qint64(isTakeover ? 1 : 0))
                                              .bytes("old_owner", m_view.owner)
                                              .microseconds("queued_grace", queuedGrace));
    const auto sentAt = LeaseClock::now();
    const Reply reply = m_control->send(link, packet, "engine/claim");
    m_isViewOld = true;
    const ResultSet &update = reply.set(0);
    if (reply.error && update.affected != 1 && isKeptOut(*reply.error))
        return AcquireResult{Outcome::Busy, {}, {}};
    if (reply.sets.empty() || update.affected != 1) {
        const bool isLost = reply.error && reply.error->kind == Kind::ConnectionLost;
        if (isLost && m_request.wait == Duration::zero()) { // who waits looks anyway
            m_brokenSession = link.sessionNumber();
            return resolveDoubt(link, *reply.error);
        }
        return reply ? std::nullopt : afterError(link, *reply.error);
    }
    // The first statement has taken the row, whatever became of those behind it.
    return tookLong(sentAt) ? askAgain(link) : granted(update.insertId, deadlineFrom(sentAt, m_request.ttl), true);
}

/// The connection broke: has the packet been carried out?
UniqueAcquire::Answer UniqueAcquire::resolveDoubt(ReconnectingSession &link, const LockError &error)
{
    m_isNameUnknown = false;
    LeaseView view;
    LeaseClock::time_point sentAt;
    const Fate fate = fateAfterLostAnswer(*m_core, link, m_brokenSession, [&] {
        sentAt = LeaseClock::now();
        const Reply reply = link.run("engine/look", params());
        view = LeaseView::from(reply);
        return !reply ? Fate::Unknown : view.presence == m_name ? Fate::Done : Fate::NotDone;
    });
    if (fate == Fate::Unknown)
        return failed(error, Outcome::Unknown);
    m_brokenSession = 0;
    return asked(view, sentAt);
}

/// The lease is ours but the answer took long: its time left counts from before a fresh read.
UniqueAcquire::Answer UniqueAcquire::askAgain(ReconnectingSession &link)
{
    const auto sentAt = LeaseClock::now();
    const Reply reply = link.run("engine/look", params());
    return reply ? asked(LeaseView::from(reply), sentAt) : resolveDoubt(link, *reply.error);
}

/// Of a lease that may be ours.
UniqueAcquire::Answer UniqueAcquire::asked(const LeaseView &view, LeaseClock::time_point sentAt)
{
    if (view.presence != m_name)
        return std::nullopt;
    if (view.remaining > Duration::zero())
        return granted(view.token, deadlineFrom(sentAt, view.remaining), true);
    return beginAgain(view.token);
}

/// Frees a lease that was won but ran out before it could be reported, and goes on with a new name.
UniqueAcquire::Answer UniqueAcquire::beginAgain(quint64 token)
{
    abandon(token);
    m_arrival = 0;
    m_line.clear();
    m_mayBeIn = false;
    LockError error;
    return takeName(&error) ? std::nullopt : Answer(failed(error));
}

/// Frees a lease that was won and is not reported; others go on at once.
void UniqueAcquire::abandon(quint64 token)
{
    LockRequest nobodys = m_request;
    nobodys.holdAtLeast = Duration::zero(); // nobody had it
    LeaseHold hold(m_core, nobodys, m_owner);
    hold.token = token;
    hold.setPresence(std::exchange(m_name, {}));
    hold.contended = true;
    hold.release(*m_core, false);
}

AcquireResult UniqueAcquire::granted(quint64 token, LeaseClock::time_point deadline, bool contended)
{
    auto hold = std::make_shared<LeaseHold>(m_core, m_request, m_owner);
    hold->token = token;
    hold->setPresence(std::exchange(m_name, {}));
    hold->contended = contended;
    hold->setDeadline(deadline, m_request.ttl);
    m_core->addHold(hold);
    watch(m_core, hold);
    return {Outcome::Granted, LockHandle(std::move(hold)), {}};
}

AcquireResult UniqueAcquire::failed(std::optional<LockError> error, Outcome outcome)
{
    return {outcome, {}, std::move(error)};
}

/// Leaves the queue. A grant that came first is kept by a request that timed out and handed on by any other.
AcquireResult UniqueAcquire::giveUp(ReconnectingSession &link, Outcome why, std::optional<LockError> error)
{
    if (!m_mayBeIn)
        return {why, {}, std::move(error)};
    const auto sentAt = LeaseClock::now();
    const Reply reply = leaveForGood(link);
    if (!reply)
        return failed(error ? *error : *reply.error, error ? why : Outcome::Unknown);
    const LeaseView view = LeaseView::from(reply);
    if (view.presence != m_name)
        return {why, {}, std::move(error)};
    if (why == Outcome::TimedOut && view.remaining > Duration::zero())
        return granted(view.token, deadlineFrom(sentAt, view.remaining), true);
    abandon(view.token);
    return {why, {}, std::move(error)};
}

/// Also from a row that a stranger keeps locked: whose name is not held is granted nothing, so without it a read tells
/// whether we were. A grant that found it held had the row locked then, and is there after the second try.
Reply UniqueAcquire::leaveForGood(ReconnectingSession &link)
{
    const auto isLocked = [](const Reply &reply) { return reply.error && reply.error->kind == Kind::Contention; };
    Reply reply = leave(link, 1);
    if (!isLocked(reply))
        return reply;
    m_core->mysql().keeper.free(m_name);
    reply = leave(link, 1);
    if (!isLocked(reply))
        return reply;
    return link.run("engine/look", params());
}

/// `triesBehindLocks`: that many statements may wait for a lock in vain, for a second each.
Reply UniqueAcquire::leave(ReconnectingSession &link, int triesBehindLocks)
{
    Reply reply;
    for (int i = 0; i < kLeaveTries; ++i) {
        LockError error;
        if (!link.session(&error)) {
            reply = Reply{{}, error};
        } else {
            m_core->mysql().endSession(link, std::exchange(m_brokenSession, 0));
            reply = link.run(link.render("engine/leave", params()) + "; " + link.render("engine/look", params()),
                             "engine/leave");
        }
        if (reply)
            return reply;
        const bool isLast = reply.error->code == kLockWaitTimeout && --triesBehindLocks == 0;
        if (reply.error->kind == Kind::ConnectionLost)
            m_brokenSession = link.sessionNumber();
        else if (isLast || !isTransient(*reply.error))
            return reply;
    }
    return reply;
}

} // namespace lockscope::detail
