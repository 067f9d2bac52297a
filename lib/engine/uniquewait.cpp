// The queue of unique mode, as one waiting request sees it.
#include "uniqueacquire_p.h"

#include <QtCore/QRandomGenerator>

#include <algorithm>

namespace lockscope::detail {

namespace {

using namespace std::chrono_literals;
using Kind = LockError::Kind;

/// A predecessor may be granted and freeze without freeing its place; its successor looks again after the
/// predecessor's TTL, and then sees exactly when that lease ends. These bound that look.
constexpr Duration kShortestLook = 100ms;
constexpr Duration kLongestLook = 30s;
/// The first looks again at least this often: after a force release its wake-up can fail for lack of privilege.
constexpr Duration kFirstLooks = 15s;
/// The holder's process is gone; its work may still run, and it may come back. Until the end one look a second.
constexpr Duration kOrphanLooks = 1s;
/// A server that restarts is back within this; after it the wait ends with the error.
constexpr auto kUnreachable = 60s;

} // namespace

AcquireResult UniqueAcquire::wait()
{
    LockError error;
    m_place = m_core->keeper.take(0, &error).name;
    if (m_place.isEmpty())
        return failed(error);
    m_circle = std::make_shared<CircleWatch>(*m_core, m_request, m_owner, m_control);
    m_core->addWait(m_control);
    m_control->watchBudget(m_core->timer);
    Answer answer;
    {
        const std::stop_callback onStop(m_request.stop, [this] { m_control->cancel(); });
        answer = m_circle->enter();
        if (!answer)
            m_core->runQuick([&](Link &link) { answer = join(link); });
        while (!answer)
            answer = waitForTurn();
        m_circle->leave();
    }
    m_core->removeWait(m_control);
    return std::move(*answer);
}

/// Only the first request of this process for a resource keeps a connection; the others wait here without one.
UniqueAcquire::Answer UniqueAcquire::waitForTurn()
{
    m_control->sleepUntil(WaitControl::Clock::time_point::max(), [this] { return m_local.isFirst(); });
    Answer answer;
    if (m_control->isCancelled() || m_control->isOver()) { // to leave needs no connection that may wait
        m_core->runQuick([&](Link &link) { answer = round(link); });
        return answer;
    }
    const auto steps = [&](Link &link) {
        do
            answer = round(link);
        while (!answer && m_local.isFirst());
    };
    if (m_core->pool.tryWait(steps))
        return answer;
    LockError limit;
    limit.kind = Kind::LimitReached;
    limit.message = QStringLiteral("All %1 connections of this engine wait for locks. Raise maxConnections or wait "
                                   "for fewer resources at once.")
                        .arg(m_core->config.maxConnections);
    m_core->runQuick([&](Link &link) { answer = giveUp(link, Outcome::Failed, limit); });
    return answer;
}

UniqueAcquire::Answer UniqueAcquire::round(Link &link)
{
    if (m_control->isCancelled())
        return giveUp(link, m_circle->foundOne() ? Outcome::Deadlock : Outcome::Cancelled);
    if (m_control->isOver())
        return giveUp(link, Outcome::TimedOut);
    if (m_lookIsStale)
        return lookAgain(link);
    return act(link, decide());
}

UniqueAcquire::Next UniqueAcquire::decide()
{
    if (!m_look.placeAlive)
        m_core->keeper.checkSession(); // killed; the place is taken again there
    if (!m_look.exists)
        return Next::MakeRow;
    if (isHeir())
        return decideAsFirst();
    if (!m_look.hasTicket)
        return Next::Join;
    if (m_look.othersFirst())
        return Next::WaitForPlace;
    return decideAsFirst();
}

UniqueAcquire::Next UniqueAcquire::decideAsFirst()
{
    if (m_look.isFree())
        return Next::Claim;
    if (m_look.isExpired()) {
        const auto now = LeaseClock::now();
        const bool isDue = m_livingToken == m_look.token ? now >= m_livingUntil : m_firstToken != m_look.token;
        if (!m_look.mayBeRenewed() || isDue)
            return Next::Claim;
        // Expired when we came, or before its time, although its holder lives: perhaps the server's clock was set.
        if (m_expiredToken != m_look.token) {
            m_expiredToken = m_look.token;
            m_expiredSeen = now;
        }
        m_sleep = std::chrono::duration_cast<Duration>(m_expiredSeen + m_look.clockGrace() - now);
        return m_sleep <= Duration::zero() ? Next::Claim : Next::Sleep;
    }
    m_livingToken = m_look.token;
    m_expiredToken.reset();
    const Duration slack = m_look.ttl == Forever ? Duration::zero() : std::max<Duration>(m_look.ttl / 10, 50ms);
    m_livingUntil = deadlineFrom(LeaseClock::now(), m_look.remaining) - slack; // clocks do not run alike
    if (!isHeir())
        return Next::Advance;
    m_sleep = std::min(m_look.remaining, m_avoidsBell ? kOrphanLooks : kFirstLooks);
    if (m_look.kept)
        return Next::Sleep;
    if (m_look.holderAlive) {
        m_orphanToken.reset();
        return Next::WaitForPresence;
    }
    // A presence that is free in the moment of a hand-over proves nothing; one that is still free on a second look
    // with the same token does.
    if (m_orphanToken != m_look.token) {
        m_orphanToken = m_look.token;
        return Next::Advance;
    }
    m_sleep = std::min(m_look.remaining, kOrphanLooks);
    return Next::Sleep;
}

UniqueAcquire::Answer UniqueAcquire::act(Link &link, Next next)
{
    m_advances = next == Next::Advance || next == Next::Claim ? m_advances + 1 : 0;
    if (m_advances > 3)
        sleep(2ms); // others are faster; let them finish
    switch (next) {
    case Next::MakeRow: {
        const Reply made = m_control->send(link, link.render("engine/ensure_row", params()), "engine/ensure_row");
        m_lookIsStale = true;
        return made ? std::nullopt : afterError(link, *made.error);
    }
    case Next::Join:
        return join(link);
    case Next::WaitForPlace: {
        const bool behindHeir = m_look.aheadPlace.isEmpty();
        const Duration ttl = behindHeir ? m_look.heirTtl : m_look.aheadTtl;
        Duration atMost = std::clamp(ttl, kShortestLook, kLongestLook);
        if (behindHeir && m_look.remaining != Forever)
            atMost = std::min(atMost, std::max(kShortestLook, m_look.remaining + LookResult::HeirGrace));
        return blockOn(link, behindHeir ? m_look.heirPlace : m_look.aheadPlace, atMost);
    }
    case Next::WaitForPresence:
        return blockOn(link, m_look.bellIsHeld && !m_avoidsBell ? bellOf(m_look.presence) : m_look.presence, m_sleep);
    case Next::Sleep:
        sleep(m_sleep);
        m_lookIsStale = true;
        return std::nullopt;
    case Next::Advance:
        return lookAgain(link);
    case Next::Claim:
        return claim(link);
    }
    Q_UNREACHABLE();
}

UniqueAcquire::Answer UniqueAcquire::join(Link &link)
{
    if (m_joinIsInDoubt) {
        // The ticket may be there although its number never reached us; two would grant one of them to nobody.
        const Reply found = findTicket(link);
        if (!found)
            return afterError(link, *found.error);
        if (m_ticket != 0) {
            m_lookIsStale = true;
            return std::nullopt;
        }
    }
    m_ticket = 0;
    m_isInQueue = false;
    const QByteArray packet = link.render("engine/enqueue", params()) + "; "
        + link.render("engine/look", params().variable("ticket", "@ticket"));
    auto joining = m_local.joining();
    if (m_control->isOver() || m_control->isCancelled())
        return std::nullopt; // others of this process took long
    const auto sentAt = LeaseClock::now();
    const Reply reply = m_control->send(link, packet, "engine/enqueue");
    if (!reply) {
        m_joinIsInDoubt = reply.error->connectionGone; // else the answers that came tell
        m_ticket = reply.set(1).affected == 1 ? reply.set(1).insertId : 0;
        const bool isIn = m_ticket != 0 || reply.set(0).affected == 1;
        m_isInQueue = m_joinIsInDoubt || isIn;
        if (isIn)
            m_local.setTicket(m_ticket);
        joining.unlock();
        return afterError(link, *reply.error);
    }
    m_isInQueue = true;
    m_ticket = reply.value(-4).toULongLong();
    m_local.setTicket(m_ticket);
    joining.unlock();
    Answer answer = takeIn(reply, sentAt, {});
    m_lookIsStale = m_lookIsStale || !m_local.isFirst(); // old by the time our turn comes
    return answer;
}

Reply UniqueAcquire::findTicket(Link &link)
{
    Reply found = link.run("engine/own_ticket", params());
    if (found) {
        m_joinIsInDoubt = false;
        m_ticket = found.value(0).toULongLong();
        m_local.setTicket(m_ticket);
    }
    return found;
}

/// Blocks until the user-level lock `name` is free, and then looks, in one packet.
UniqueAcquire::Answer UniqueAcquire::blockOn(Link &link, const QByteArray &name, Duration atMost)
{
    Duration wait = atMost;
    if (m_control->budgetEnd() != WaitControl::Clock::time_point::max())
        wait = std::min(wait, std::chrono::duration_cast<Duration>(m_control->budgetEnd() - WaitControl::Clock::now()));
    const qint64 milliseconds = std::max<qint64>(1, std::chrono::ceil<std::chrono::milliseconds>(wait).count());
    const auto waitParams = Params().lockName("name", name).number("milliseconds", milliseconds);
    // What the first waits for is its grant, and nothing is quicker to read.
    const bool asksOnly = isHeir() && name.endsWith(m_look.presence);
    const QByteArray packet = link.render("engine/wait", waitParams) + "; "
        + (asksOnly ? link.render("engine/ask", params()) : stepAndLook(link));
    const auto sentAt = LeaseClock::now();
    const Reply reply = m_control->send(link, packet, "engine/wait");
    if (reply && !asksOnly)
        return takeIn(reply, sentAt, reply.value(0).toLongLong());
    if (reply) {
        m_lookIsStale = true;
        const auto &rows = reply.set(-1).rows;
        return rows.isEmpty() ? std::nullopt
                              : takeGrant(Grant::from(rows.first()), sentAt, reply.value(0).toLongLong());
    }
    m_avoidsBell = m_avoidsBell || reply.error->kind == Kind::Contention;
    if (reply.error->kind != Kind::Interrupted)
        return afterError(link, *reply.error);
    link.run("ROLLBACK; " + link.render("engine/unwait", waitParams), "engine/unwait");
    m_lookIsStale = true;
    return std::nullopt;
}

QByteArray UniqueAcquire::stepAndLook(Link &link)
{
    const Params values = params().number("ticket", m_ticket);
    const QByteArray look = link.render("engine/look", values);
    return m_ticket != 0 && !isHeir() ? link.render("engine/advance", values) + "; " + look : look;
}

UniqueAcquire::Answer UniqueAcquire::lookAgain(Link &link)
{
    LockError error;
    if (!link.session(&error))
        return afterError(link, error);
    m_core->endConnection(link, std::exchange(m_brokenConnection, 0));
    const auto sentAt = LeaseClock::now();
    const Reply reply = m_control->send(link, stepAndLook(link), "engine/look");
    return reply ? takeIn(reply, sentAt, {}) : afterError(link, *reply.error);
}

/// Keeps what was read, and reports the lease when it is ours.
UniqueAcquire::Answer UniqueAcquire::takeIn(const Reply &reply, LeaseClock::time_point sentAt,
                                            std::optional<qint64> sentClock)
{
    m_look = LookResult::from(reply);
    m_lookIsStale = false;
    m_unreachableSince.reset();
    if (!m_firstToken)
        m_firstToken = m_look.token;
    if (isHeir()) {
        m_ticket = 0;        // it moved into the row
        if (!m_local.isIn()) // the answer that we are the heir was lost
            m_local.setTicket(0);
    }
    if (m_look.presence != m_presence)
        return std::nullopt;
    if (m_look.hasTicket)
        removeTicket();
    return takeGrant({m_look.token, m_look.remaining, m_look.clock}, sentAt, sentClock);
}

/// Reports the lease that the row says is ours. `sentClock` is the server's clock at the packet's start: it places
/// the read on our clock although the packet waited in between.
UniqueAcquire::Answer UniqueAcquire::takeGrant(const Grant &grant, LeaseClock::time_point sentAt,
                                               std::optional<qint64> sentClock)
{
    if (grant.remaining <= Duration::zero()) {
        m_look.hasTicket = false; // join again, with a new presence
        m_look.heirPresence.clear();
        m_lookIsStale = false;
        return beginAgain(grant.token);
    }
    const auto elapsed = LeaseClock::now() - sentAt;
    const auto onServer = std::chrono::microseconds(sentClock ? grant.clock - *sentClock : 0);
    const auto slack = elapsed - onServer;
    // A clock that was set meanwhile, or an answer that lay around for long, proves nothing: read once more.
    if (m_request.ttl != Forever && (slack < 0ns || slack > m_request.ttl / 3)) {
        m_lookIsStale = true;
        return std::nullopt;
    }
    m_placeIsClean = !grant.othersWait && m_ticket == 0;
    return granted(grant.token, deadlineFrom(sentAt + onServer, grant.remaining), true);
}

UniqueAcquire::Answer UniqueAcquire::afterError(Link &link, const LockError &error)
{
    m_lookIsStale = true;
    if (!error.connectionGone) // a packet that was cut off may have left its transaction open
        link.run("ROLLBACK", "engine/wait");
    switch (error.kind) {
    case Kind::Contention:
    case Kind::Interrupted:
        sleep(Duration(QRandomGenerator::global()->bounded(2000)));
        return std::nullopt;
    case Kind::ConnectionLost:
        m_brokenConnection = link.connectionId();
        m_core->keeper.checkSession(); // whatever broke this connection may have broken that one
        return std::nullopt;
    case Kind::Unavailable:
        if (!m_unreachableSince)
            m_unreachableSince = LeaseClock::now();
        if (LeaseClock::now() - *m_unreachableSince > kUnreachable)
            return failed(error, Outcome::Unknown);
        m_core->keeper.checkSession();
        sleep(200ms);
        return std::nullopt;
    default:
        return giveUp(link, Outcome::Failed, error);
    }
}

/// Granted by a packet that was cut off behind its first statement: a ticket without a request must not stay. Should it
/// stay nevertheless, its place is never used again, so nobody waits for it.
void UniqueAcquire::removeTicket()
{
    if (m_ticket == 0)
        return;
    m_core->runQuick([&](Link &link) {
        if (leaveQueue(link, kLeaveTries))
            m_ticket = 0;
    });
}

void UniqueAcquire::sleep(Duration duration)
{
    m_control->sleepUntil(WaitControl::Clock::now() + duration, [] { return false; });
}

} // namespace lockscope::detail
