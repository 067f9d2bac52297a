#include "rowlock_p.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QtEndian>

#include <algorithm>

namespace lockscope::detail {

namespace {

using namespace std::chrono_literals;
using Kind = LockError::Kind;

/// Connections that may break under one request before it gives up: a killed one costs a reconnect, no more.
constexpr int kMostBroken = 3;
/// Of a session that no TTL ends: longer than the server's own default of eight hours.
constexpr qint64 kLongestIdle = 31'536'000;
/// Of the server's own limit for row locks, in seconds: a wait has its limit in its statement, a try is not to wait.
constexpr qint64 kLongestRowWait = 100'000'000;
constexpr qint64 kShortestRowWait = 1;
/// A budget up to this is a try: as a limit of the statement it could end before a free row was looked at.
constexpr Duration kTryOnly = 1ms;

} // namespace

qint64 idleSeconds(Duration ttl)
{
    return ttl == Forever ? kLongestIdle
                          : std::min<qint64>(kLongestIdle, std::chrono::ceil<std::chrono::seconds>(ttl).count());
}

QByteArray stripeOf(const QByteArray &resource, int stripes)
{
    const QByteArray digest = QCryptographicHash::hash(resource, QCryptographicHash::Sha256);
    const auto number = qFromBigEndian<quint64>(digest.constData()) % quint64(stripes);
    return "stripe " + QByteArray::number(number) + " of " + QByteArray::number(stripes);
}

RowAcquire::RowAcquire(std::shared_ptr<EngineCore> core, const LockRequest &request, QByteArray owner,
                       QList<QByteArray> rows)
    : m_core(std::move(core))
    , m_request(request)
    , m_owner(std::move(owner))
    , m_rows(std::move(rows))
    , m_rowsMayBeMissing(m_rows.size() > 1)
    , m_control(std::make_shared<WaitControl>(m_core->keeper.lane(), WaitControl::endOf(request.wait)))
    , m_waits(request.wait > kTryOnly)
{
}

AcquireResult RowAcquire::run()
{
    m_lane = m_core->pool.lend();
    if (!m_lane) {
        LockError limit;
        limit.kind = Kind::LimitReached;
        limit.message =
            QStringLiteral("All connections of this engine hold row locks or wait; each such lock needs one. "
                           "Raise maxConnections (now %1), of which half are for this.")
                .arg(m_core->config.maxConnections);
        return {Outcome::Failed, {}, limit};
    }
    m_core->addWait(m_control);
    if (m_waits)
        m_control->watchBudget(m_core->timer);
    AcquireResult result;
    {
        const std::stop_callback onStop(m_request.stop, [this] { m_control->cancel(); });
        result = acquire();
    }
    m_core->removeWait(m_control);
    if (result.outcome == Outcome::Busy && m_request.wait > Duration::zero())
        result.outcome = Outcome::TimedOut;
    return result;
}

AcquireResult RowAcquire::acquire()
{
    AcquireResult result;
    const auto onLent = [&](Link &link) { result = onLane(link); };
    // Waiting while holding something is announced, which costs two commits; a row that is free needs none of that.
    if (m_waits && m_core->holdsAnything(m_request.ownerKey)) {
        m_waits = false;
        m_lane->run(onLent);
        if (result.outcome != Outcome::Busy)
            return result;
        m_waits = true;
    }
    if (!m_waits) {
        m_lane->run(onLent);
        return result;
    }
    m_circle = std::make_shared<CircleWatch>(*m_core, m_request, m_owner, m_control);
    if (auto refused = m_circle->enter())
        result = std::move(*refused);
    else
        m_lane->run(onLent);
    m_circle->leave();
    return result;
}

AcquireResult RowAcquire::onLane(Link &link)
{
    for (;;) {
        if (m_control->isCancelled())
            return {cancelled(), {}, {}};
        if (auto answer = tryOnce(link)) // the smallest budget is enough for a row that is free, also for a new one
            return std::move(*answer);
        if (m_waits && m_control->isOver() && !m_rowsMayBeMissing)
            return {Outcome::TimedOut, {}, {}};
    }
}

RowAcquire::Answer RowAcquire::tryOnce(Link &link)
{
    LockError error;
    if (!link.session(&error))
        return AcquireResult{Outcome::Failed, {}, error};
    if (m_rowsMayBeMissing) {
        if (const auto refused = ensureRows(link))
            return afterError(link, *refused);
        m_rowsMayBeMissing = false;
    }
    const auto sentAt = LeaseClock::now();
    const Reply reply = send(link, packet(link));
    return reply ? afterReply(link, reply, sentAt) : afterError(link, *reply.error);
}

/// Makes the rows that are missing. A row that is there is left alone: inserting it again would wait for its holder.
std::optional<LockError> RowAcquire::ensureRows(Link &link)
{
    const Reply known = link.run("engine/row_known", Params().bytesList("resources", m_rows));
    if (!known)
        return known.error;
    QSet<QByteArray> missing(m_rows.begin(), m_rows.end());
    for (const QVariantList &row : known.set(-1).rows)
        missing.remove(row.first().toByteArray());
    for (const QByteArray &row : std::as_const(missing)) {
        const Reply made = link.run("engine/row_ensure", Params().bytes("resource", row));
        if (!made && made.error->kind != Kind::Contention) // contended: another made it meanwhile, and holds it
            return made.error;
    }
    return std::nullopt;
}

QByteArray RowAcquire::packet(Link &link) const
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

Params RowAcquire::holder(const Link &link, const QByteArray &row) const
{
    return Params()
        .bytes("resource", row)
        .bytes("owner", m_owner)
        .bytes("note", m_request.note)
        .lockName("presence", m_core->target.mark + QByteArray::number(link.connectionId()));
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
Reply RowAcquire::send(Link &link, const QByteArray &packet)
{
    bool isKilled = false;
    Reply reply = m_control->send(link, packet, "engine/row_lock", &isKilled);
    if (isKilled && reply)
        reply.error = lockErrorFor(1927, {}, "engine/row_lock");
    return reply;
}

RowAcquire::Answer RowAcquire::afterReply(Link &link, const Reply &reply, LeaseClock::time_point sentAt)
{
    const bool isAny = m_rows.size() > 1;
    const auto &found = reply.set(isAny ? -1 : 2).rows;
    if (!found.isEmpty()) {
        const QByteArray row = found.first().value(0).toByteArray();
        if (isAny) {
            const Reply marked = link.run("engine/row_holder", holder(link, row));
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

RowAcquire::Answer RowAcquire::afterError(Link &link, const LockError &error)
{
    if (error.connectionGone) {
        if (m_control->isCancelled())
            return AcquireResult{cancelled(), {}, {}};
        if (m_waits && m_control->isOver())
            return AcquireResult{Outcome::TimedOut, {}, {}};
        if (error.kind != Kind::ConnectionLost || ++m_broken > kMostBroken)
            return AcquireResult{Outcome::Failed, {}, error};
        return std::nullopt; // what the broken session had, the server has undone
    }
    // A wait meets a limit at a table that is locked. A deadlock is no circle of owners, for this transaction has
    // nothing yet: who makes a row that was cleaned up shares its lock first, and to take it alone is no way past who
    // waits.
    if (error.kind == Kind::Contention)
        return m_waits ? goOn(link) : leave(link, Outcome::Busy);
    if (error.kind == Kind::Interrupted)
        return m_control->isCancelled() ? leave(link, cancelled()) : goOn(link); // a stranger's KILL QUERY, or its time
    return leave(link, Outcome::Failed, error);
}

/// Ends what the packet began; the loop sees whether there is time for another.
RowAcquire::Answer RowAcquire::goOn(Link &link)
{
    if (!link.run("engine/row_free", Params()))
        link.drop();
    return std::nullopt;
}

AcquireResult RowAcquire::leave(Link &link, Outcome outcome, std::optional<LockError> error)
{
    if (!link.run("engine/row_free", Params()))
        link.drop();
    return {outcome, {}, std::move(error)};
}

/// Over another connection, which may have been closed while it was idle. A number that is raised twice is no loss.
Reply RowAcquire::raiseToken(const QByteArray &row)
{
    Reply raised;
    for (int broken = 0; broken <= kMostBroken;) {
        m_core->service.run(
            [&](Link &other) { raised = other.run("engine/row_token", Params().bytes("resource", row)); });
        if (raised)
            break;
        const bool isContended = raised.error->kind == Kind::Contention;
        broken += raised.error->kind == Kind::ConnectionLost ? 1 : 0;
        const bool hasTime = m_waits && !m_control->isOver() && !m_control->isCancelled();
        if (raised.error->kind != Kind::ConnectionLost && !(isContended && hasTime))
            break;
    }
    return raised;
}

/// The row's token, raised while it is held: who holds the row later raises it later. A session that ended meanwhile
/// has freed its row, so a number of which that is not known is not told. Nothing = the hold has its token.
std::optional<RowAcquire::Answer> RowAcquire::fence(Link &link, Hold &hold, LeaseClock::time_point *sentAt)
{
    const Reply raised = raiseToken(hold.resource);
    if (!raised && m_control->isCancelled())
        return leave(link, cancelled());
    if (!raised && raised.error->kind == Kind::Contention)
        return leave(link, m_waits ? Outcome::TimedOut : Outcome::Busy);
    if (!raised)
        return leave(link, Outcome::Failed, raised.error);
    *sentAt = LeaseClock::now();
    if (const Reply reply = link.run("engine/row_check", Params()); !reply)
        return afterError(link, *reply.error);
    hold.token = raised.value(-1).toULongLong();
    return std::nullopt;
}

RowAcquire::Answer RowAcquire::granted(Link &link, const QByteArray &row, LeaseClock::time_point sentAt)
{
    LockRequest got = m_request;
    got.resource = row;
    auto hold = std::make_shared<Hold>(m_core, got, m_owner);
    // The server counts a session's idle time from the end of its last packet; after a long wait that was a while ago.
    if (m_request.ttl != Forever && LeaseClock::now() - sentAt > m_request.ttl / 3) {
        sentAt = LeaseClock::now();
        if (const Reply reply = link.run("engine/row_check", Params()); !reply)
            return leave(link, Outcome::Unknown, reply.error);
    }
    if (m_request.wantsToken) {
        if (auto refused = fence(link, *hold, &sentAt))
            return std::move(*refused);
    }
    hold->setDeadline(deadlineFrom(sentAt, m_request.ttl), m_request.ttl);
    auto lock = std::make_shared<RowLock>();
    lock->lane = m_lane;
    lock->row = row;
    lock->connection = link.connectionId();
    hold->setRow(std::move(lock));
    m_core->addHold(hold);
    watchRow(m_core, hold);
    return AcquireResult{Outcome::Granted, LockHandle(std::move(hold)), {}};
}

} // namespace lockscope::detail
