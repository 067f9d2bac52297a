#include "presencekeeper_p.h"

#include <algorithm>

namespace lockscope::detail {

namespace {

constexpr std::size_t kBatch = 8;
constexpr std::size_t kMostFree = 256;
constexpr std::size_t kCollects = 64;
/// A host that vanished without a word is gone for the others after kIdleLimit; a living one speaks in time.
constexpr auto kIdleLimit = std::chrono::seconds(600);
constexpr auto kHeartbeat = std::chrono::seconds(200);

QByteArray takeSql(const std::vector<QByteArray> &names, int seconds)
{
    QByteArray sql = "SELECT ";
    for (const QByteArray &name : names)
        sql += "GET_LOCK('" + name + "', " + QByteArray::number(seconds) + "), ";
    sql.chop(2);
    return sql;
}

bool allTaken(const Reply &reply)
{
    const QVariantList row = reply.set(-1).rows.value(0);
    return !row.isEmpty() && std::all_of(row.begin(), row.end(), [](const QVariant &v) { return v.toInt() == 1; });
}

} // namespace

PresenceKeeper::PresenceKeeper(const SessionTarget &target, const QByteArray &session)
    : m_prefix("ls:" + session + ':')
    , m_lane(target, [this](Session &opened, quint64 previousId) { retake(opened, previousId); })
{
    keepAlive();
}

Presence PresenceKeeper::take(quint64 connection, LockError *error)
{
    for (;;) {
        {
            const std::lock_guard lock(m_mutex);
            Presence presence;
            for (const quint64 bell : {connection, quint64(0)}) {
                const auto names = m_free.find(bell);
                if (names == m_free.end() || names->second.empty())
                    continue;
                presence.name = std::move(names->second.back());
                presence.bell = bell;
                names->second.pop_back();
                --m_freeCount;
                if (const auto stale = m_stale.find(connection); stale != m_stale.end())
                    presence.stale.swap(stale->second);
                return presence;
            }
        }
        bool taken = false;
        m_lane.run([&](Link &link) { taken = takeBatch(link, error); });
        if (!taken)
            return {};
    }
}

bool PresenceKeeper::takeBatch(Link &link, LockError *error)
{
    std::vector<QByteArray> names;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_free[0].empty())
            return true; // another thread's batch came first
        for (std::size_t i = 0; i < std::max(kBatch, std::min<std::size_t>(64, m_held.size() / 2)); ++i)
            names.push_back(m_prefix + QByteArray::number(m_next++, 36));
    }
    Reply reply = link.run(takeSql(names, 0), "engine/presence");
    if (reply.error && reply.error->kind == LockError::Kind::ConnectionLost)
        reply = link.run(takeSql(names, 0), "engine/presence"); // an idle connection had been closed
    if (!reply) {
        *error = *reply.error;
        return false;
    }
    if (!allTaken(reply)) {
        *error = lockErrorFor(0, {}, "engine/presence");
        error->kind = LockError::Kind::UnsafeServer;
        error->message = QStringLiteral("The server does not grant user-level locks (GET_LOCK). "
                                        "Connect to one server directly, not through a cluster or proxy without them.");
        return false;
    }
    const std::lock_guard lock(m_mutex);
    m_held.insert(names.begin(), names.end());
    m_free[0].insert(m_free[0].end(), names.begin(), names.end());
    m_freeCount += names.size();
    return true;
}

void PresenceKeeper::leaveStale(quint64 connection, std::vector<QByteArray> bells)
{
    if (bells.empty())
        return;
    const std::lock_guard lock(m_mutex);
    if (const auto stale = m_stale.find(connection); stale != m_stale.end())
        stale->second.insert(stale->second.end(), bells.begin(), bells.end());
}

void PresenceKeeper::giveBack(const QByteArray &name, quint64 bell)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_freeCount < kMostFree) {
            m_free[m_stale.contains(bell) ? bell : 0].push_back(name);
            ++m_freeCount;
            return;
        }
    }
    drop(name, bell);
}

void PresenceKeeper::connectionChanged(quint64 previous, quint64 now)
{
    const std::lock_guard lock(m_mutex);
    m_stale.erase(previous);
    if (const auto names = m_free.find(previous); previous != 0 && names != m_free.end()) {
        m_free[0].insert(m_free[0].end(), names->second.begin(), names->second.end());
        m_free.erase(previous);
    }
    if (now != 0)
        m_stale[now];
}

void PresenceKeeper::dropLater(const QByteArray &name)
{
    {
        const std::lock_guard lock(m_mutex);
        m_held.erase(name);
        m_collected.push_back(name);
        if (m_collected.size() < kCollects)
            return;
    }
    dropCollected();
}

void PresenceKeeper::dropCollected()
{
    std::vector<QByteArray> names;
    {
        const std::lock_guard lock(m_mutex);
        names.swap(m_collected);
    }
    if (names.empty())
        return;
    m_lane.post([names = std::move(names)](Link &link) {
        QByteArray packet;
        for (const QByteArray &name : names)
            packet += link.render("engine/unwait", Params().lockName("name", name)) + ';';
        packet.chop(1);
        link.run(packet, "engine/unwait");
    });
}

void PresenceKeeper::drop(const QByteArray &name, quint64 bell)
{
    if (name.isEmpty())
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_held.erase(name);
        if (const auto stale = m_stale.find(bell); stale != m_stale.end())
            stale->second.push_back(bellOf(name));
    }
    m_lane.post([name](Link &link) {
        if (link.connectionId() != 0) // a session that is gone has freed it already
            link.run("engine/unwait", Params().lockName("name", name));
    });
}

Reply PresenceKeeper::run(const QByteArray &statement, const Params &params)
{
    Reply reply;
    m_lane.run([&](Link &link) { reply = link.run(statement, params); });
    return reply;
}

void PresenceKeeper::forget(const QByteArray &name)
{
    const std::lock_guard lock(m_mutex);
    m_held.erase(name);
}

void PresenceKeeper::checkSession()
{
    m_lane.post([](Link &link) {
        LockError error;
        if (!link.run("SELECT 1", "engine/presence"))
            link.session(&error); // opening takes the names again; if it fails, the next use tries
    });
}

void PresenceKeeper::retake(Session &session, quint64 previousId)
{
    session.run("SET SESSION wait_timeout = " + QByteArray::number(qint64(kIdleLimit.count())), "engine/presence");
    std::vector<QByteArray> names;
    {
        const std::lock_guard lock(m_mutex);
        names.assign(m_held.begin(), m_held.end());
    }
    if (names.empty())
        return;
    // The server may not have noticed yet that the old session is gone, and then it still holds the names.
    if (previousId != 0)
        session.kill(previousId);
    for (std::size_t i = 0; i < names.size(); i += 64) {
        const auto end = names.begin() + std::ptrdiff_t(std::min(names.size(), i + 64));
        session.run(takeSql({names.begin() + std::ptrdiff_t(i), end}, 1), "engine/presence");
    }
}

void PresenceKeeper::keepAlive()
{
    m_lane.postAt(Lane::Clock::now() + kHeartbeat, [this](Link &link) {
        if (link.connectionId() != 0)
            checkSession();
        keepAlive();
    });
}

} // namespace lockscope::detail
