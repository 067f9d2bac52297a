// SPDX-License-Identifier: MIT
#include "zookeeperlink.h"

#include "zookeepererror.h"
#include "zookeepernames.h"

#include <algorithm>
#include <utility>

namespace lockscope::detail {

namespace {

QString millisecondsText(std::chrono::milliseconds time)
{
    return QStringLiteral("%1 ms").arg(time.count());
}

} // namespace

ZooKeeperLink::ZooKeeperLink(ZooKeeperConfig config)
    : m_config(std::move(config))
{
}

ZooKeeperLink::~ZooKeeperLink()
{
    stop();
}

void ZooKeeperLink::start(const LockStore::Listener &listener)
{
    if (m_thread.joinable())
        return; // the first try to connect had no success
    m_listener = listener;
    m_thread = std::thread([this] { work(); });
}

void ZooKeeperLink::stop()
{
    {
        const Lock lock(m_mutex);
        m_isEnding = true;
        m_changed.notify_all();
    }
    if (m_thread.joinable())
        m_thread.join();
    // They go when the mutex has.
    Session session;
    std::map<QByteArray, Held> held;
    Nodes abandoned;
    const Lock lock(m_mutex);
    session.swap(m_session);
    held.swap(m_held);
    abandoned.swap(m_abandoned);
}

ZooKeeperLink::Session ZooKeeperLink::session(LockError *error)
{
    for (bool isNew = false;; isNew = true) {
        Session session = current(error);
        if (!session)
            return nullptr;
        const auto away = session->reach();
        const auto refused = away ? std::nullopt : refuse(*session);
        if (!away && !refused)
            return session;
        *error = away ? *away : *refused;
        // That it has ended is often learned only here, from the server that it came back to.
        const bool hasEnded = session->wasConnected() && session->isOver();
        if (!session->wasConnected() || hasEnded || refused)
            drop(session); // not to go on trying for ever
        if (!hasEnded || isNew)
            return nullptr;
    }
}

ZooKeeperLink::Session ZooKeeperLink::current(LockError *error)
{
    const Lock opening(m_opening);
    Session old;
    {
        const Lock lock(m_mutex);
        if (m_session && !m_session->isOver())
            return m_session;
        old = std::exchange(m_session, nullptr);
    }
    old.reset(); // which waits for its threads
    ZooKeeperSession::Listener listener;
    listener.onChanged = [this] { wakeUp(); };
    listener.onNode = [this](const QByteArray &path, bool isGone) { heardOfNode(path, isGone); };
    Session session = ZooKeeperSession::open(m_config, listener, error);
    const Lock lock(m_mutex);
    m_session = session;
    return session;
}

void ZooKeeperLink::drop(const Session &session)
{
    Session dropped;
    const Lock lock(m_mutex);
    if (m_session == session)
        dropped = std::move(m_session); // ends with the caller's
}

/// Deadlines and TTLs are reckoned by the time that was asked for.
std::optional<LockError> ZooKeeperLink::refuse(ZooKeeperSession &session) const
{
    if (session.timeout() == m_config.sessionTimeout)
        return std::nullopt;
    // The first words of another server may look like the grant of a session.
    ZooKeeperFlight flight(session);
    flight.sync("/");
    flight.wait();
    if (isAnswerLost(flight[0].code))
        return zooKeeperUnavailable(
            QStringLiteral("What answers at %1 is no ZooKeeper.").arg(m_config.server.toString()));
    LockError error;
    error.kind = LockError::Kind::UnsafeServer;
    error.message =
        QStringLiteral("ZooKeeper gives sessions a time-out of %1, not of %2: choose one within its bounds, "
                       "or change them (minSessionTimeout, maxSessionTimeout).")
            .arg(millisecondsText(session.timeout()), millisecondsText(m_config.sessionTimeout));
    return error;
}

bool ZooKeeperLink::hold(const Session &session, const LockStore::Lease &lease, LeaseClock::time_point deadline)
{
    const Lock lock(m_mutex);
    if (session->isOver() || LeaseClock::now() >= deadline)
        return false;
    m_held[lease.place] = {session, lease, deadline};
    if (deadline < m_wakesAt) {
        m_hasNews = true;
        m_changed.notify_all();
    }
    return true;
}

ZooKeeperLink::Session ZooKeeperLink::sessionOf(const LockStore::Lease &lease)
{
    const Lock lock(m_mutex);
    const auto found = m_held.find(lease.place);
    return found != m_held.end() ? found->second.session : nullptr;
}

bool ZooKeeperLink::extend(const LockStore::Lease &lease, LeaseClock::time_point deadline)
{
    const Lock lock(m_mutex);
    const auto found = m_held.find(lease.place);
    if (found == m_held.end())
        return false;
    found->second.deadline = deadline;
    return true;
}

ZooKeeperLink::Session ZooKeeperLink::forget(const LockStore::Lease &lease)
{
    const Lock lock(m_mutex);
    auto found = m_held.extract(lease.place);
    return found ? std::move(found.mapped().session) : nullptr;
}

void ZooKeeperLink::sawNode(const QByteArray &path, const ZooKeeperReply &reply)
{
    const StoreAsks asks = noteOf(reply.text).asks;
    LockStore::Lease lease;
    QStringList fresh;
    {
        const Lock lock(m_mutex);
        const auto found = m_held.find(path);
        if (found == m_held.end() || reply.version <= found->second.version)
            return;
        found->second.version = reply.version;
        fresh = asks.after(std::exchange(found->second.asks, asks.count));
        lease = found->second.lease;
    }
    for (const QString &reason : std::as_const(fresh)) {
        if (m_listener.onAsked)
            m_listener.onAsked(lease, reason);
    }
}

void ZooKeeperLink::abandon(const Session &session, const QByteArray &path)
{
    const Lock lock(m_mutex);
    m_abandoned[path] = session;
    m_hasNews = true;
    m_changed.notify_all();
}

bool ZooKeeperLink::isAbandoned(const QByteArray &path)
{
    const Lock lock(m_mutex);
    return m_abandoned.count(path) > 0;
}

void ZooKeeperLink::wakeUp()
{
    const Lock lock(m_mutex);
    m_hasNews = true;
    m_changed.notify_all();
}

/// In the library's thread: what that comes to is found out in our own.
void ZooKeeperLink::heardOfNode(const QByteArray &path, bool isGone)
{
    const Lock lock(m_mutex);
    if (m_held.count(path) == 0)
        return;
    m_nodes[path] = isGone;
    m_hasNews = true;
    m_changed.notify_all();
}

} // namespace lockscope::detail
