// SPDX-License-Identifier: MIT
#include "world.h"

#include "engine/unique/leaserelease_p.h"
#include "enginefixture.h"
#include "words.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QThread>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::test {

namespace {

/// Where guarded writes go, and what the owners of `rounds` write down.
constexpr auto kTables = "CREATE DATABASE IF NOT EXISTS conformance; "
                         "CREATE TABLE IF NOT EXISTS conformance.stock (id INT PRIMARY KEY, units INT NOT NULL, "
                         "fence_seen BIGINT UNSIGNED NOT NULL) ENGINE = InnoDB; "
                         "CREATE TABLE IF NOT EXISTS conformance.probe (resource VARBINARY(255) PRIMARY KEY, "
                         "inside INT NOT NULL DEFAULT 0, overlaps INT NOT NULL DEFAULT 0, disorder INT NOT NULL "
                         "DEFAULT 0, grants INT NOT NULL DEFAULT 0, last_token BIGINT UNSIGNED NOT NULL DEFAULT 0) "
                         "ENGINE = InnoDB";

bool hasNoServer(const Reply &reply)
{
    return reply.error
        && (reply.error->kind == LockError::Kind::ConnectionLost || reply.error->kind == LockError::Kind::Unavailable);
}

template<typename Server>
void change(Server &server, const QString &what)
{
    if (what == u"stop")
        server.stop();
    else if (what == u"start")
        server.start();
    else if (what == u"restart")
        server.restart();
    else if (what == u"freeze")
        server.freeze();
    else if (what == u"thaw")
        server.thaw();
    else
        server.kill9();
    if (what == u"crash")
        server.start();
}

/// The TTLs that the processes of a step ask for.
QList<std::pair<QString, std::chrono::milliseconds>> ttlsIn(const QString &step)
{
    static const QRegularExpression form(
        u"^([A-Z][^:]*?)(?:(?:: acquire|:? queues? for) .*\\bttl|: renew) (\\d+)(ms|s|m)\\b"_s);
    const auto match = form.match(step);
    QList<std::pair<QString, std::chrono::milliseconds>> ttls;
    if (!match.hasMatch())
        return ttls;
    const int factor = match.captured(3) == u"ms" ? 1 : match.captured(3) == u"s" ? 1000 : 60'000;
    for (const QString &ref : refsOf(match.captured(1)))
        ttls.append({processOf(ref), std::chrono::milliseconds(match.captured(2).toInt() * factor)});
    return ttls;
}

} // namespace

QByteArray literal(const QByteArray &bytes)
{
    return "x'" + bytes.toHex() + '\'';
}

World::World(TestServer &server, const QString &modeOrStore)
    : m_server(server)
    , m_mode(modeOrStore)
    , m_link(targetFor(server), waitForLocks)
    , m_site(knownStores().contains(modeOrStore) ? StoreSite::start(modeOrStore) : nullptr)
{
}

void World::install()
{
    resetTables(m_server);
    sql(kTables);
    for (char letter = 'a'; letter <= 'z'; ++letter) {
        const QByteArray user = QByteArray("'session_") + letter + "'@'localhost'";
        sql("CREATE USER IF NOT EXISTS " + user);
        sql("GRANT UPDATE, SELECT ON conformance.* TO " + user);
        // The privileges that the documentation tells to give, and no more.
        QByteArray grants = sqlText("grants/engine", m_server.family());
        sql(grants.replace("'lockscope_engine'@'localhost'", user));
    }
}

void World::reset(const Scenario &scenario)
{
    abandon();
    m_server.start();
    if (m_site) {
        m_site->thaw();
        m_site->start();
        m_site->begin();
    } else {
        resetTables(m_server);
        sql("SET GLOBAL wait_timeout = 28800; SET GLOBAL read_only = 0");
        sql("DELETE FROM lock_version; UPDATE lock_meta SET floor = 0 WHERE name = 'floor_of_versions'");
    }
    sql("DELETE FROM conformance.stock; DELETE FROM conformance.probe; "
        "INSERT INTO conformance.stock VALUES (1, 1000, 0)");
    // Where the server does not end connections, their network does.
    const QRegularExpression network(endsConnections() ? u"network of ([A-Z])"_s
                                                       : u"(?:network|connections) of ([A-Z])"_s);
    m_proxied.clear();
    m_ttls.clear();
    m_names.clear();
    m_someoneWasKilled = false;
    for (const Step &step : scenario.steps) {
        m_proxied += network.match(step.text).captured(1);
        for (const auto &[process, ttl] : ttlsIn(step.text))
            m_ttls[process] += ttl;
    }
}

SessionClient *World::session(const QString &process, bool create)
{
    auto found = m_sessions.find(process);
    if (found == m_sessions.end()) {
        if (!create)
            return nullptr;
        found =
            m_sessions
                .emplace(process,
                         std::make_unique<SessionClient>(m_server, m_site.get(), process, m_mode,
                                                         m_proxied.contains(process), m_ttls[process], m_answerTime))
                .first;
        m_names[process] = found->second->session();
    }
    return found->second.get();
}

