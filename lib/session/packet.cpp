// SPDX-License-Identifier: MIT
#include "packet_p.h"

#include "replybound.h"

#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>
#include <QtSql/QSqlRecord>

namespace lockscope {

namespace {

using Kind = LockError::Kind;

/// More than any statement here asks for.
constexpr qint64 kMostBytes = qint64(512) * 1024 * 1024;
constexpr std::size_t kMostSets = 100'000;

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

} // namespace

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

Reply runPacket(QSqlQuery &query, const QByteArray &sql, const QByteArray &name,
                std::optional<std::chrono::milliseconds> time)
{
    ReplyBound bound(kMostBytes, time);
    Reply reply = readAll(query, sql, name, bound);
    if (bound.isExceeded())
        reply.error = tooMuch(name);
    return reply;
}

Reply runPacket(const QSqlDatabase &database, const QByteArray &sql, const QByteArray &name)
{
    QSqlQuery query(database);
    query.setForwardOnly(true);
    return runPacket(query, sql, name);
}

} // namespace lockscope
