// SPDX-License-Identifier: MIT
// The thread of an EtcdLink.
#include "etcderror.h"
#include "etcdlink.h"

#include <algorithm>
#include <utility>

namespace lockscope::detail {

namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// What could not be done is tried again after so long; nothing else happens by itself later than this.
constexpr LeaseClock::duration kAgain = 500ms;
constexpr LeaseClock::duration kIdle = 1h;

} // namespace

void EtcdLink::start(const QByteArray &session, const LockStore::Listener &listener)
{
    m_session = session;
    m_listener = listener;
    m_thread = std::thread([this] { work(); });
}

void EtcdLink::stop()
{
    {
        const Lock lock(m_mutex);
        m_isEnding = true;
        m_changed.notify_all();
    }
    if (m_thread.joinable())
        m_thread.join();
    m_mail.reset();
    m_watches.stop();
    std::vector<qint64> left;
    {
        const Lock lock(m_mutex);
        for (const auto &[key, held] : std::exchange(m_held, {}))
            left.insert(left.end(), {held.keeping.lease.id, held.keeping.next.id});
        for (const Abandoned &abandoned : std::exchange(m_abandoned, {}))
            left.push_back(abandoned.lease.id);
        const auto now = LeaseClock::now();
        for (const EtcdLease &lease : std::exchange(m_free, {})) {
            if (lease.goodUntil > now)
                left.push_back(lease.id);
        }
    }
    std::erase(left, 0);
    // One that the server does not answer for ends by itself.
    static_cast<void>(std::all_of(left.begin(), left.end(), [this](qint64 lease) { return revoke(lease); }));
}

void EtcdLink::wakeUp()
{
    const Lock lock(m_mutex);
    m_hasNews = true;
    m_changed.notify_all();
}

void EtcdLink::work()
{
    for (;;) {
        abandonOverdue();
        hearMail();
        endAbandoned();
        Lock lock(m_mutex);
        const auto now = LeaseClock::now();
        m_wakesAt = nextTime(now);
        m_changed.wait_for(lock, m_wakesAt - now, [this] { return m_isEnding || m_hasNews; });
        if (m_isEnding)
            return;
        m_hasNews = false;
    }
}

/// With the mutex held.
LeaseClock::time_point EtcdLink::nextTime(LeaseClock::time_point now) const
{
    const bool isSettled = m_abandoned.empty() && m_hasReadMail;
    auto next = now + (isSettled ? kIdle : kAgain);
    for (const auto &[key, held] : m_held)
        next = std::min(next, held.deadline);
    return std::max(next, now);
}

/// Nobody believes in them any more, but etcd may do so for long: a renewal may have been carried out whose answer was
/// lost, and a change of the leader begins TTLs anew. So they are ended, for those who wait.
void EtcdLink::abandonOverdue()
{
    const Lock lock(m_mutex);
    const auto now = LeaseClock::now();
    std::erase_if(m_held, [&](const auto &entry) {
        const auto &[key, held] = entry;
        if (held.deadline > now)
            return false;
        for (const EtcdLease &lease : {held.keeping.lease, held.keeping.next}) {
            if (lease.id != 0)
                m_abandoned.push_back({lease, key});
        }
        return true;
    });
}

/// True: it has ended, or will never be ended from here.
bool EtcdLink::revoke(qint64 id)
{
    const auto error = m_client.call("lease/revoke", {{u"ID"_s, QString::number(id)}}).error;
    return !error || !isEtcdAway(*error);
}

void EtcdLink::endAbandoned()
{
    for (;;) {
        EtcdLease lease;
        {
            const Lock lock(m_mutex);
            if (m_abandoned.empty() || m_isEnding)
                return;
            lease = m_abandoned.front().lease;
        }
        if (!revoke(lease.id))
            return;
        const Lock lock(m_mutex);
        std::erase_if(m_abandoned, [&lease](const Abandoned &abandoned) { return abandoned.lease.id == lease.id; });
    }
}

/// What came before the server watches, or while it did not, is read when it does.
void EtcdLink::hearMail()
{
    if (m_mail && m_mail->isOver()) {
        m_mail.reset();
        m_hasReadMail = false;
        return; // again after a while
    }
    if (!m_mail) {
        const QByteArray prefix = mailPrefix(server(), m_session);
        QJsonObject create = rangeOf(prefix, endOfPrefix(prefix));
        create[u"filters"_s] = QJsonArray{u"NODELETE"_s};
        m_mail = m_watches.open(create, [this] { wakeUp(); });
        m_hasReadMail = false;
    }
    if (m_mail->isOpen() && (m_mail->takeNews() || !m_hasReadMail))
        readMail();
}

void EtcdLink::readMail()
{
    const QByteArray prefix = mailPrefix(server(), m_session);
    const EtcdReply reply = m_client.call("kv/range", rangeOf(prefix, endOfPrefix(prefix)));
    m_hasReadMail = !reply.error;
    for (const EtcdKey &mail : keysIn(reply.body)) {
        LockStore::Lease held;
        {
            const Lock lock(m_mutex);
            const auto found = std::find_if(m_held.begin(), m_held.end(), [&](const auto &candidate) {
                return mailOf(candidate.second.held.token) == mail.key;
            });
            if (found == m_held.end())
                continue;
            held = found->second.held;
        }
        sawMail(held, mail);
    }
}

/// Somebody says that they have ended a lease of ours.
void EtcdLink::tellEnd(const LockStore::Lease &held)
{
    const EtcdReply reply = m_client.call("kv/range", rangeOf(held.place));
    if (reply.error || quint64(keysIn(reply.body).value(0).created) == held.token)
        return; // the next renewal sees it
    const auto keeping = forget(held);
    if (!keeping)
        return;
    abandon(*keeping, {}); // a renewal may be giving the key another one just now
    if (m_listener.onLost)
        m_listener.onLost(held, LossReason::TakenOver);
}

} // namespace lockscope::detail
