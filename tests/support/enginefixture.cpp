// SPDX-License-Identifier: MIT
#include "enginefixture.h"

#include "freeze.h"
#include "session/schema.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDeadlineTimer>
#include <QtCore/QThread>

namespace lockscope::test {

namespace {

constexpr int kUnknownThread = 1094;

} // namespace

EngineConfig configFor(const TestServer &server)
{
    EngineConfig config;
    config.server = server.url();
    config.service = QStringLiteral("test");
    return config;
}

EngineConfig smallConfigFor(const TestServer &server)
{
    EngineConfig config = configFor(server);
    config.maxConnections = 4;
    return config;
}

SessionTarget targetFor(const TestServer &server)
{
    SessionTarget target;
    target.url = server.url();
    return target;
}

LockRequest requestFor(const QByteArray &resource, Duration wait, Duration ttl)
{
    LockRequest request;
    request.resource = resource;
    request.wait = wait;
    request.ttl = ttl;
    return request;
}

LockRequest rowRequest(const QByteArray &resource, Duration wait, Duration ttl)
{
    LockRequest request = requestFor(resource, wait, ttl);
    request.mode = Mode::Pessimistic;
    return request;
}

void resetTables(TestServer &server)
{
    if (const auto error = installSchema(targetFor(server)))
        qFatal("%s", qPrintable(error->toString()));
    Observer(server).run(
        "DELETE FROM lock_lease; DELETE FROM lock_event; DELETE FROM lock_latency; "
        "DELETE FROM lock_wait_for; DELETE FROM lock_attempt; DELETE FROM lock_done; DELETE FROM lock_release_request");
}

void waitForLocks(Session &session, quint64)
{
    session.run("SET SESSION lock_wait_timeout = 60, innodb_lock_wait_timeout = 60", QByteArray("test"));
}

Observer::Observer(const TestServer &server)
    : m_link(targetFor(server), waitForLocks)
{
}

QVariant Observer::value(const QByteArray &sql)
{
    return rows(sql).value(0).value(0);
}

QList<QVariantList> Observer::rows(const QByteArray &sql)
{
    const Reply reply = m_link.run(sql, "test");
    if (!reply)
        qFatal("%s: %s", sql.constData(), qPrintable(reply.error->toString()));
    return reply.set(-1).rows;
}

void Observer::run(const QByteArray &sql)
{
    rows(sql);
}

void Observer::kill(const QByteArray &id)
{
    const Reply reply = m_link.run("KILL " + id, "test");
    if (!reply && reply.error->code != kUnknownThread)
        qFatal("KILL %s: %s", id.constData(), qPrintable(reply.error->toString()));
}

QByteArray Observer::rowHolder(const QByteArray &resource)
{
    return value("SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED; SELECT NULLIF(connection, 0) FROM lock_row "
                 "WHERE resource = x'"
                 + resource.toHex() + '\'')
        .toByteArray();
}

QByteArray Observer::rowWaiter()
{
    return value("SELECT id FROM information_schema.processlist WHERE info LIKE '%lock_row%FOR UPDATE%' AND id <> "
                 "CONNECTION_ID()")
        .toByteArray();
}

int Observer::waiters(const QByteArray &resource)
{
    return value("SELECT LENGTH(queue) - LENGTH(REPLACE(queue, '\\n', '')) FROM lock_lease WHERE resource = x'"
                 + resource.toHex() + '\'')
        .toInt();
}

int Observer::blocked()
{
    return value("SELECT COUNT(*) FROM information_schema.processlist WHERE state = 'User lock'").toInt();
}

void Observer::startLog()
{
    run("SET GLOBAL general_log = 0; SET GLOBAL log_output = 'TABLE'; TRUNCATE mysql.general_log; "
        "SET GLOBAL general_log = 1");
}

QStringList Observer::logged()
{
    run("SET GLOBAL general_log = 0");
    QStringList packets;
    const auto found = rows("SELECT CONVERT(argument USING utf8mb4) FROM mysql.general_log "
                            "WHERE command_type = 'Query' AND thread_id <> CONNECTION_ID() "
                            "AND argument NOT REGEXP '^SELECT [0-9]+ /[*] Lockscope: is the answer mine'");
    for (const QVariantList &row : found) {
        QString packet = row.value(0).toString().simplified();
        if (packet.endsWith(u';')) // of one that stood before the second number
            packet.chop(1);
        packets += packet;
    }
    return packets;
}

Worker::Worker(const TestServer &server)
{
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(QStringLiteral(LOCKSCOPE_LOCKWORKER), {server.url().toString()});
    if (answer() != QLatin1String("ready"))
        qFatal("lockworker did not start: %s", qPrintable(m_process.errorString()));
}

Worker::~Worker()
{
    m_process.closeWriteChannel();
    if (!m_process.waitForFinished(10'000))
        m_process.kill();
    m_process.waitForFinished();
}

QString Worker::ask(const QByteArray &command)
{
    send(command);
    return answer();
}

void Worker::send(const QByteArray &command)
{
    m_process.write(command + '\n');
    m_process.waitForBytesWritten();
}

QString Worker::answer()
{
    const QDeadlineTimer deadline(Patience);
    while (!m_process.canReadLine() && !deadline.hasExpired()) {
        if (!m_process.waitForReadyRead(int(deadline.remainingTime())) && m_process.state() == QProcess::NotRunning)
            break;
    }
    return QString::fromUtf8(m_process.readLine()).trimmed();
}

bool Worker::hasAnswer()
{
    m_process.waitForReadyRead(0);
    return m_process.canReadLine();
}

void Worker::kill9()
{
    m_process.kill();
    m_process.waitForFinished();
}

void Worker::freeze()
{
    freezeProcess(pid());
}

void Worker::thaw()
{
    thawProcess(pid());
}

} // namespace lockscope::test
