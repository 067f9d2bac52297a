// SPDX-License-Identifier: MIT
// The thread of a ZooKeeperLink.
#include "zookeeperlink.h"

#include "zookeepererror.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <zookeeper/zookeeper.h>

namespace lockscope::detail {

namespace {

using namespace std::chrono_literals;

/// What could not be removed is tried again after so long; nothing else happens by itself later than this.
constexpr LeaseClock::duration kAgain = 500ms;
constexpr LeaseClock::duration kIdle = 1h;

/// "/r/_c_1-lock-0000000000" → "/r"
QByteArray folderIn(const QByteArray &path)
{
    return path.left(path.lastIndexOf('/'));
}

} // namespace

void ZooKeeperLink::work()
{
    for (;;) {
        Todo todo;
        {
            Lock lock(m_mutex);
            m_wakesAt = nextTime(LeaseClock::now());
            m_changed.wait_for(lock, m_wakesAt - LeaseClock::now(), [this] { return m_isEnding || m_hasNews; });
            if (m_isEnding)
                return;
            m_hasNews = false;
            todo = take(LeaseClock::now());
        }
        carryOut(todo);
    }
}

/// Leases whose session has ended are lost. In those whose time is over their holders do not believe any more.
ZooKeeperLink::Todo ZooKeeperLink::take(LeaseClock::time_point now)
{
    Todo todo;
    for (auto it = m_held.begin(); it != m_held.end();) {
        const QByteArray &path = it->first;
        Held &held = it->second;
        const bool isLost = held.session->isOver();
        const bool isTaken = isLost || held.deadline <= now;
        if (isLost)
            todo.lost.push_back(std::move(held));
        else if (isTaken)
            m_abandoned[path] = std::move(held.session);
        it = isTaken ? m_held.erase(it) : std::next(it);
    }
    todo.nodes.swap(m_nodes);
    todo.abandoned = m_abandoned;
    return todo;
}

LeaseClock::time_point ZooKeeperLink::nextTime(LeaseClock::time_point now) const
{
    auto next = now + (m_abandoned.empty() ? kIdle : kAgain);
    for (const auto &[path, held] : m_held)
        next = std::min(next, held.deadline);
    return std::max(next, now);
}

void ZooKeeperLink::carryOut(const Todo &todo)
{
    for (const Held &held : todo.lost) {
        if (m_listener.onLost)
            m_listener.onLost(held.lease, LossReason::SessionEnded);
    }
    for (const auto &[path, isGone] : todo.nodes)
        look(path, isGone);
    for (const auto &[path, session] : todo.abandoned) {
        if (isRemoved(path, *session)) {
            const Lock lock(m_mutex);
            m_abandoned.erase(path); // of which `todo` has a copy
        }
    }
}

/// Somebody has ended a lease of ours, or asks for it.
void ZooKeeperLink::look(const QByteArray &path, bool isGone)
{
    std::optional<Held> held; // a copy, which goes when the mutex has
    {
        const Lock lock(m_mutex);
        const auto found = m_held.find(path);
        if (found == m_held.end())
            return;
        held = found->second;
        if (isGone)
            m_held.erase(found);
    }
    if (isGone) {
        if (m_listener.onLost)
            m_listener.onLost(held->lease, LossReason::TakenOver);
        return;
    }
    ZooKeeperFlight flight(*held->session);
    flight.get(path, true);
    if (flight.wait() && flight[0].code == 0)
        sawNode(path, flight[0]); // else the next renewal sees it
}

/// Also true when its session has ended, and when it may not be removed. A request whose answer was lost has been
/// carried out by now if it ever is: it was sent before, and the servers keep that order.
bool ZooKeeperLink::isRemoved(const QByteArray &path, ZooKeeperSession &session)
{
    if (session.isOver())
        return true;
    if (!session.isConnected())
        return false;
    const QByteArray folder = folderIn(path);
    ZooKeeperFlight look(session);
    look.sync(folder);
    look.children(folder);
    look.wait();
    const auto isFinal = [](int code) { return code == ZOK || code == ZNONODE || code == ZNOAUTH; };
    if (isAnswerLost(look[0].code) || !isFinal(look[1].code))
        return false;
    ZooKeeperFlight flight(session);
    std::size_t removals = 0;
    for (const QByteArray &name : look[1].names) {
        const QByteArray node = folder + '/' + name;
        if (node.startsWith(path)) {
            flight.remove(node, -1);
            ++removals;
        }
    }
    return removals == 0 || (flight.wait() && isFinal(flight[0].code));
}

} // namespace lockscope::detail
