// SPDX-License-Identifier: MIT
#include "sessionfacts.h"

#include <QtCore/QRegularExpression>

#include <algorithm>

namespace lockscope {

namespace {

/// Columns of waits/sessions.
enum Column { IdCol, UserCol, HostCol, SchemaCol, CommandCol, SinceCol, StateCol, StatementCol, NumberCol };

/// How the states of those that wait for a metadata lock end, by sql/mdl.cc of both servers. Threads of replication and
/// of the server itself wait for much else, but that is work.
constexpr const char *kMetadataStates[] = {
    "metadata lock",    // of a table, schema, trigger, tablespace, …
    "backup lock",      // on MariaDB of FLUSH TABLES WITH READ LOCK, too
    "global read lock", // of it on MySQL; on MariaDB until appliers pause for it
    "commit lock",      // MySQL's, as those below
    "acl cache lock",   "column statistics lock", "locking service lock", "spatial reference system lock",
};

constexpr int kMaxFirstWords = 200;

Params idParams(const QList<quint64> &ids)
{
    return Params().numberList("ids", ids).number("bytes", qint64(ServerWaits::MaxStatementBytes));
}

ServerSession toSession(const QVariantList &values, bool keepsStatements)
{
    ServerSession session;
    session.id = values.value(IdCol).toULongLong();
    session.user = values.value(UserCol).toString();
    session.host = values.value(HostCol).toString();
    session.schema = values.value(SchemaCol).toString();
    session.command = values.value(CommandCol).toString();
    session.commandSince = toServerTime(values.value(SinceCol));
    session.state = values.value(StateCol).toString();
    session.statement.text = values.value(StatementCol).toByteArray();
    if (!values.value(NumberCol).isNull())
        session.statementNumber = values.value(NumberCol).toULongLong();
    if (!session.statement.text.isEmpty())
        session.statement.source = Statement::Source::Running;
    else
        session.statement.source = keepsStatements ? Statement::Source::NotAsked : Statement::Source::NotInstrumented;
    return session;
}

/// Whether the texts, each cut somewhere, may be of one statement. MySQL ends a kept one that it has cut with dots.
bool isSameStatement(const QByteArray &kept, const QByteArray &running)
{
    const qsizetype size = std::min(kept.size() - (kept.endsWith("...") ? 3 : 0), running.size());
    return size > 0 && kept.first(size) == running.first(size);
}

/// A statement may have begun or ended since the sessions were read; then its number is not that of the one seen.
void addStatement(const QVariantList &values, ServerSession *session)
{
    const QByteArray text = values.value(1).toByteArray();
    const bool isRunning = values.value(3).toBool();
    const bool ran = session->statement.source == Statement::Source::Running;
    const bool isSeen = ran ? isRunning && isSameStatement(text, session->statement.text) : !isRunning;
    if (isSeen && !session->statementNumber)
        session->statementNumber = values.value(2).toULongLong();
    if (isSeen && isRunning)
        session->statementEvent = values.value(2).toULongLong();
    if (session->isIdle() && !isRunning)
        session->lastTook = Microseconds(values.value(5).toLongLong());
    if (!ran && !values.value(1).isNull())
        session->statement = {Statement::Source::Last, text, values.value(4).toInt() != 0};
}

/// In small or capital letters.
bool startsWithOne(const QString &text, std::initializer_list<const char *> beginnings)
{
    return std::any_of(beginnings.begin(), beginnings.end(), [&text](const char *beginning) {
        return text.startsWith(QLatin1String(beginning), Qt::CaseInsensitive);
    });
}

/// By its command, or as a thread of the server's own by what it does: an event of a user's is at "Connect" too, and a
/// client's commit on a cluster is in a state of wsrep.
bool isReplication(const ServerSession &session)
{
    if (startsWithOne(session.command, {"Binlog Dump", "Slave", "Replica", "Group Replication", "Register"}))
        return true;
    return session.user == QLatin1String("system user")
        && (session.command.startsWith(QLatin1String("Connect"))
            || session.state.contains(QLatin1String("relay log"), Qt::CaseInsensitive)
            || session.state.contains(QLatin1String("wsrep"), Qt::CaseInsensitive));
}

/// The server's own accounts, and those by which a host runs it.
bool isSystem(const ServerSession &session)
{
    if (session.command == QLatin1String("Event")) // what somebody's event runs: see waits/sessions of MySQL
        return false;
    for (const char *user : {"", "system user", "event_scheduler", "rdsadmin", "rdsrepladmin", "azure_superuser",
                             "azure_sys", "cloudsqladmin", "cloudsqlreplica"}) {
        if (session.user == QLatin1String(user))
            return true;
    }
    return session.user.startsWith(QLatin1String("mysql.")) || session.command == QLatin1String("Daemon");
}

} // namespace

std::optional<LockError> readSessions(Session &session, const Capabilities &capabilities, const WantedSessions &wanted,
                                      QHash<quint64, ServerSession> *found, bool *isCut)
{
    if (wanted.ids.isEmpty() && wanted.others == 0)
        return std::nullopt;
    const bool byProcessList = capabilities.family == Family::MySql && !capabilities.hasPerformanceSchema;
    Params params = idParams(wanted.ids);
    params.number("others", qint64(wanted.others)).number("limit", wanted.ids.size() + wanted.others);
    const Reply reply = session.run(byProcessList ? "waits/processlist" : "waits/sessions", params);
    if (!reply)
        return reply.error;
    int others = 0;
    for (const QVariantList &values : reply.set(-1).rows) {
        const ServerSession one = toSession(values, capabilities.hasStatements);
        found->insert(one.id, one);
        others += !std::binary_search(wanted.ids.cbegin(), wanted.ids.cend(), one.id);
    }
    if (isCut)
        *isCut = wanted.others > 0 && others >= wanted.others;
    return std::nullopt;
}

std::optional<LockError> readStatements(Session &session, const QList<quint64> &ids,
                                        QHash<quint64, ServerSession> *sessions)
{
    const Reply reply = session.run("waits/statements", idParams(ids));
    if (!reply)
        return reply.error;
    for (const QVariantList &values : reply.set(-1).rows) {
        const auto one = sessions->find(values.value(0).toULongLong());
        if (one != sessions->end())
            addStatement(values, &*one);
    }
    for (const quint64 id : ids) {
        const auto one = sessions->find(id);
        if (one != sessions->end() && one->statement.source == Statement::Source::NotAsked)
            one->statement.source = Statement::Source::None;
    }
    return std::nullopt;
}

std::optional<LockError> readAttributes(Session &session, const QList<quint64> &ids,
                                        QHash<quint64, ServerSession> *sessions)
{
    const Reply reply = session.run("waits/attributes", Params().numberList("ids", ids));
    if (!reply)
        return reply.error;
    for (const QVariantList &values : reply.set(-1).rows) {
        const auto one = sessions->find(values.value(0).toULongLong());
        if (one == sessions->end())
            continue;
        const QString name = values.value(1).toString();
        const QString value = values.value(2).toString();
        if (name == QLatin1String("_pid"))
            one->osPid = value.toLongLong();
        else if (name == QLatin1String("program_name") || one->program.isEmpty()) // else the driver's name
            one->program = value;
    }
    return std::nullopt;
}

std::optional<LockError> readOwners(Session &session, QHash<quint64, ServerSession> *sessions)
{
    QList<quint64> ids;
    for (const ServerSession &one : std::as_const(*sessions)) {
        if (one.transaction && one.transaction->rowsChanged > 0) // the owner is written into the row
            ids.append(one.id);
    }
    if (ids.isEmpty())
        return std::nullopt;
    const Reply reply = session.run("waits/owners", Params().numberList("ids", ids));
    for (const QVariantList &values : reply.set(-1).rows) {
        const auto one = sessions->find(values.value(0).toULongLong());
        if (one != sessions->end())
            one->owner = Owner::fromJson(values.value(1).toByteArray());
    }
    return reply.error;
}

Protection protectionOf(const ServerSession &session)
{
    if (isReplication(session))
        return Protection::Replication;
    return isSystem(session) ? Protection::System : Protection::None;
}

void protect(QHash<quint64, ServerSession> *sessions, const Session &own)
{
    for (ServerSession &session : *sessions) {
        if (session.id == own.connectionId() || own.isOfConsole(session.id))
            session.protection = Protection::Own;
        else
            session.protection = protectionOf(session);
    }
}

bool waitsForMetadata(const ServerSession &session)
{
    return session.state.startsWith(QLatin1String("Waiting for"))
        && std::any_of(std::begin(kMetadataStates), std::end(kMetadataStates),
                       [&session](const char *end) { return session.state.endsWith(QLatin1String(end)); });
}

bool waitsForTable(const ServerSession &session)
{
    return session.state == QLatin1String("Waiting for table flush")
        || session.state == QLatin1String("Waiting for table level lock");
}

bool waitsForUserLock(const ServerSession &session)
{
    return session.state == QLatin1String("User lock");
}

bool beginsWithOne(const ServerSession &session, std::initializer_list<const char *> beginnings)
{
    // What is in an executable comment is done.
    static const QRegularExpression comments(QStringLiteral(R"re(/\*(?!M?!).*?\*/|/\*M?!\d*|\*/|(?:--\s|#)[^\n]*)re"),
                                             QRegularExpression::DotMatchesEverythingOption);
    QString text = QString::fromLatin1(session.statement.text);
    text.replace(comments, QStringLiteral(" "));
    return startsWithOne(text.left(kMaxFirstWords).simplified(), beginnings);
}

} // namespace lockscope