QString World::close()
{
    if (m_site) {
        m_site->thaw();
        m_site->start();
    }
    m_server.thaw();
    m_server.start();
    QString badEnd;
    for (auto &[name, session] : m_sessions) {
        if (!session->end())
            badEnd += u"Process %1 did not end properly. "_s.arg(name);
    }
    m_sessions.clear();
    if (m_someoneWasKilled || !badEnd.isEmpty())
        return badEnd;
    return eventually([this] { return leftOver().isEmpty(); }) ? QString() : u"Left behind: "_s + leftOver();
}

void World::kill(const QString &process)
{
    m_someoneWasKilled = true;
    m_sessions.erase(process); // its destructor kills
}

void World::abandon()
{
    m_sessions.clear();
}

QString World::sql(const QByteArray &sql)
{
    Reply reply = m_link.run(sql, "outsider");
    if (hasNoServer(reply)) // the server was restarted since
        reply = m_link.run(sql, "outsider");
    if (!reply)
        return reply.error->toString();
    QStringList values;
    for (const QVariant &value : reply.set(-1).rows.value(0))
        values += value.toString();
    return values.join(u' ');
}

void World::changeServer(const QString &what)
{
    if (m_site)
        return change(*m_site, what);
    m_link.drop();
    change(m_server, what);
}

void World::endConnection(const QString &id)
{
    if (m_site)
        m_site->endConnection(id);
    else
        sql("KILL " + id.toLatin1());
}

bool World::isGone(const QString &process)
{
    return m_site ? m_site->isGone(m_names.value(process)) : connectionIds(process).isEmpty();
}

bool World::hasEnded(const QByteArray &resource)
{
    if (m_site)
        return !m_site->lease(resource);
    if (m_mode == u"pessimistic")
        return holderOfRow(resource).isEmpty();
    return number("SELECT COUNT(*) FROM lock_lease WHERE expires_at <= UTC_TIMESTAMP(6) AND resource = "
                  + literal(resource))
        == 1;
}

QString World::endOf(const QByteArray &resource)
{
    if (!m_site)
        return sql("SELECT expires_at FROM lock_lease WHERE presence <> '-' AND resource = " + literal(resource));
    const auto lease = m_site->lease(resource);
    return lease && lease->expiresAt ? QString::number(lease->expiresAt->time_since_epoch().count()) : QString();
}

QStringList World::connectionIds(const QString &process, const QByteArray &condition)
{
    if (m_site)
        return m_site->connectionIds(m_names.value(process));
    const QString ids = sql("SELECT GROUP_CONCAT(id)" + connectionsOf(process) + condition);
    return ids.split(QLatin1Char(','), Qt::SkipEmptyParts);
}

QByteArray World::connectionsOf(const QString &process) const
{
    return " FROM information_schema.processlist WHERE user = '" + SessionClient::userOf(process).toUtf8() + '\'';
}

int World::waiting(const QString &process, const QByteArray &resource)
{
    const auto found = m_sessions.find(process);
    if (found == m_sessions.end())
        return 0;
    if (m_site)
        return m_site->waiting(found->second->session(), resource);
    if (m_mode == u"pessimistic") {
        awaitFreshTransactions();
        return int(number("SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT' AND "
                          "trx_mysql_thread_id IN (SELECT id"
                          + connectionsOf(process) + ')'));
    }
    // In this order: a name may have been taken back just after its request had been passed over as dead.
    QList<QByteArray> living;
    for (const detail::QueueEntry &entry : queueOf(resource)) {
        const bool isOfProcess = Owner::fromJson(entry.owner).pid == found->second->pid();
        const QByteArray holder = " AND id = IS_USED_LOCK('" + entry.name + "')";
        if (isOfProcess && number("SELECT COUNT(*)" + connectionsOf(process) + holder) == 1)
            living += entry.name;
    }
    if (living.isEmpty())
        return 0;
    // One whose answer is under way has not heard yet that it is in: it joins anew if the server crashes now.
    if (number("SELECT COUNT(*)" + connectionsOf(process)
               + " AND command <> 'Sleep' AND IFNULL(info, '') NOT LIKE '%GET_LOCK(%'")
        > 0)
        return 0;
    const auto queue = queueOf(resource);
    return int(std::count_if(queue.begin(), queue.end(),
                             [&](const detail::QueueEntry &entry) { return living.contains(entry.name); }));
}

std::vector<detail::QueueEntry> World::queueOf(const QByteArray &resource)
{
    const QString stored = sql("SELECT HEX(queue) FROM lock_lease WHERE resource = " + literal(resource));
    return detail::parseQueue(QByteArray::fromHex(stored.toLatin1()));
}

