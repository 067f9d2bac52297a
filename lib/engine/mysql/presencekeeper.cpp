// SPDX-License-Identifier: MIT
#include "presencekeeper_p.h"

#include <QtCore/QScopeGuard>

#include <algorithm>

namespace lockscope::detail {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kBatch = 8;
/// An idle connection may have been closed. Other names then: the old session may still have the first ones.
constexpr int kTakes = 2;
constexpr std::size_t kMaxFree = 256;
constexpr std::size_t kPerPacket = 64;
/// A host that vanished without a word is gone for the others after kIdleLimit; a living one speaks in time.
constexpr auto kIdleLimit = 60s;
constexpr auto kHeartbeat = 20s;
/// Names that the server refused to give back; somebody who waited on one had it for a moment.
constexpr auto kRetakeAgain = 1s;

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

/// Takes names that somebody may still have; those that the server refused. None: it is not known which.
std::optional<std::vector<QByteArray>> takeBack(Session &session, const std::vector<QByteArray> &names)
{
    std::vector<QByteArray> refused;
    for (std::size_t begin = 0; begin < names.size(); begin += kPerPacket) {
        const std::size_t count = std::min(kPerPacket, names.size() - begin);
        const auto first = names.begin() + std::ptrdiff_t(begin);
        const Reply reply = session.run(takeSql({first, first + std::ptrdiff_t(count)}, 1), "engine/presence");
        const QVariantList row = reply.set(-1).rows.value(0);
        if (!reply || std::size_t(row.size()) != count)
            return std::nullopt;
        for (std::size_t i = 0; i < count; ++i) {
            if (row[qsizetype(i)].toInt() != 1)
                refused.push_back(names[begin + i]);
        }
    }
    return refused;
}

} // namespace

PresenceKeeper::PresenceKeeper(const SessionTarget &target, const QByteArray &session, std::function<void()> onLost)
    : m_prefix(presencePrefix(session))
    , m_onLost(std::move(onLost))
    , m_thread(
          target, [this](Session &opened, quint64 previous) { retake(opened, previous); },
          ConnectionThread::Callers::Many)
{
    keepAlive();
}

QByteArray PresenceKeeper::take(LockError *error)
{
    for (;;) {
        {
            const std::lock_guard lock(m_mutex);
            if (!m_free.empty()) {
                QByteArray name = std::move(m_free.back());
                m_free.pop_back();
                return name;
            }
        }
        bool taken = false;
        m_thread.run([&](ReconnectingSession &link) { taken = takeBatch(link, error); });
        if (!taken)
            return {};
    }
}

/// None: there are free ones.
std::vector<QByteArray> PresenceKeeper::newNames()
{
    std::vector<QByteArray> names;
    const std::lock_guard lock(m_mutex);
    if (!m_free.empty())
        return names;
    for (std::size_t i = 0; i < std::max(kBatch, std::min(kPerPacket, m_held.size() / 2)); ++i)
        names.push_back(m_prefix + QByteArray::number(m_next++, 36));
    return names;
}

bool PresenceKeeper::takeBatch(ReconnectingSession &link, LockError *error)
{
    std::vector<QByteArray> names;
    Reply reply;
    for (int i = 0; i < kTakes; ++i) {
        names = newNames();
        if (names.empty())
            return true; // another thread's batch came first
        reply = link.run(takeSql(names, 0), "engine/presence");
        if (!reply.error || reply.error->kind != LockError::Kind::ConnectionLost)
            break;
    }
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
    m_free.insert(m_free.end(), names.begin(), names.end());
    return true;
}

void PresenceKeeper::giveBack(const QByteArray &name)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_free.size() < kMaxFree) {
            m_free.push_back(name);
            return;
        }
    }
    drop(name);
}

void PresenceKeeper::drop(const QByteArray &name)
{
    if (name.isEmpty())
        return;
    forget(name);
    m_thread.post([name](ReconnectingSession &link) {
        if (link.connectionId() != 0) // a session that is gone has freed it already
            link.run("engine/unwait", Params().lockName("name", name));
    });
}

void PresenceKeeper::free(const QByteArray &name)
{
    forget(name);
    m_thread.run([&](ReconnectingSession &link) { link.run("engine/unwait", Params().lockName("name", name)); });
}

Reply PresenceKeeper::freeAfter(const QByteArray &statement, const Params &params, const QByteArray &name)
{
    // A session that is opened meanwhile must not take it again: somebody may be waiting for it to be free.
    forget(name);
    Reply reply;
    m_thread.run([&](ReconnectingSession &link) {
        LockError error;
        if (!link.session(&error)) {
            reply = Reply{{}, error};
            return;
        }
        const QByteArray freed = link.render("engine/freed", Params().lockName("name", name));
        reply = link.run(link.execution(statement, params) + "; " + freed, statement);
    });
    return reply;
}

void PresenceKeeper::forget(const QByteArray &name)
{
    const std::lock_guard lock(m_mutex);
    m_held.erase(name);
}

/// One check at a time: each waiter asks for one, and releases stand in the same queue.
void PresenceKeeper::checkSession()
{
    if (m_isCheckPosted.exchange(true))
        return;
    m_thread.post([this](ReconnectingSession &link) {
        m_isCheckPosted = false;
        LockError error;
        if (!link.session(&error)) // opening takes the names again; if it fails, the next use tries
            return;
        if (!link.run("SELECT 1", "engine/presence"))
            link.session(&error);
    });
}

void PresenceKeeper::retake(Session &session, quint64 previous)
{
    session.run("SET SESSION wait_timeout = " + QByteArray::number(qint64(kIdleLimit.count())), "engine/presence");
    std::vector<QByteArray> names;
    {
        const std::lock_guard lock(m_mutex);
        names.assign(m_held.begin(), m_held.end());
    }
    // The server may not have noticed yet that the old session is gone, and then it still holds the names.
    if (previous != 0)
        session.kill(previous);
    if (names.empty())
        return;
    const auto notifyLoss = qScopeGuard([&] {
        if (previous != 0)
            m_onLost();
    });
    takeLater(session.number(), takeBack(session, names));
}

/// For this session only: if it breaks, the next one takes all names. One that is not known to be missing cannot be
/// taken again, for it would have to be released twice; so all of them are, in another session.
void PresenceKeeper::takeLater(quint64 sessionNumber, std::optional<std::vector<QByteArray>> names)
{
    if (names && names->empty())
        return;
    m_thread.postAt(ConnectionThread::Clock::now() + kRetakeAgain,
                    [this, sessionNumber, names = std::move(names)](ReconnectingSession &link) mutable {
                        LockError error;
                        if (link.sessionNumber() != sessionNumber)
                            return;
                        if (names) {
                            const std::lock_guard lock(m_mutex);
                            std::erase_if(*names, [this](const QByteArray &name) { return !m_held.contains(name); });
                        } else {
                            link.drop();
                        }
                        Session *const session = link.session(&error);
                        if (session && names)
                            takeLater(sessionNumber, takeBack(*session, *names));
                    });
}

void PresenceKeeper::keepAlive()
{
    m_thread.postAt(ConnectionThread::Clock::now() + kHeartbeat, [this](ReconnectingSession &link) {
        if (link.connectionId() != 0)
            checkSession();
        keepAlive();
    });
}

} // namespace lockscope::detail
