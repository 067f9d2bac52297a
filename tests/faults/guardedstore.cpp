// SPDX-License-Identifier: MIT
#include "guardedstore.h"

#include "lockscope/fenceguard.h"

#include <QtSql/QSqlDatabase>

using namespace Qt::StringLiterals;

namespace lockscope::faults {

namespace {

QByteArray quoted(const QByteArray &bytes)
{
    return "x'" + bytes.toHex() + '\'';
}

QByteArray rowOf(int resource)
{
    return " WHERE name = " + quoted(resourceName(resource));
}

QByteArray readSql(int resource)
{
    return "SELECT total FROM faults.store" + rowOf(resource);
}

QByteArray writeSql(int resource, quint64 token, qint64 read, const QByteArray &writer)
{
    return "UPDATE faults.store SET total = " + QByteArray::number(read + 1) + ", token = " + QByteArray::number(token)
        + ", writer = " + quoted(writer) + ", version = version + 1" + rowOf(resource);
}

/// Of a write that was sent by itself.
Answer answerOf(const Reply &reply)
{
    if (!reply)
        return reply.error->kind == LockError::Kind::Contention ? Answer::No : Answer::Unknown;
    return reply.set(-1).affected == 1 ? Answer::Yes : Answer::No;
}

} // namespace

QByteArray resourceName(int resource)
{
    return "faults:" + QByteArray::number(resource);
}

VersionedTable storeTable()
{
    VersionedTable table;
    table.schema = u"faults"_s;
    table.table = u"store"_s;
    table.keyColumn = u"name"_s;
    table.versionColumn = u"version"_s;
    table.readColumns = {u"total"_s};
    return table;
}

QByteArray writerName(int process, qint64 request)
{
    return QByteArray::number(process) + '.' + QByteArray::number(request);
}

std::optional<std::pair<int, qint64>> writerOf(const QString &name)
{
    bool isProcess = false;
    bool isRequest = false;
    const std::pair writer(name.section(u'.', 0, 0).toInt(&isProcess), name.section(u'.', 1).toLongLong(&isRequest));
    return isProcess && isRequest ? std::optional(writer) : std::nullopt;
}

QByteArray storeSql(int resources)
{
    QByteArray rows;
    for (int resource = 0; resource < resources; ++resource)
        rows += (rows.isEmpty() ? "(" : ", (") + quoted(resourceName(resource)) + ')';
    return "DROP DATABASE IF EXISTS faults; CREATE DATABASE faults; "
           "CREATE TABLE faults.store (name VARBINARY(64) PRIMARY KEY, version BIGINT UNSIGNED NOT NULL DEFAULT 0, "
           "total BIGINT NOT NULL DEFAULT 0, token BIGINT UNSIGNED NOT NULL DEFAULT 0, "
           "fence_seen BIGINT UNSIGNED NOT NULL DEFAULT 0, writer VARBINARY(64) NOT NULL DEFAULT '') ENGINE = InnoDB; "
           "CREATE TABLE faults.journal (name VARBINARY(64), version BIGINT UNSIGNED, token BIGINT UNSIGNED, "
           "writer VARBINARY(64), total BIGINT, PRIMARY KEY (name, version)) ENGINE = InnoDB; "
           "CREATE TABLE faults.pulse (beats BIGINT NOT NULL) ENGINE = InnoDB; INSERT INTO faults.pulse VALUES (0); "
           "CREATE TRIGGER faults.keep AFTER UPDATE ON faults.store FOR EACH ROW INSERT INTO faults.journal SELECT "
           "NEW.name, NEW.version, NEW.token, NEW.writer, NEW.total FROM DUAL WHERE NEW.version <> OLD.version; "
           "INSERT INTO faults.store (name) VALUES "
        + rows;
}

QByteArray journalSql()
{
    return "SELECT SUBSTRING(name, 8), token, CONVERT(writer USING ascii), total FROM faults.journal "
           "ORDER BY name, version";
}

QByteArray pulseSql()
{
    return "UPDATE faults.pulse SET beats = beats + 1";
}

GuardedStore::GuardedStore(SessionTarget target, bool isFenced)
    : m_link(std::move(target))
    , m_isFenced(isFenced)
{
}

std::optional<qint64> GuardedStore::read(int resource, quint64 token)
{
    const QByteArray number = QByteArray::number(token);
    const QByteArray fence =
        "UPDATE faults.store SET fence_seen = " + number + rowOf(resource) + " AND fence_seen < " + number + "; ";
    const Reply reply = send((m_isFenced ? fence : QByteArray()) + readSql(resource));
    if (!reply || reply.value().isNull() || (m_isFenced && reply.set(0).affected != 1))
        return std::nullopt;
    return reply.value().toLongLong();
}

Answer GuardedStore::write(int resource, quint64 token, qint64 read, const QByteArray &writer)
{
    const QByteArray fence = m_isFenced ? " AND fence_seen <= " + QByteArray::number(token) : QByteArray();
    return answerOf(send(writeSql(resource, token, read, writer) + fence));
}

Answer GuardedStore::readAndWrite(int resource, quint64 token, const QByteArray &writer,
                                  const std::function<void()> &pause)
{
    LockError error;
    Session *session = m_link.session(&error);
    if (!session || !session->run("BEGIN", "faults/begin"))
        return Answer::No;
    const FenceGuard guard(
        {.table = u"store"_s, .keyColumn = u"name"_s, .fenceColumn = u"fence_seen"_s, .schema = u"faults"_s});
    QSqlDatabase database = session->database();
    const bool hasPassed = guard.pass(database, resourceName(resource), token).outcome == FenceOutcome::Passed;
    const auto sum = hasPassed ? readSum(database, resource) : std::nullopt;
    if (sum)
        pause();
    if (!sum || !writeSum(database, resource, token, *sum, writer)) {
        m_link.drop(); // whatever its transaction is, it ends
        return Answer::No;
    }
    return session->run("COMMIT", "faults/commit") ? Answer::Yes : Answer::Unknown;
}

std::optional<qint64> readSum(const QSqlDatabase &database, int resource)
{
    const Reply reply = runPacket(database, readSql(resource) + " FOR UPDATE", "faults/read");
    return reply && !reply.value().isNull() ? std::optional(reply.value().toLongLong()) : std::nullopt;
}

bool writeSum(const QSqlDatabase &database, int resource, quint64 token, qint64 read, const QByteArray &writer)
{
    const Reply reply = runPacket(database, writeSql(resource, token, read, writer), "faults/write");
    return reply && reply.set(-1).affected == 1;
}

} // namespace lockscope::faults
