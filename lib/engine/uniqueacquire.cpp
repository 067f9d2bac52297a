#include "uniqueacquire_p.h"

#include "complaint_p.h"

#include <algorithm>
#include <limits>

namespace lockscope::detail {

namespace {

using namespace std::chrono_literals;
using Kind = LockError::Kind;

/// Every ticket comes before a request that has none.
constexpr quint64 kBehindAll = std::numeric_limits<quint64>::max();
constexpr int kTries = 4;
/// A row or table that somebody else keeps locked; the statement has waited a second for it.
constexpr int kLockWaitTimeout = 1205;
/// After a broken connection the server is asked for this long what became of the packet.
constexpr auto kAskFor = 5s;

} // namespace

UniqueAcquire::UniqueAcquire(std::shared_ptr<EngineCore> core, const LockRequest &request, QByteArray owner)
    : m_core(std::move(core))
    , m_request(request)
    , m_owner(std::move(owner))
    , m_control(std::make_shared<WaitControl>(m_core->keeper.lane(), WaitControl::endOf(request.wait)))
    , m_local(m_core->localQueue, request.resource, m_control)
{
}

UniqueAcquire::~UniqueAcquire()
{
    if (m_placeIsClean)
        m_core->keeper.giveBack(m_place, 0);
    else
        m_core->keeper.drop(m_place);
    m_core->keeper.leaveStale(m_staleOf, std::move(m_staleBells));
    if (m_presence.isEmpty())
        return;
    if (m_presenceIsClean)
        m_core->keeper.giveBack(m_presence, m_bell);
    else
        m_core->keeper.drop(m_presence, m_bell);
}

bool UniqueAcquire::takePresence(LockError *error)
{
    m_core->keeper.leaveStale(m_staleOf, std::exchange(m_staleBells, {}));
    m_staleOf = m_core->pool.ownConnection();
    Presence presence = m_core->keeper.take(m_staleOf, error);
    m_presence = std::move(presence.name);
    m_bell = presence.bell;
    m_staleBells = std::move(presence.stale);
    return !m_presence.isEmpty();
}

/// Takes the bell where it is not held yet; only a thread's own connection is there again when the thread releases.
QByteArray UniqueAcquire::bellPacket(Link &link)
{
    LockError ignored;
    if (!link.session(&ignored) || link.connectionId() != m_core->pool.ownConnection())
        return {};
    QByteArray packet;
    if (std::exchange(m_bell, link.connectionId()) != link.connectionId())
        packet = link.render("engine/bell", Params().lockName("bell", bellOf(m_presence))) + "; ";
    for (const QByteArray &bell : std::exchange(m_staleBells, {})) // of a connection that is gone: nothing to let go
        packet += link.render("engine/unwait", Params().lockName("name", bell)) + "; ";
    return packet;
}

AcquireResult UniqueAcquire::run()
{
    LockError error;
    if (!takePresence(&error))
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
        return {Outcome::Busy, {}, {}};
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
        .lockName("presence", m_presence)
        .lockName("place", m_place)
        .microseconds("ttl", ttlValue(m_request.ttl))
        .bytes("owner", m_owner)
        .bytes("note", m_request.note);
}

UniqueAcquire::Answer UniqueAcquire::tryFree()
{
    Answer answer;
    const auto tries = [&](Link &link) {
        for (int i = 0; i < kTries; ++i) {
            if (i > 0 && m_request.wait > Duration::zero())
                m_control->watchBudget(m_core->timer);
            QByteArray packet = bellPacket(link) + link.render("engine/acquire", params());
            if (!m_core->knowsName(m_request.resource))
                packet += "; " + link.render("engine/create", params());
            const quint64 connection = link.connectionId();
            const auto sentAt = LeaseClock::now();
            const Reply reply = m_control->send(link, packet, "engine/acquire");
            answer = afterTry(link, reply, sentAt, connection);
            if (answer || reply || (m_request.wait > Duration::zero() && m_control->isOver()))
                return;
        }
    };
    // The end of a watched budget would end the packet, and with it what others have in it.
    const bool isWatched = m_request.wait > Duration::zero() && m_request.wait < kWatchBelow;
    SessionPool::Statement take;
    if (m_core->pool.ownConnection() == 0 && !isWatched && m_core->knowsName(m_request.resource))
        take = {"engine/acquire", params()};
    const auto sentAt = LeaseClock::now();
    m_core->runQuick(tries, take.name.isEmpty() ? nullptr : &take);
    if (!take.reply)
        return answer;
    if (*take.reply && !tookLong(sentAt))
        return taken(*take.reply, sentAt);
    m_core->runQuick([&](Link &link) {
        answer = afterTry(link, *take.reply, sentAt, take.connection);
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
    m_core->rememberName(m_request.resource);
    for (const ResultSet &set : reply.sets) {
        if (set.affected == 1)
            return granted(set.insertId, deadlineFrom(sentAt, m_request.ttl), false);
    }
    return std::nullopt;
}

UniqueAcquire::Answer UniqueAcquire::afterTry(Link &link, const Reply &reply, LeaseClock::time_point sentAt,
                                              quint64 connectionId)
{
    if (reply.error && reply.error->kind == Kind::ConnectionLost) {
        m_brokenConnection = connectionId;
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
    m_core->runQuick([&](Link &link) {
        m_place = m_presence; // a look asks for a place; this request has none
        reply = link.run("engine/look", params().number("ticket", kBehindAll));
        m_place.clear();
        if (!reply)
            return;
        m_look = LookResult::from(reply);
        const bool othersFirst = m_look.othersFirst();
        const bool isOver = m_look.isExpired() && (!m_look.mayBeRenewed() || m_look.isOverdue(m_look.clockGrace()));
        if (m_look.exists && !othersFirst && ((m_look.isFree() && m_look.waited) || isOver))
            answer = claim(link);
        else if (m_look.exists && (!m_look.isFree() || othersFirst))
            answer = AcquireResult{Outcome::Busy, {}, {}};
    });
    if (reply.error && isKeptOut(*reply.error))
        return AcquireResult{Outcome::Busy, {}, {}};
    if (reply.error && reply.error->kind != Kind::ConnectionLost && reply.error->kind != Kind::Contention)
        return failed(*reply.error);
    if (answer || !reply)
        return answer;
    if (!m_look.exists)
        m_core->forgetName(m_request.resource); // cleaned up since
    return tryFree();
}

UniqueAcquire::Answer UniqueAcquire::claim(Link &link)
{
    const bool isTakeover = !m_look.isFree() && !m_look.kept;
    const quint64 before = isHeir() ? 0 : m_ticket != 0 ? m_ticket : kBehindAll;
    const QByteArray packet = link.render("engine/claim",
                                          params()
                                              .number("token", m_look.token)
                                              .number("ticket", m_ticket)
                                              .number("before", before)
                                              .number("takeover", qint64(isTakeover ? 1 : 0))
                                              .bytes("old_owner", m_look.owner)
                                              .microseconds("heir_grace", LookResult::HeirGrace)
                                              .microseconds("ticket_grace", LookResult::TicketGrace));
    const auto sentAt = LeaseClock::now();
    const Reply reply = m_control->send(link, packet, "engine/claim");
    m_lookIsStale = true;
    const ResultSet &update = reply.set(0);
    if (reply.error && update.affected != 1 && isKeptOut(*reply.error))
        return AcquireResult{Outcome::Busy, {}, {}};
    if (reply.sets.empty() || update.affected != 1) {
        const bool isLost = reply.error && reply.error->kind == Kind::ConnectionLost;
        if (isLost && m_request.wait == Duration::zero()) { // who waits looks anyway
            m_brokenConnection = link.connectionId();
            return resolveDoubt(link, *reply.error);
        }
        return reply ? std::nullopt : afterError(link, *reply.error);
    }
    // The first statement has taken the row, whatever became of those behind it.
    if (reply.error)
        removeTicket();
    return tookLong(sentAt) ? askAgain(link) : granted(update.insertId, deadlineFrom(sentAt, m_request.ttl), true);
}

/// The connection broke: has the packet been carried out? Ends that connection first, so that it cannot be later.
UniqueAcquire::Answer UniqueAcquire::resolveDoubt(Link &link, const LockError &error)
{
    const auto giveUpAt = LeaseClock::now() + kAskFor;
    m_presenceIsClean = false;
    for (;;) {
        LockError ignored;
        if (link.session(&ignored)) {
            const bool isEnded = m_core->endConnection(link, m_brokenConnection);
            const auto sentAt = LeaseClock::now();
            const Reply reply = link.run("engine/ask", params());
            if (reply && (isEnded || !reply.set(-1).rows.isEmpty())) { // a no may still become a yes
                m_brokenConnection = 0;
                m_presenceIsClean = true;
                return asked(reply, sentAt);
            }
        }
        if (LeaseClock::now() >= giveUpAt)
            return failed(error, Outcome::Unknown);
        std::this_thread::sleep_for(50ms);
    }
}

/// The lease is ours but the answer took long: its time left counts from before a fresh read.
UniqueAcquire::Answer UniqueAcquire::askAgain(Link &link)
{
    const auto sentAt = LeaseClock::now();
    const Reply reply = link.run("engine/ask", params());
    return reply ? asked(reply, sentAt) : resolveDoubt(link, *reply.error);
}

/// What `engine/ask` says of a lease that may be ours.
UniqueAcquire::Answer UniqueAcquire::asked(const Reply &reply, LeaseClock::time_point sentAt)
{
    if (reply.set(-1).rows.isEmpty())
        return std::nullopt;
    const Grant grant = Grant::from(reply.set(-1).rows.first());
    if (grant.remaining > Duration::zero())
        return granted(grant.token, deadlineFrom(sentAt, grant.remaining), true);
    return beginAgain(grant.token);
}

/// Frees a lease that was won but ran out before it could be reported, and goes on with a new presence.
UniqueAcquire::Answer UniqueAcquire::beginAgain(quint64 token)
{
    abandon(token);
    LockError error;
    return takePresence(&error) ? std::nullopt : Answer(failed(error));
}

/// Frees a lease that was won and is not reported; others go on at once.
void UniqueAcquire::abandon(quint64 token)
{
    LockRequest nobodys = m_request;
    nobodys.holdAtLeast = Duration::zero(); // nobody had it
    Hold hold(m_core, nobodys, m_owner);
    hold.token = token;
    hold.presence = std::exchange(m_presence, {});
    hold.bell = m_bell;
    hold.contended = true;
    releaseOnServer(*m_core, hold);
}

AcquireResult UniqueAcquire::granted(quint64 token, LeaseClock::time_point deadline, bool contended)
{
    auto hold = std::make_shared<Hold>(m_core, m_request, m_owner);
    hold->token = token;
    hold->presence = std::exchange(m_presence, {});
    hold->bell = m_bell;
    hold->contended = contended;
    hold->setDeadline(deadline, m_request.ttl);
    m_core->addHold(hold);
    watch(m_core, hold);
    return {Outcome::Granted, LockHandle(std::move(hold)), {}};
}

AcquireResult UniqueAcquire::failed(const LockError &error, Outcome outcome)
{
    return {outcome, {}, error};
}

/// Leaves the queue. A grant that came first is kept by a request that timed out and handed on by any other.
AcquireResult UniqueAcquire::giveUp(Link &link, Outcome why, std::optional<LockError> error)
{
    if (!m_isInQueue)
        return {why, {}, std::move(error)};
    const auto sentAt = LeaseClock::now();
    const Reply reply = leaveForGood(link);
    if (!reply) {
        m_presenceIsClean = false;
        return failed(error ? *error : *reply.error, error ? why : Outcome::Unknown);
    }
    if (reply.set(-1).rows.isEmpty())
        return {why, {}, std::move(error)};
    const Grant grant = Grant::from(reply.set(-1).rows.first());
    if (why == Outcome::TimedOut && grant.remaining > Duration::zero())
        return granted(grant.token, deadlineFrom(sentAt, grant.remaining), true);
    abandon(grant.token);
    return {why, {}, std::move(error)};
}

/// Also from a row that a stranger keeps locked: who has no living place is granted nothing, so without it a read tells
/// whether we were. A grant that found the place alive had the row locked then, and is there after the second try.
Reply UniqueAcquire::leaveForGood(Link &link)
{
    const auto isLocked = [](const Reply &reply) { return reply.error && reply.error->kind == Kind::Contention; };
    Reply reply = leaveQueue(link, 1);
    if (!isLocked(reply))
        return reply;
    m_core->keeper.forget(m_place);
    m_core->keeper.run("engine/unwait", Params().lockName("name", m_place));
    reply = leaveQueue(link, 1);
    if (!isLocked(reply))
        return reply;
    m_presenceIsClean = false; // what is left of us in the row names it
    return link.run("engine/ask", params());
}

/// `triesBehindLocks`: that many statements may wait for a lock in vain, for a second each.
Reply UniqueAcquire::leaveQueue(Link &link, int triesBehindLocks)
{
    Reply reply;
    for (int i = 0; i < kLeaveTries; ++i) {
        LockError error;
        if (!link.session(&error)) {
            reply = Reply{{}, error};
        } else {
            m_core->endConnection(link, std::exchange(m_brokenConnection, 0));
            if (m_joinIsInDoubt)
                findTicket(link);
            reply = link.run("engine/leave", params().number("ticket", m_ticket));
        }
        if (reply)
            return reply;
        const bool isLast = reply.error->code == kLockWaitTimeout && --triesBehindLocks == 0;
        if (reply.error->kind == Kind::ConnectionLost)
            m_brokenConnection = link.connectionId();
        else if (isLast || !isPassing(*reply.error))
            return reply;
    }
    return reply;
}

} // namespace lockscope::detail
