// SPDX-License-Identifier: MIT
// The queue of unique mode, as one waiting request sees it.
#include "uniqueacquire_p.h"

#include <QtCore/QDateTime>
#include <QtCore/QRandomGenerator>

#include <algorithm>

namespace lockscope::detail {

namespace {

using namespace std::chrono_literals;
using Kind = LockError::Kind;

/// Whoever waits for somebody in the queue looks again at least this often …
constexpr Duration kLongestWait = 30s;
constexpr Duration kShortestWait = 100ms;
/// … and the first more often: after a force release its wake-up can fail for lack of privilege.
constexpr Duration kFirstReadings = 15s;
/// The lease has no holder whose name could be waited for: its process is gone (its work may still run, and it may come
/// back), or it is kept for its minimum hold time. Until the end one look a second.
constexpr Duration kOrphanReadings = 1s;
/// A server that restarts is back within this; after it the wait ends with the error.
constexpr auto kUnreachable = 60s;
/// This many steps in a row that lead nowhere are chance, with others at the same row; after that they come more
/// slowly.
constexpr int kChances = 3;
constexpr int kNoFloorAfter = 20;
/// Of one that was admitted and finds no connection that may wait.
constexpr auto kReadingsWithoutConnection = 1s;

/// Clocks do not run alike.
Duration clockSlack(Duration ttl)
{
    return ttl == Forever ? Duration::zero() : std::max<Duration>(ttl / 10, 50ms);
}

} // namespace

AcquireResult UniqueAcquire::wait()
{
    m_detector = std::make_shared<DeadlockDetector>(*m_core, m_request, m_owner, m_control);
    m_core->addWait(m_control);
    m_control->watchBudget(m_core->timer);
    Answer answer;
    {
        const std::stop_callback onStop(m_request.stop, [this] { m_control->cancel(); });
        if (auto refused = m_detector->enter())
            answer = failed(std::move(refused->error), refused->outcome);
        else
            m_core->mysql().runQuick([&](ReconnectingSession &link) { answer = join(link); });
        while (!answer)
            answer = waitForTurn();
        m_detector->leave();
    }
    m_core->removeWait(m_control);
    return std::move(*answer);
}

/// Only the first request of this process for a resource keeps a connection; the others wait here without one.
UniqueAcquire::Answer UniqueAcquire::waitForTurn()
{
    // One whose joining failed, or whose answer was lost, is not in: others of this process may wait before it.
    const bool isIn = m_local.isIn();
    if (isIn) {
        m_isAdmitted = m_isAdmitted || !m_local.isFirst();
        m_control->sleepUntilCalled(WaitControl::Clock::time_point::max(), [this] { return m_local.isFirst(); });
    }
    Answer answer;
    // Neither to join nor to leave needs a connection that may wait.
    if (!isIn || m_control->isCancelled() || m_control->isOver()) {
        m_core->mysql().runQuick([&](ReconnectingSession &link) { answer = round(link); });
        return answer;
    }
    if (!m_local.isFirst()) {
        m_core->mysql().runQuick([&](ReconnectingSession &link) { answer = answerCall(link); });
        return answer;
    }
    const auto steps = [&](ReconnectingSession &link) {
        m_isAdmitted = true;
        do
            answer = round(link);
        while (!answer && m_local.isFirst());
    };
    if (m_core->mysql().pool.tryWait(steps))
        return answer;
    if (m_isAdmitted) {
        m_core->mysql().runQuick([&](ReconnectingSession &link) { answer = goOnWithoutWaiting(link); });
        if (!answer)
            m_control->sleepUntilCalled(WaitControl::Clock::now() + kReadingsWithoutConnection, [] { return false; });
        return answer;
    }
    LockError limit;
    limit.kind = Kind::LimitReached;
    limit.message = QStringLiteral("All %1 connections of this engine wait for locks. Raise maxConnections or wait "
                                   "for fewer resources at once.")
                        .arg(m_core->config.maxConnections);
    m_core->mysql().runQuick([&](ReconnectingSession &link) { answer = giveUp(link, Outcome::Failed, limit); });
    return answer;
}

/// The first of this process, while others of it wait on all connections: what can be done without waiting is done.
UniqueAcquire::Answer UniqueAcquire::goOnWithoutWaiting(ReconnectingSession &link)
{
    Answer answer = look(link);
    if (answer || m_isViewOld)
        return answer;
    const Next next = decide();
    if (next != Next::Wait && next != Next::Sleep)
        answer = act(link, next);
    m_isViewOld = true;
    return answer;
}

/// Granted out of turn, or taken for dead: looks, takes its place again if that is gone, and goes on sleeping.
UniqueAcquire::Answer UniqueAcquire::answerCall(ReconnectingSession &link)
{
    Answer answer = look(link);
    // In our order: one who comes back calls the next. A free row is for the first of us, who calls then.
    const auto mayRejoin = [this] {
        const QByteArray before = m_local.nameBefore();
        const bool isOut = !m_isViewOld && !m_view.isFree() && !m_line.isEmpty() && !m_view.placeOf(m_name);
        return isOut && (before.isEmpty() || m_view.presence == before || m_view.placeOf(before));
    };
    for (int i = 0; !answer && i < kChances && m_view.exists && mayRejoin(); ++i)
        answer = rejoin(link);
    if (!answer && m_line.isEmpty() && m_view.exists) // its grant had run out: it is in no queue
        answer = join(link);
    m_isViewOld = true; // by the time that our turn comes
    return answer;
}

UniqueAcquire::Answer UniqueAcquire::round(ReconnectingSession &link)
{
    if (m_control->isCancelled())
        return giveUp(link, m_detector->foundOne() ? Outcome::Deadlock : Outcome::Cancelled);
    if (m_control->isOver())
        return giveUp(link, Outcome::TimedOut);
    if (m_isViewOld)
        return look(link);
    return act(link, decide());
}

UniqueAcquire::Next UniqueAcquire::decide()
{
    if (!m_view.isOwnNameHeld)
        m_core->mysql().keeper.checkSession(); // killed; the name is taken again there
    if (!m_view.exists)
        return Next::Begin;
    const auto ahead = m_view.placeOf(m_name);
    if (!ahead)
        return m_line.isEmpty() ? Next::Join : Next::Rejoin;
    noteEnd();
    const bool isOurTurn = *ahead == 0 || (m_view.isExpired() && untilOverslept(*ahead) <= Duration::zero());
    return isOurTurn ? decideAsFirst() : decideBehind(*ahead);
}

/// From the view on, until so many before us should have taken the lease. The one right before us that came after its
/// end leaves it to a holder who lives on, for half a TTL or until he is gone.
Duration UniqueAcquire::untilOverslept(std::size_t ahead) const
{
    if (m_view.remaining == Forever)
        return Forever;
    Duration due = m_view.remaining;
    if (const Duration waited = m_view.waited(ahead - 1); waited < -m_view.remaining) {
        due = m_view.clockGrace() - waited;
        if (m_leftAt)
            due = std::min(due, std::chrono::ceil<Duration>(*m_leftAt - m_viewedAt));
    }
    return due + LeaseView::graceBehind(ahead);
}

/// When a lease that lives ends, on our clock.
void UniqueAcquire::noteEnd()
{
    if (m_view.isExpired())
        return;
    m_livingToken = m_view.token;
    m_expiredToken.reset();
    m_livingUntil = deadlineFrom(LeaseClock::now(), m_view.remaining) - clockSlack(m_view.ttl);
}

/// Waits for the one right before us: it learns of the end of what it waits for itself, so nobody else need wake us.
/// But any of those before us may be granted and freeze, and then its lease ends when its own time is over. Of those
/// that are dead the ones at the front have been removed; the others are passed over.
UniqueAcquire::Next UniqueAcquire::decideBehind(std::size_t ahead)
{
    Duration atMost = std::min(kLongestWait, untilOverslept(ahead));
    // Once when the first has overslept, for then there may be fewer before us than now.
    if (const Duration untilFirst = untilOverslept(1); untilFirst > Duration::zero())
        atMost = std::min(atMost, untilFirst);
    for (std::size_t i = 0; i < ahead; ++i)
        atMost = std::min(atMost, std::max(kShortestWait, m_view.queue[i].ttl));
    if (m_skipped < ahead)
        return waitFor(m_view.queue[ahead - 1 - m_skipped].name, atMost);
    m_skipped = 0;
    return waitForHolder(atMost);
}

/// A name that is free in the moment of a hand-over proves nothing, for the row was read before; one that is still free
/// on a second look does.
UniqueAcquire::Next UniqueAcquire::waitForHolder(Duration atMost)
{
    if (m_view.isHolderAlive) {
        m_orphan.clear();
        return waitFor(m_view.presence, atMost);
    }
    if (m_orphan != m_view.presence) {
        m_orphan = m_view.presence;
        return Next::ReadAgain;
    }
    m_atMost = std::min(atMost, kOrphanReadings);
    return Next::Sleep;
}

UniqueAcquire::Next UniqueAcquire::decideAsFirst()
{
    if (m_view.isExpired())
        return decideExpired();
    if (!m_view.kept)
        return waitForHolder(std::min(m_view.remaining, kFirstReadings));
    m_atMost = std::min(m_view.remaining, kOrphanReadings); // it has no name whose end a force release could show
    return Next::Sleep;
}

/// Expired when we came, or before its time, although its holder lives: perhaps the server's clock was set. Its release
/// or its death is waited for meanwhile.
UniqueAcquire::Next UniqueAcquire::decideExpired()
{
    const auto now = LeaseClock::now();
    if (!m_view.mayBeRenewed() || now >= endOnOurClock())
        return Next::Claim;
    if (m_expiredToken != m_view.token) {
        m_expiredToken = m_view.token;
        m_expiredSeen = now;
    }
    const auto left = std::chrono::duration_cast<Duration>(m_expiredSeen + m_view.clockGrace() - now);
    return left <= Duration::zero() ? Next::Claim : waitForHolder(std::min(left, kFirstReadings));
}

/// From here on it is no surprise that the lease has expired. One that we never saw alive was granted after the last
/// look that saw another; max() for one that was there when we came.
LeaseClock::time_point UniqueAcquire::endOnOurClock() const
{
    if (m_livingToken == m_view.token)
        return m_livingUntil;
    return m_olderSeenAt ? deadlineFrom(*m_olderSeenAt, m_view.ttl) - clockSlack(m_view.ttl)
                         : LeaseClock::time_point::max();
}

UniqueAcquire::Next UniqueAcquire::waitFor(const QByteArray &name, Duration atMost)
{
    m_awaited = name;
    m_atMost = atMost;
    return Next::Wait;
}

/// Of a time that is counted from the view on: we may have been frozen meanwhile.
Duration UniqueAcquire::leftOf(Duration atMost) const
{
    return atMost == Forever ? Forever : atMost - std::chrono::duration_cast<Duration>(LeaseClock::now() - m_viewedAt);
}

UniqueAcquire::Answer UniqueAcquire::act(ReconnectingSession &link, Next next)
{
    m_inVain = next == Next::Wait || next == Next::Sleep ? 0 : m_inVain + 1;
    if (m_inVain > kChances)
        sleep(2ms); // others are faster; let them finish
    switch (next) {
    case Next::Begin:
        return begin(link);
    case Next::Join:
        return join(link);
    case Next::Rejoin:
        return rejoin(link);
    case Next::ReadAgain:
        return look(link);
    case Next::Wait:
        return block(link);
    case Next::Sleep:
        m_control->sleepUntilCalled(WaitControl::Clock::now() + leftOf(m_atMost), [] { return false; });
        m_isViewOld = true;
        return std::nullopt;
    case Next::Claim: {
        // Whoever is first must still be first: somebody may have taken its place before us again.
        const Duration grace = LeaseView::graceBehind(m_view.placeOf(m_name).value_or(0));
        return claim(link, std::max<Duration>(grace, LeaseView::FirstGrace));
    }
    }
    Q_UNREACHABLE();
}

/// The row was cleaned up meanwhile.
UniqueAcquire::Answer UniqueAcquire::begin(ReconnectingSession &link)
{
    if (m_inVain > kNoFloorAfter)
        return giveUp(link, Outcome::Failed, noTokenFloor());
    m_core->mysql().forgetName(m_request.resource);
    m_arrival = 0;
    m_line.clear();
    m_isViewOld = true;
    return tryFree();
}

UniqueAcquire::Answer UniqueAcquire::join(ReconnectingSession &link)
{
    const QByteArray packet = link.render("engine/join", params()) + "; " + link.render("engine/look", params());
    auto joining = m_local.joining();
    if (m_control->isOver() || m_control->isCancelled())
        return std::nullopt; // others of this process took long
    m_mayBeIn = true;
    m_isNameUnknown = false;
    const auto sentAt = LeaseClock::now();
    const Reply reply = m_control->send(link, packet, "engine/join");
    if (reply.set(0).affected == 1) {
        m_arrival = reply.set(0).insertId;
        m_line = ownLine(); // until it is read
        m_local.enter(m_arrival, m_name);
    }
    joining.unlock();
    if (!reply)
        return afterError(link, *reply.error);
    Answer answer = takeIn(LeaseView::from(reply), sentAt, {});
    m_isViewOld = m_isViewOld || !m_local.isFirst(); // old by the time our turn comes
    return answer;
}

/// As engine/join writes it, but for the server's clock.
QByteArray UniqueAcquire::ownLine() const
{
    const qint64 since = QDateTime::currentMSecsSinceEpoch() * 1000;
    const QByteArray ttl = m_request.ttl == Forever ? QByteArray() : QByteArray::number(qint64(m_request.ttl.count()));
    return QByteArrayList{
               m_name, QByteArray::number(m_arrival), ttl, QByteArray::number(since), m_request.note.toHex().toUpper(),
               m_owner}
               .join('\t')
        + '\n';
}

/// We were taken for dead, for our process had lost the session that holds our name. With a new one: somebody may still
/// wait for the old one, and would not learn what becomes of us.
UniqueAcquire::Answer UniqueAcquire::rejoin(ReconnectingSession &link)
{
    LockError error;
    if (!takeName(&error))
        return afterError(link, error);
    m_isNameUnknown = false;
    m_line.replace(0, m_line.indexOf('\t'), m_name);
    m_local.enter(m_arrival, m_name);
    const QByteArray step = m_view.isFree()
        ? link.render("engine/acquire", params())
        : link.render("engine/rejoin", params().bytes("seen", m_view.storedQueue).bytes("queue", queueWithUs()));
    const QByteArray packet = step + "; " + link.render("engine/look", params());
    const auto sentAt = LeaseClock::now();
    const Reply reply = m_control->send(link, packet, "engine/rejoin");
    return reply ? takeIn(LeaseView::from(reply), sentAt, {}) : afterError(link, *reply.error);
}

QByteArray UniqueAcquire::queueWithUs() const
{
    const auto next = std::find_if(m_view.queue.begin(), m_view.queue.end(),
                                   [this](const QueueEntry &entry) { return entry.arrival > m_arrival; });
    QByteArray queue;
    for (auto entry = m_view.queue.begin(); entry != next; ++entry)
        queue += entry->line;
    queue += m_line;
    for (auto entry = next; entry != m_view.queue.end(); ++entry)
        queue += entry->line;
    return queue;
}

/// Blocks until the user-level lock m_awaited is free and asks in the same packet whether we are granted; if not,
/// looks.
UniqueAcquire::Answer UniqueAcquire::block(ReconnectingSession &link)
{
    Duration wait = leftOf(m_atMost);
    if (m_control->budgetEnd() != WaitControl::Clock::time_point::max())
        wait = std::min(wait, std::chrono::duration_cast<Duration>(m_control->budgetEnd() - WaitControl::Clock::now()));
    const qint64 milliseconds = std::max<qint64>(1, std::chrono::ceil<std::chrono::milliseconds>(wait).count());
    const auto awaited = Params().lockName("name", m_awaited);
    const QByteArray granted = link.execution("engine/granted", params());
    LockError cannotOpen;
    if (!link.session(&cannotOpen))
        return afterError(link, cannotOpen);
    // A release from outside finds this wait by the session's name.
    const QByteArray waiter = m_core->mysql().markOf(link.sessionNumber());
    const QByteArray packet =
        link.render("engine/wait", Params(awaited).number("milliseconds", milliseconds).lockName("waiter", waiter))
        + "; " + granted;
    const auto sentAt = LeaseClock::now();
    const Reply reply = m_control->sendUnlessCalled(link, packet, "engine/wait"); // since the look that decided this
    if (reply) {
        const bool wasFree = LeaseClock::now() - sentAt < std::chrono::milliseconds(milliseconds);
        const LeaseView view = LeaseView::ofHolder(m_name, reply);
        if (view.exists)
            return takeIn(view, sentAt, reply.value(0).toLongLong());
        m_isViewOld = true;
        return m_control->isOver() || m_control->isCancelled() ? std::nullopt : readAfterWait(link, wasFree);
    }
    if (reply.error->kind != Kind::Interrupted)
        return afterError(link, *reply.error);
    link.run("ROLLBACK; " + link.render("engine/unwait", awaited), "engine/unwait");
    m_isViewOld = true;
    return std::nullopt;
}

/// One that is still before us although its name is free is dead.
UniqueAcquire::Answer UniqueAcquire::readAfterWait(ReconnectingSession &link, bool wasFree)
{
    Answer answer = look(link);
    if (answer || m_isViewOld)
        return answer;
    const auto awaited = m_view.placeOf(m_awaited);
    const auto own = m_view.placeOf(m_name);
    if (!wasFree || !awaited || !own || *awaited >= *own) {
        m_skipped = 0;
        return std::nullopt;
    }
    m_skipped = *own - *awaited;
    return look(link, std::min(*own, kDropsDead));
}

/// `dropsDead`: at most so many that are dead leave the front of the queue first.
QByteArray UniqueAcquire::readPacket(ReconnectingSession &link, std::size_t dropsDead)
{
    QByteArray packet;
    for (std::size_t i = 0; i < dropsDead; ++i)
        packet += link.render("engine/drop_dead", params()) + "; ";
    return packet + link.render("engine/look", params());
}

UniqueAcquire::Answer UniqueAcquire::look(ReconnectingSession &link, std::size_t dropsDead)
{
    LockError error;
    if (!link.session(&error))
        return afterError(link, error);
    m_core->mysql().endSession(link, std::exchange(m_brokenSession, 0));
    m_control->answerCall();
    const auto sentAt = LeaseClock::now();
    const Reply reply = m_control->send(link, readPacket(link, dropsDead), "engine/look");
    return reply ? takeIn(LeaseView::from(reply), sentAt, {}) : afterError(link, *reply.error);
}

/// Keeps what was read, and reports the lease when it is ours. `sentClock` is the server's clock at the packet's start:
/// it places the read on our clock although the packet waited in between.
UniqueAcquire::Answer UniqueAcquire::takeIn(LeaseView view, LeaseClock::time_point sentAt,
                                            std::optional<qint64> sentClock)
{
    const bool isFirstView = m_viewedAt == LeaseClock::time_point();
    const quint64 tokenBefore = m_view.token;
    m_view = std::move(view);
    if (!isFirstView && m_view.token != tokenBefore)
        m_olderSeenAt = m_viewedAt;
    const auto onServer = std::chrono::microseconds(sentClock ? m_view.clock - *sentClock : 0);
    m_viewedAt = std::clamp(sentAt + onServer, sentAt, LeaseClock::now()); // the server's clock may have been set
    m_isViewOld = false;
    m_unreachableSince.reset();
    const bool isLeft = m_view.isExpired() && !m_view.mayBeRenewed();
    if (!isLeft)
        m_leftAt.reset();
    else if (!m_leftAt || m_view.token != tokenBefore)
        m_leftAt = LeaseClock::now();
    const bool isOurs = m_view.exists && m_view.presence == m_name;
    const auto place = m_view.placeOf(m_name);
    m_wasOut = m_wasOut || (!isOurs && !place && !m_line.isEmpty());
    // Others of this process sleep: whom the row names, and who has lost its place because its process had no session.
    // A holder is not told the queue; if it had lost its place, so have they.
    m_local.callConcerned(
        [&](const QByteArray &name) { return isOurs ? m_wasOut : m_view.presence == name || !m_view.placeOf(name); });
    if (isOurs)
        return takeGrant(sentAt, sentClock);
    if (!place)
        return std::nullopt;
    m_line = m_view.queue[*place].line;
    if (m_arrival == 0) { // the answer that we are in was lost
        m_arrival = m_view.queue[*place].arrival;
        m_local.enter(m_arrival, m_name);
    }
    if (*place < m_skipped)
        m_skipped = 0;
    return std::nullopt;
}

UniqueAcquire::Answer UniqueAcquire::takeGrant(LeaseClock::time_point sentAt, std::optional<qint64> sentClock)
{
    if (m_view.remaining <= Duration::zero()) {
        m_isViewOld = true; // join again, with a new name
        return beginAgain(m_view.token);
    }
    const auto elapsed = LeaseClock::now() - sentAt;
    const auto onServer = std::chrono::microseconds(sentClock ? m_view.clock - *sentClock : 0);
    const auto slack = elapsed - onServer;
    // A clock that was set meanwhile, or an answer that lay around for long, proves nothing: read once more.
    if (m_request.ttl != Forever && (slack < 0ns || slack > m_request.ttl / 3)) {
        m_isViewOld = true;
        return std::nullopt;
    }
    return granted(m_view.token, deadlineFrom(sentAt + onServer, m_view.remaining), true);
}

UniqueAcquire::Answer UniqueAcquire::afterError(ReconnectingSession &link, const LockError &error)
{
    m_isViewOld = true;
    if (!error.connectionGone) // a packet that was cut off may have left its transaction open
        link.run("ROLLBACK", "engine/wait");
    switch (error.kind) {
    case Kind::Contention:
    case Kind::Interrupted:
        sleep(Duration(QRandomGenerator::global()->bounded(2000)));
        return std::nullopt;
    case Kind::ConnectionLost:
        m_brokenSession = link.sessionNumber();
        [[fallthrough]];
    case Kind::Unavailable:
        m_core->mysql().keeper.checkSession(); // whatever broke this connection may have broken that one
        return afterSilence(error);
    default:
        return giveUp(link, Outcome::Failed, error);
    }
}

/// One connection that broke is no reason to wait before the next.
UniqueAcquire::Answer UniqueAcquire::afterSilence(const LockError &error)
{
    const bool isFirst = !m_unreachableSince;
    if (isFirst)
        m_unreachableSince = LeaseClock::now();
    if (LeaseClock::now() - *m_unreachableSince > kUnreachable)
        return failed(error, Outcome::Unknown);
    if (!isFirst || error.kind == Kind::Unavailable)
        sleep(200ms);
    return std::nullopt;
}

void UniqueAcquire::sleep(Duration duration)
{
    m_control->sleepUntil(WaitControl::Clock::now() + duration, [] { return false; });
}

} // namespace lockscope::detail
