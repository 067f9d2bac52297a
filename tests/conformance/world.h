// SPDX-License-Identifier: MIT
#pragma once

#include "engine/unique/leaseview_p.h"
#include "scenario.h"
#include "session/reconnectingsession.h"
#include "sessionclient.h"

#include <QtCore/QElapsedTimer>

#include <map>

namespace lockscope::test {

/// The server, the processes and the outsider that a script acts on.
class World
{
public:
    /// Of a mode, or of a store: then locks are there, and the MySQL server has only what they guard.
    World(TestServer &server, const QString &modeOrStore);

    /// Installs what every scenario needs, once per server.
    void install();
    /// Empty tables, no process.
    void reset(const Scenario &scenario);
    /// Ends every process. A sentence when one did not end well, or when one that was not killed left something.
    QString close();
    /// Ends every process hard, for a scenario that failed.
    void abandon();

    /// How long a process may take for an answer. Longer than anything that works takes; a wait that a script makes
    /// comes to its end before.
    void setAnswerTime(std::chrono::seconds time) { m_answerTime = time; }

    TestServer &server() { return m_server; }
    /// Null: locks are on the server.
    const StoreSite *site() const { return m_site.get(); }
    /// Or store.
    const QString &mode() const { return m_mode; }
    /// "stop", "start", "restart", "crash" (SIGKILL and a start), "freeze" or "thaw" of that which has the locks.
    void changeServer(const QString &what);

    /// The process of that name; `create` starts it when there is none. Null: there is none.
    SessionClient *session(const QString &process, bool create = false);
    void forget(const QString &process) { m_sessions.erase(process); }
    /// SIGKILL; the name may then be another process's.
    void kill(const QString &process);

    /// Runs `sql` as the server's administrator: the first row's values with a space between, or the error.
    QString sql(const QByteArray &sql);
    qint64 number(const QByteArray &sql) { return this->sql(sql).toLongLong(); }
    /// Closes the administrator's connection, before the server goes away.
    void disconnect() { m_link.drop(); }

    /// Requests of this process that wait for the resource, have heard so, and that the server knows to be alive; in
    /// pessimistic mode for any resource, for the server tells no more.
    int waiting(const QString &process, const QByteArray &resource);
    /// What is left of locks, waits and requests in the tables, and of sessions on the server. Empty: nothing.
    QString leftOver();
    /// Who holds and who waits, as the server sees it now: what a failure without an answer is judged by.
    QString evidence();
    QByteArray connectionsOf(const QString &process) const;
    /// The ids of these, or of those with a further `condition` (" AND …"), where the server tells them.
    QStringList connectionIds(const QString &process, const QByteArray &condition = {});
    /// Whether the server ends connections; else only their network does.
    bool endsConnections() const { return !m_site || m_site->endsConnections(); }
    void endConnection(const QString &id);
    /// Whether the server does not count it as alive any more.
    bool isGone(const QString &process);
    /// Nobody has the lease or the row any more.
    bool hasEnded(const QByteArray &resource);
    /// When the lease ends, to be compared as text; empty: nobody has it, or it does not tell.
    QString endOf(const QByteArray &resource);
    /// The connection whose transaction holds the row; empty: none does.
    QString holderOfRow(const QByteArray &resource);
    /// "released", "changed" or "failed …".
    QString forceRelease(const QByteArray &resource, quint64 token);

private:
    void awaitFreshTransactions();
    std::vector<detail::QueueEntry> queueOf(const QByteArray &resource);
    QString endHolder(const QByteArray &resource, quint64 token);

    TestServer &m_server;
    const QString m_mode;
    ReconnectingSession m_link;
    const std::unique_ptr<StoreSite> m_site; ///< null: locks are on the server
    std::chrono::seconds m_answerTime{90};
    QStringList m_proxied;                                  ///< processes whose network the scenario lets fail
    QMap<QString, QList<std::chrono::milliseconds>> m_ttls; ///< that they ask for
    QMap<QString, QByteArray> m_names;                      ///< of the sessions of those that have been started last
    bool m_someoneWasKilled = false;
    QElapsedTimer m_sinceTransactions; ///< were read
    std::map<QString, std::unique_ptr<SessionClient>> m_sessions;
};

QByteArray literal(const QByteArray &bytes);

} // namespace lockscope::test
