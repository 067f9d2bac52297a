// SPDX-License-Identifier: MIT
#include "session.h"

#include "clientlibrary.h"
#include "connectoptions.h"
#include "replybound.h"
#include "singlestatements.h"

#include <QtCore/QDebug>
#include <QtCore/QFileInfo>
#include <QtCore/QHash>
#include <QtCore/QRandomGenerator>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>
#include <QtSql/QSqlRecord>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <mutex>
#include <set>

namespace lockscope {

namespace {

using Kind = LockError::Kind;
using Clock = std::chrono::steady_clock;

/// How long an answer to a killed session may be on its way: as long as one thread of the server gets no processor
/// although the others do.
constexpr auto kStrayLimit = AnswerLimit;
constexpr auto kTrusted = Clock::time_point::min();

/// A session that breaks sooner than this was ended by somebody; later it may be the network, which takes its time
/// again.
constexpr auto kSoon = std::chrono::seconds(1);

/// More than any statement here asks for.
constexpr qint64 kMostBytes = qint64(512) * 1024 * 1024;
constexpr std::size_t kMostSets = 100'000;
/// Before a server knows who we are it has little to say.
constexpr qint64 kMostBytesOfGreeting = qint64(1024) * 1024;
constexpr int kGreetingTime = 3; ///< times SessionTarget::connectTimeout: name, connection, greeting
constexpr int kAnswerTime = 12;  ///< times SessionTarget::readTimeout

const ResultSet kEmptySet;

/// The connections of this process's console, by the server's place.
struct Console
{
    std::mutex mutex;
    std::multiset<std::pair<QString, quint64>> connections;
};

Console &console()
{
    static auto *const instance = new Console; // never destroyed: sessions may last as long as the process
    return *instance;
}

/// Listed until the last copy of what is returned is gone.
std::shared_ptr<void> listed(const QString &place, quint64 connectionId)
{
    const std::lock_guard guard(console().mutex);
    return {nullptr, [entry = console().connections.emplace(place, connectionId)](void *) {
                const std::lock_guard leaving(console().mutex);
                console().connections.erase(entry);
            }};
}

/// A connection that is not in Qt's table of connections: that closes what is left in it when a process ends, also in a
/// child of fork(), and the server would take that for the parent's good-bye.
struct UnlistedDatabase : QSqlDatabase
{
    UnlistedDatabase()
        : QSqlDatabase(QStringLiteral("QMYSQL"))
    {
    }
};

/// Which server it is, is not known yet: each reads its own comment.
QByteArray limitOf(const SessionTarget &target)
{
    const auto seconds = target.statementLimit.count();
    if (seconds == 0)
        return {};
    return "SET SESSION autocommit = 1 /*M! , max_statement_time = " + QByteArray::number(qint64(seconds))
        + " */ /*!80000 , max_execution_time = " + QByteArray::number(qint64(seconds) * 1000) + " */; ";
}

LockError toLockError(const QSqlError &error, const QByteArray &statement)
{
    bool isNumber = false;
    const int code = error.nativeErrorCode().toInt(&isNumber);
    LockError mapped = lockErrorFor(isNumber ? code : 0, error.databaseText(), statement);
    if (error.type() == QSqlError::ConnectionError && mapped.kind == Kind::ServerFault) {
        mapped.kind = Kind::Unavailable;
        mapped.connectionGone = true;
        mapped.message = QStringLiteral("The connection could not be opened. Check that the server runs and that host, "
                                        "port or socket are right.");
    }
    return mapped;
}

ResultSet readSet(QSqlQuery &query, ReplyBound &bound)
{
    ResultSet set;
    if (!query.isSelect()) {
        set.affected = query.numRowsAffected();
        set.insertId = query.lastInsertId().toULongLong();
        return set;
    }
    int columns = -1;
    while (query.next()) {
        if (!bound.keepsRow())
            continue;
        if (columns < 0)
            columns = query.record().count();
        QVariantList row;
        row.reserve(columns);
        for (int c = 0; c < columns; ++c)
            row.append(query.isNull(c) ? QVariant() : query.value(c));
        set.rows.append(std::move(row));
    }
    return set;
}

/// What was asked may have been done, as when the connection breaks by itself.
LockError tooMuch(const QByteArray &name)
{
    LockError error = lockErrorFor(2013, {}, name);
    error.message = QStringLiteral("The server's answer has no end: it is larger than 512 MiB, has more than 100,000 "
                                   "results or took too long, so the connection was ended. Check that this is the "
                                   "right server.");
    return error;
}

Reply readAll(QSqlQuery &query, const QByteArray &sql, const QByteArray &name, ReplyBound &bound)
{
    Reply reply;
    bool more = query.exec(QString::fromUtf8(sql));
    while (more) {
        ResultSet set = readSet(query, bound);
        if (!query.isSelect() && set.affected < 0) {
            // The connection broke while rows came. The client library forgets then that there are columns, and the
            // driver takes that for a write; but none changes -1 rows.
            reply.error = lockErrorFor(2013, {}, name);
            return reply;
        }
        reply.sets.push_back(std::move(set));
        if (reply.sets.size() > kMostSets)
            bound.cut();
        more = query.nextResult();
    }
    if (query.lastError().isValid())
        reply.error = toLockError(query.lastError(), name);
    // Over TLS the client library calls a connection that broke a secure connection that failed; this one was open.
    if (reply.error && reply.error->connectionGone && reply.error->kind == Kind::Unavailable)
        reply.error = lockErrorFor(2013, reply.error->serverText, name);
    return reply;
}

Reply runPacket(QSqlQuery &query, const QByteArray &sql, const QByteArray &name,
                std::optional<std::chrono::milliseconds> time = std::nullopt)
{
    ReplyBound bound(kMostBytes, time);
    Reply reply = readAll(query, sql, name, bound);
    if (bound.isExceeded())
        reply.error = tooMuch(name);
    return reply;
}

/// With what somebody who meets it in a log, or as the last statement of a session, wants to know. The LIMIT is in
/// place of that which the server may set for all: the first number goes before the session's settings.
QByteArray selects(quint64 number)
{
    return "SELECT " + QByteArray::number(number) + " /* Lockscope: is the answer mine? */ LIMIT 1";
}

/// The packet between its numbers in packets of their own, with the answer that it would have in one.
Reply runApart(QSqlQuery &query, const QByteArrayList &packets, const QByteArray &name,
               std::optional<std::chrono::milliseconds> time)
{
    Reply whole;
    for (const QByteArray &packet : packets) {
        Reply one = runPacket(query, packet, name, time);
        std::ranges::move(one.sets, std::back_inserter(whole.sets));
        whole.error = std::move(one.error);
        if (whole.error)
            break;
    }
    return whole;
}

bool isAnswerOf(const ResultSet &set, quint64 number)
{
    return set.rows.size() == 1 && set.rows.first().value(0).toByteArray() == QByteArray::number(number);
}

/// Whether an error is the session's own: the server answers what is asked next, or refuses that for the same reason.
bool answersAsBefore(QSqlQuery &query, const LockError &error)
{
    const quint64 number = QRandomGenerator::global()->generate64();
    const Reply next = runPacket(query, selects(number), error.statement.toUtf8());
    return next ? next.sets.size() == 1 && isAnswerOf(next.set(0), number) : next.error->code == error.code;
}

} // namespace

const ResultSet &Reply::set(int index) const
{
    const auto count = int(sets.size());
    const int at = index < 0 ? count + index : index;
    return at >= 0 && at < count ? sets[std::size_t(at)] : kEmptySet;
}

QVariant Reply::value(int index) const
{
    const auto &rows = set(index).rows;
    return rows.isEmpty() || rows.first().isEmpty() ? QVariant() : rows.first().first();
}

SessionTarget forWatching(SessionTarget target)
{
    target.connectTimeout = AnswerLimit;
    target.readTimeout = AnswerLimit;
    target.statementLimit = AnswerLimit - std::chrono::seconds(1);
    target.isSchemaOptional = true;
    target.isConsole = true;
    return target;
}

std::unique_ptr<Session> Session::open(const SessionTarget &target, LockError *error)
{
    auto session = openAs(target, error);
    if (session || !target.isSchemaOptional || target.url.schema.isEmpty())
        return session;
    if (error->kind != Kind::SchemaMissing && error->kind != Kind::NoPermission)
        return nullptr;
    SessionTarget without = target;
    without.url.schema.clear();
    const bool isRefused = error->kind == Kind::NoPermission;
    session = openAs(without, error);
    if (session)
        session->m_isSchemaRefused = isRefused;
    return session;
}

/// Ended as soon as it was there, it is opened once more.
std::unique_ptr<Session> Session::openAs(const SessionTarget &target, LockError *error)
{
    const auto begin = Clock::now();
    for (int tries = 2; tries > 0; --tries) {
        auto session = connect(target, error);
        if (!session)
            return nullptr;
        auto refused = session->prepare(target);
        if (!refused)
            return session;
        *error = std::move(*refused);
        if (!error->connectionGone || Clock::now() - begin > kSoon)
            return nullptr;
    }
    return nullptr;
}

Session::Session()
    : m_number([] {
        static std::atomic<quint64> opened = 0;
        return ++opened;
    }())
{
}

std::unique_ptr<Session> Session::connect(const SessionTarget &target, LockError *error)
{
    std::unique_ptr<Session> session(new Session);
    session->m_database = std::make_unique<QSqlDatabase>(UnlistedDatabase());
    if (!session->m_database->isValid()) {
        error->kind = Kind::Unavailable;
        error->connectionGone = true;
        error->message = QStringLiteral("Qt's MySQL driver is not installed. On Debian: apt install libqt6sql6-mysql");
        return nullptr;
    }
    const QString &authority = target.url.caFile;
    if (!authority.isEmpty() && (!QFileInfo(authority).isFile() || !QFileInfo(authority).isReadable())) {
        // Asked here: what the client library says of it may be what it had to say of another connection.
        *error = lockErrorFor(SecureFailure, {}, "connect");
        error->message = QStringLiteral("The CA file cannot be read. Check its path: %1").arg(authority);
        return nullptr;
    }
    const bool mayBeShown = setConnectOptions(*session->m_database, target);
    ReplyBound bound(kMostBytesOfGreeting, target.connectTimeout * kGreetingTime);
    if (session->m_database->open()) {
        refuseLocalFiles(*session->m_database);
        session->m_query = std::make_unique<QSqlQuery>(*session->m_database);
        session->m_query->setForwardOnly(true);
        return session;
    }
    *error = toLockError(session->m_database->lastError(), "connect");
    if (error->code == WayRefused && !mayBeShown)
        error->message = QStringLiteral(
            "The server asked for the password in a way that could show it, and the program that answers at this "
            "address of this machine may be anybody's: nothing was sent. Use the socket of the server, if it runs as "
            "root, as a system account or as this user, or name the authority that signed its certificate (ssl-ca).");
    return nullptr;
}

Session::~Session()
{
    if (m_process.isForeign()) {
        ForkGuard::keep(std::move(m_query));
        ForkGuard::keep(std::move(m_database));
    } else if (m_database) {
        m_query.reset();
        m_database->close();
    }
}

std::optional<LockError> Session::prepare(const SessionTarget &target)
{
    const QByteArray isolation = target.readUncommitted ? "READ UNCOMMITTED" : "READ COMMITTED";
    m_mark = target.mark;
    if (target.readTimeout.count() > 0)
        m_answerTime = target.readTimeout * kAnswerTime;
    m_server = target.url.toString();
    m_place =
        target.url.socket.isEmpty() ? target.url.host + u':' + QString::number(target.url.port) : target.url.socket;
    QByteArray packet = "SET SESSION TRANSACTION ISOLATION LEVEL " + isolation + ", READ WRITE; "
        + sqlText("server/session", Family::MariaDb) + "; " + limitOf(target);
    if (!m_mark.isEmpty())
        packet +=
            renderSql(sqlText("server/mark", Family::MariaDb), Params().lockName("name", markOf(m_number))) + "; ";
    const Reply settings = run(packet + sqlText("server/identity", Family::MariaDb), "server/session");
    if (!settings)
        return settings.error;
    QString host;
    QString port;
    QString socket;
    QString id;
    for (const QVariantList &row : settings.set(-1).rows) {
        const QString name = row.value(0).toString().toLower();
        const QString value = row.value(1).toString();
        if (name == QLatin1String("version"))
            m_info.version = value;
        else if (name == QLatin1String("binlog_format"))
            m_info.binlogFormat = value;
        else if (name == QLatin1String("read_only"))
            m_info.readOnly = value == QLatin1String("ON") || value == QLatin1String("1");
        else if (name == QLatin1String("innodb_flush_log_at_trx_commit") || name == QLatin1String("sync_binlog"))
            m_info.durable = m_info.durable && value == QLatin1String("1");
        else if (name == QLatin1String("hostname"))
            host = value;
        else if (name == QLatin1String("port"))
            port = value;
        else if (name == QLatin1String("socket"))
            socket = value;
        else if (name == QLatin1String("server_uuid") || name == QLatin1String("server_uid"))
            id = value;
    }
    if (!host.isEmpty())
        m_info.ownName = QStringLiteral("%1:%2 %3").arg(host, port == QLatin1String("0") ? socket : port, id).trimmed();
    const QVariantList identity = settings.set(-2).rows.value(0);
    m_info.connectionId = identity.value(0).toULongLong();
    m_info.account = identity.value(2).toString();
    if (target.isConsole)
        m_listed = listed(m_place, m_info.connectionId);
    if (!identity.value(1).toBool()) { // no binary log: its settings do not matter
        m_info.binlogFormat.clear();
        m_info.durable = true;
        for (const QVariantList &row : settings.set(-1).rows) {
            if (row.value(0).toString() == QLatin1String("innodb_flush_log_at_trx_commit"))
                m_info.durable = row.value(1).toString() == QLatin1String("1");
        }
    }
    m_info.family =
        m_info.version.contains(QLatin1String("mariadb"), Qt::CaseInsensitive) ? Family::MariaDb : Family::MySql;
    m_trustedFrom = m_info.family == Family::MySql ? Clock::now() + kStrayLimit : kTrusted;
    return std::nullopt;
}

Reply runPacket(const QSqlDatabase &database, const QByteArray &sql, const QByteArray &name)
{
    QSqlQuery query(database);
    query.setForwardOnly(true);
    return runPacket(query, sql, name);
}

Reply Session::run(const QByteArray &sql, const QByteArray &name)
{
    if (m_gone)
        return Reply{{}, lockErrorFor(2006, {}, name)};
    const auto sentAt = Clock::now();
    Reply reply = m_trustedFrom == kTrusted ? runPacket(*m_query, sql, name, m_answerTime) : runNumbered(sql, name);
    m_gone = reply.error && reply.error->connectionGone;
    if (!m_gone && sentAt >= m_trustedFrom)
        m_trustedFrom = kTrusted;
    return reply;
}

Reply Session::runNumbered(const QByteArray &sql, const QByteArray &name)
{
    const quint64 number = QRandomGenerator::global()->generate64();
    const QByteArray asked = selects(number);
    Reply reply = SingleStatements::areAsked()
        ? runApart(*m_query, {asked, sql, asked}, name, m_answerTime)
        : runPacket(*m_query, asked + "; " + sql + ";\n" + asked, name, m_answerTime);
    const bool begins = isAnswerOf(reply.set(0), number);
    const bool ends = reply.sets.size() > 1 && isAnswerOf(reply.set(-1), number);
    if (begins)
        reply.sets.erase(reply.sets.begin());
    else
        reply.sets.clear();
    if (!reply.error && begins && ends) {
        reply.sets.pop_back();
        return reply;
    }
    if (reply.error && (reply.error->connectionGone || answersAsBefore(*m_query, *reply.error)))
        return reply;
    const QString words = reply.error ? reply.error->toString() : QString();
    return Reply{{}, lockErrorFor(2013, words, name)};
}

QByteArray Session::execution(const QByteArray &name, const Params &params)
{
    auto known = m_executions.find(name);
    if (known == m_executions.end())
        known = m_executions.emplace(name, prepareStatement(name)).first;
    const Execution &execution = known->second;
    if (execution.begin.isEmpty())
        return renderSql(sqlText(name, m_info.family), params);
    return renderValues(execution.begin, execution.places, params);
}

Session::Execution Session::prepareStatement(const QByteArray &name)
{
    if (m_info.family != Family::MariaDb)
        return {};
    PreparedSql prepared = preparedSql(sqlText(name, m_info.family));
    const QString identifier = QString::fromUtf8(name);
    const auto params = Params().identifier("name", identifier).bytes("sql", prepared.text);
    if (!run("server/prepare", params))
        return {};
    return {"EXECUTE " + quotedIdentifier(identifier) + " USING ", std::move(prepared.places)};
}

QSqlDatabase Session::database() const
{
    return *m_database;
}

bool Session::isOfConsole(quint64 connectionId) const
{
    const std::lock_guard guard(console().mutex);
    return console().connections.contains({m_place, connectionId});
}

QByteArray Session::markOf(quint64 number) const
{
    return m_mark + QByteArray::number(number);
}

Reply Session::kill(quint64 number)
{
    return run("server/kill", Params().lockName("name", markOf(number)));
}

Reply Session::run(const QByteArray &name, const Params &params)
{
    return run(renderSql(sqlText(name, m_info.family), params), name);
}

} // namespace lockscope
