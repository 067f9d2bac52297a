// SPDX-License-Identifier: MIT
// A program that locks by a table takes its lock, Lockscope sees it and releases it, and the program goes on unharmed.
#include "actions/tablerelease.h"
#include "enginetest.h"
#include "locktables/profilelibrary.h"
#include "locktables/tablereader.h"

#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QProcess>
#include <QtCore/QStandardPaths>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatience = 60'000; // milliseconds

} // namespace

class TestClients : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aClientGoesOnAfterItsLockWasReleased_data();
    void aClientGoesOnAfterItsLockWasReleased();

private:
    QProcessEnvironment environment() const;
    QByteArray line();

    QProcess m_client;
};

void TestClients::init()
{
    EngineTest::init();
    m_observer->run("DROP DATABASE IF EXISTS app");
    m_observer->run("CREATE DATABASE app");
}

void TestClients::cleanup()
{
    m_client.kill(); // after a failure it may still hold something
    m_client.waitForFinished();
}

QProcessEnvironment TestClients::environment() const
{
    const ServerUrl url = m_server->url();
    const bool isSocket = !url.socket.isEmpty();
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    all.insert(u"CLIENT_USER"_s, url.user);
    all.insert(u"CLIENT_PDO"_s,
               isSocket ? u"mysql:unix_socket=%1;dbname=app"_s.arg(url.socket)
                        : u"mysql:host=%1;port=%2;dbname=app"_s.arg(url.host).arg(url.port));
    QJsonObject connection{{u"user"_s, url.user}, {u"database"_s, u"app"_s}};
    if (isSocket)
        connection.insert(u"socketPath"_s, url.socket);
    else
        connection.insert(u"host"_s, url.host);
    if (!isSocket)
        connection.insert(u"port"_s, int(url.port));
    all.insert(u"CLIENT_JSON"_s, QString::fromUtf8(QJsonDocument(connection).toJson(QJsonDocument::Compact)));
    all.insert(u"NODE_PATH"_s, qEnvironmentVariable("LOCKSCOPE_TEST_NODE_MODULES"));
    return all;
}

/// The next that the client says; what it complains of where it says nothing more.
QByteArray TestClients::line()
{
    while (!m_client.canReadLine()) {
        if (!m_client.waitForReadyRead(kPatience))
            return m_client.readAllStandardOutput() + m_client.readAllStandardError();
    }
    return m_client.readLine().trimmed();
}

void TestClients::aClientGoesOnAfterItsLockWasReleased_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("script");
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("symfony") << u"php"_s << u"symfony.php"_s << QByteArray("invoices");
    QTest::newRow("laravel") << u"php"_s << u"laravel.php"_s << QByteArray("app_cache_invoices");
    QTest::newRow("delayed-job") << u"ruby"_s << u"delayed_job.rb"_s << QByteArray("1");
    QTest::newRow("knex") << u"node"_s << u"knex.js"_s << QByteArray("1");
    QTest::newRow("ghost") << u"node"_s << u"ghost.js"_s << QByteArray("km01");
}

void TestClients::aClientGoesOnAfterItsLockWasReleased()
{
    QFETCH(QString, program);
    QFETCH(QString, script);
    if (program == u"node"_s && qEnvironmentVariableIsEmpty("LOCKSCOPE_TEST_NODE_MODULES"))
        QSKIP("LOCKSCOPE_TEST_NODE_MODULES names no folder with what npm installs");
    QVERIFY(!QStandardPaths::findExecutable(program).isEmpty());
    m_client.setProcessEnvironment(environment());
    m_client.start(program, {QStringLiteral(LOCKSCOPE_CLIENTS) + u'/' + script});
    QCOMPARE(line(), "taken");

    LockError refused;
    const auto session = Session::open(forWatching(targetFor(*m_server)), &refused);
    QVERIFY2(session, qUtf8Printable(refused.toString()));
    TableReader reader(builtInProfiles());
    TableReadOptions options;
    options.candidates = {"invoices"};
    TableLocks found;
    QVERIFY(!reader.read(*session, options, &found));
    QCOMPARE(found.locks.size(), 1);
    QCOMPARE(found.locks.first().table.profile.id, QString::fromLatin1(QTest::currentDataTag()));
    QCOMPARE(found.locks.first().state, TableLockState::Held);
    QTEST(found.locks.first().name(), "name");

    const QTemporaryDir folder;
    AuditFile audit(folder.filePath(u"audit"_s));
    const TableReleaseReport report =
        releaseTableLock(*session, {found.locks.first(), u"ada"_s, u"stuck"_s}, ServerAccess::toAct(), &audit);
    QVERIFY2(report.outcome == TableReleaseReport::Outcome::Released, qUtf8Printable(outcomeOf(report)));
    m_client.write("go on\n");
    QCOMPARE(line(), "granted");
    QCOMPARE(line(), "unharmed");
    QVERIFY(m_client.waitForFinished(kPatience));
    QCOMPARE(m_client.exitCode(), 0);
    QVERIFY2(!reader.read(*session, options, &found) && found.locks.isEmpty(), "something is left");
}

QTEST_GUILESS_MAIN(TestClients)
#include "tst_clients.moc"
