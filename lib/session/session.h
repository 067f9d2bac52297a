// SPDX-License-Identifier: MIT
#pragma once

#include "forkguard.h"
#include "lockscope/lockerror.h"
#include "sessiontarget.h"
#include "statement.h"

#include <QtCore/QList>
#include <QtCore/QVariant>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <vector>

class QSqlDatabase;
class QSqlQuery;

namespace lockscope {

/// One result of a packet: rows of a SELECT, or the count of changed rows.
struct ResultSet
{
    QList<QVariantList> rows;
    qint64 affected = -1; ///< changed rows of a write; -1 for a SELECT
    quint64 insertId = 0; ///< LAST_INSERT_ID(expr) or AUTO_INCREMENT of a write
};

/// What came back for one packet. After an error the sets of the statements before it are there.
struct Reply
{
    std::vector<ResultSet> sets;
    std::optional<LockError> error;

    explicit operator bool() const { return !error; }
    /// The set `index`, counted from the end when negative; an empty set where there is none.
    const ResultSet &set(int index) const;
    /// First value of the first row of `set(index)`; invalid where there is none.
    QVariant value(int index = -1) const;
};

/// What the server is, read when the session opens.
struct ServerInfo
{
    Family family = Family::MariaDb;
    QString version; ///< "10.11.19-MariaDB"
    quint64 connectionId = 0;
    QString account;      ///< "ops@10.0.%": as which the server treats the session (CURRENT_USER())
    QString binlogFormat; ///< empty where the binary log is off
    bool readOnly = false;
    bool durable = true; ///< innodb_flush_log_at_trx_commit = 1 and sync_binlog = 1 (or no binary log)
    /// "db1:3306 4c2f…": what it calls itself by whatever way it is reached: its host's name, its port or, without one,
    /// its socket, and its id (MySQL; MariaDB from 10.11.9 on, of the machine and the port). Empty: it does not tell.
    QString ownName;
};

/// A server that does not answer for this long is taken for gone by programs that look at it beside its work.
constexpr std::chrono::seconds AnswerLimit{5};
/// `target` for a program that looks at a server beside its work: with a limit for each statement, a shorter one for
/// the server, so that nothing goes on there that nobody waits for; and with the schema as an option.
SessionTarget forWatching(SessionTarget target);

/// One connection. Lives, works and dies in the thread that opened it; not even const calls from another.
/// Settings of every session: autocommit, READ COMMITTED, time_zone +00:00, strict sql_mode, row-lock and
/// metadata-lock waits of at most 1 s, and whatever else a server could set for all and so change what a statement
/// means (sql/server/session.sql); no automatic reconnect.
///
/// MySQL's KILL closes the socket of a session that may still write to it, and a connection that is opened meanwhile
/// can get the socket's number: then the killed session's last answer reaches it as one of its own (seen on 9.7.4, 2 of
/// 62,000 openings beside KILLs; MariaDB leaves the closing to the session). So while it opens, and on MySQL in its
/// first seconds, each packet stands between two numbers that its answer must stand between. A session that is answered
/// wrongly is gone.
class Session
{
public:
    /// Null and `*error` set when it cannot be opened.
    static std::unique_ptr<Session> open(const SessionTarget &target, LockError *error);
    ~Session();
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;

    /// Sends `sql`, one or more statements, as one packet and reads every result. `name` is for errors.
    /// A LockError with `connectionGone` leaves a session that refuses all further work.
    Reply run(const QByteArray &sql, const QByteArray &name);
    /// The named statement with its values.
    Reply run(const QByteArray &name, const Params &params);

    /// The text of a named statement with its values, for packets in which every microsecond is somebody's wait.
    /// MariaDB prepares it on its first use in the session and need not read and resolve it again (a hand-over: 40 µs
    /// of 730). MySQL's EXECUTE takes no values, only variables that another statement has to set: there it is the
    /// plain text.
    QByteArray execution(const QByteArray &name, const Params &params);

    /// Ends another session of this process with the same mark, by its number(): the server's may be another session's
    /// after a restart. An error when the server knows it no more.
    Reply kill(quint64 number);

    /// The connection itself, for the thread that opened the session.
    QSqlDatabase database() const;

    const ServerInfo &info() const { return m_info; }
    /// Where it goes, as ServerUrl::toString() says it.
    const QString &server() const { return m_server; }
    quint64 connectionId() const { return m_info.connectionId; }
    /// Of this process's sessions, in the order of their opening; never used again.
    quint64 number() const { return m_number; }
    /// Whether this process has opened that connection to the same server for its console.
    bool isOfConsole(quint64 connectionId) const;
    bool isGone() const { return m_gone; }
    /// It has no schema: the account may not use the one that was named as an option. The server does not say whether
    /// there is one.
    bool isSchemaRefused() const { return m_isSchemaRefused; }

private:
    /// Of a statement that was to be prepared.
    struct Execution
    {
        QByteArray begin; ///< empty: it is sent as it is
        std::vector<std::string> places;
    };

    Session();
    static std::unique_ptr<Session> openAs(const SessionTarget &target, LockError *error);
    static std::unique_ptr<Session> connect(const SessionTarget &target, LockError *error);
    std::optional<LockError> prepare(const SessionTarget &target);
    Reply runNumbered(const QByteArray &sql, const QByteArray &name);
    Execution prepareStatement(const QByteArray &name);
    QByteArray markOf(quint64 number) const;

    ForkGuard m_process;
    std::unique_ptr<QSqlDatabase> m_database;
    std::unique_ptr<QSqlQuery> m_query; ///< for all packets: a new one for each costs more than reading its answer
    QString m_server;
    ServerInfo m_info;
    QByteArray m_mark;
    QString m_place;
    const quint64 m_number;
    std::shared_ptr<void> m_listed; ///< among the connections of the console
    std::map<QByteArray, Execution> m_executions;
    std::chrono::steady_clock::time_point m_trustedFrom = std::chrono::steady_clock::time_point::max();
    bool m_gone = false;
    bool m_isSchemaRefused = false;
    std::optional<std::chrono::milliseconds> m_answerTime; ///< for an answer to be whole
};

/// Sends `sql`, one or more statements, as one packet and reads every result. Thread: that of `database`.
Reply runPacket(const QSqlDatabase &database, const QByteArray &sql, const QByteArray &name);

/// The client library's number for a secure connection that was refused or broke.
constexpr int SecureFailure = 2026;
/// The client library's number for a way of signing in that it was told not to go.
constexpr int WayRefused = 5010;

/// Maps a server's error number and text to a LockError with a plain sentence.
LockError lockErrorFor(int code, const QString &serverText, const QByteArray &statement);

} // namespace lockscope