/// The server answers from a copy for as long as it is asked again within a tenth of a second.
void World::awaitFreshTransactions()
{
    constexpr qint64 kCopyLives = 110;
    if (m_sinceTransactions.isValid() && m_sinceTransactions.elapsed() < kCopyLives)
        QThread::msleep(kCopyLives);
    m_sinceTransactions.start();
}

QString World::leftOver()
{
    if (m_site)
        return m_site->leftOver();
    awaitFreshTransactions();
    const QString counts =
        sql("SELECT (SELECT COUNT(*) FROM lock_lease WHERE queue <> ''), (SELECT COUNT(*) FROM lock_lease WHERE "
            "presence <> '-' AND (kept = 0 OR expires_at > UTC_TIMESTAMP(6))), (SELECT COUNT(*) FROM lock_wait_for), "
            "(SELECT COUNT(*) FROM lock_release_request), (SELECT "
            "COUNT(*) FROM information_schema.processlist WHERE user LIKE 'session\\_%'), (SELECT COUNT(*) FROM "
            "information_schema.innodb_trx WHERE trx_mysql_thread_id NOT IN (0, CONNECTION_ID()))");
    return counts == u"0 0 0 0 0 0"
        ? QString()
        : u"%1 (queues, held rows, waits of holders, requests to release, connections, open transactions)"_s.arg(
            counts);
}

/// Owners, notes and statements are left out or cut: what decides who is next is in front of them.
QString World::evidence()
{
    if (m_site)
        return m_site->evidence();
    constexpr auto kRows =
        "SELECT GROUP_CONCAT('lease ', resource, ': token ', token, ', presence ', presence, ' held by ', "
        "IFNULL(IS_USED_LOCK(presence), '-'), IF(kept, ', kept', ''), ', ends ', "
        "IFNULL(expires_at, 'never') SEPARATOR '\n') FROM lock_lease WHERE presence <> '-'";
    constexpr auto kQueued = "SELECT GROUP_CONCAT(resource SEPARATOR '\n') FROM lock_lease WHERE queue <> ''";
    constexpr auto kSessions = "SELECT GROUP_CONCAT('connection ', id, ' of ', user, ': ', command, ' ', time, ' s ', "
                               "IFNULL(state, ''), ' ', LEFT(IFNULL(info, ''), 160) SEPARATOR '\n') "
                               "FROM information_schema.processlist WHERE user LIKE 'session\\_%'";
    QStringList lines{sql("SELECT UTC_TIMESTAMP(6)"), sql(kRows)};
    for (const QString &resource : sql(kQueued).split(u'\n', Qt::SkipEmptyParts)) {
        for (const detail::QueueEntry &entry : queueOf(resource.toUtf8()))
            lines += u"queue of %1: arrival %2, pid %3, name %4 held by %5"_s.arg(resource)
                         .arg(entry.arrival)
                         .arg(Owner::fromJson(entry.owner).pid)
                         .arg(QString::fromLatin1(entry.name),
                              sql("SELECT IFNULL(IS_USED_LOCK('" + entry.name + "'), '-')"));
    }
    lines += sql(kSessions);
    return lines.join(u'\n');
}

/// Its name stands in the transaction that is still open. One that a COMMIT of its own made permanent is no holder's.
QString World::holderOfRow(const QByteArray &resource)
{
    return sql("SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED; SELECT connection FROM lock_row "
               "WHERE IS_USED_LOCK(RTRIM(IFNULL(presence, '-'))) = connection AND resource = "
               + literal(resource));
}

/// What an operator does about a row lock. The token is that of the row's last grant.
QString World::endHolder(const QByteArray &resource, quint64 token)
{
    const QByteArray holder = holderOfRow(resource).toLatin1();
    const bool isMeant = number("SELECT COUNT(*) FROM lock_lease WHERE slot = -1 AND token = "
                                + QByteArray::number(token) + " AND resource = " + literal(resource))
        == 1;
    if (holder.isEmpty() || !isMeant)
        return u"changed"_s;
    sql("KILL " + holder);
    const QByteArray left = "SELECT COUNT(*) FROM information_schema.processlist WHERE id = " + holder;
    return eventually([&] { return number(left) == 0; }) ? u"released"_s : u"failed: it does not end"_s;
}

QString World::forceRelease(const QByteArray &resource, quint64 token)
{
    if (m_mode == u"pessimistic")
        return endHolder(resource, token);
    ReconnectingSession link(targetFor(m_server));
    const auto report = m_site ? m_site->forceRelease(resource, token)
                               : detail::endLease(link, {resource, 0, token}, {u"operator"_s, u"conformance"_s});
    switch (report.outcome) {
    case ForcedRelease::Outcome::Released:
        return u"released"_s;
    case ForcedRelease::Outcome::TargetChanged:
        return u"changed"_s;
    default:
        return u"failed "_s + (report.error ? report.error->toString() : QString());
    }
}

} // namespace lockscope::test
