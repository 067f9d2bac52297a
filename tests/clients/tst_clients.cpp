// SPDX-License-Identifier: MIT
// A program that locks by a table, or by GET_LOCK, takes its lock, Lockscope sees it and releases it, and the program
// goes on unharmed.
#include "actions/tablerelease.h"
#include "locktables/profilelibrary.h"
#include "locktables/rowlockholders.h"
#include "locktables/tablereader.h"
#include "waits/heldlocks.h"
#include "waits/userlocknames.h"
#include "waitstest.h"

#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatience = 120'000; // milliseconds

/// What runs it, then its arguments.
QStringList commandFor(const QString &script)
{
    if (script.endsWith(u".php"_s))
        return {u"php"_s, script};
    if (script.endsWith(u".rb"_s))
        return {u"ruby"_s, script};
    if (script.endsWith(u".js"_s))
        return {u"node"_s, script};
    if (script.endsWith(u".py"_s)) // Debian's, whatever else is found first; a script may have a module's name
        return {u"/usr/bin/python3"_s, u"-I"_s, script};
    QStringList jars;
    for (const auto *const name :
         {"bsh", "mariadb-java-client", "jna", "slf4j-api", "slf4j-nop", "quartz2", "activemq-client",
          "activemq-broker", "activemq-jdbc-store", "geronimo-jms_1.1_spec"})
        jars.append(u"/usr/share/java/%1.jar"_s.arg(QLatin1String(name)));
    jars.append(QStringLiteral(LOCKSCOPE_NODE_MODULES "/liquibase/dist/liquibase/liquibase.jar"));
    return {u"java"_s, u"-cp"_s, jars.join(u':'), u"bsh.Interpreter"_s, script};
}

const TableLock *named(const TableLocks &found, const QByteArray &name)
{
    const auto lock = std::find_if(found.locks.cbegin(), found.locks.cend(),
                                   [&name](const TableLock &one) { return one.name() == name; });
    return lock == found.locks.cend() ? nullptr : &*lock;
}

const HeldLock *userLock(const QList<HeldLock> &held, const QByteArray &name)
{
    const auto lock = std::find_if(held.cbegin(), held.cend(), [&name](const HeldLock &one) {
        return one.lock.object.kind == ServerLockKind::User && one.lock.object.name == name;
    });
    return lock == held.cend() ? nullptr : &*lock;
}

} // namespace

class TestClients : public WaitsTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aClientGoesOnAfterItsLockWasReleased_data();
    void aClientGoesOnAfterItsLockWasReleased();
    void aSchedulerGoesOnAfterTheSessionThatHoldsItsLockEnded();
    void anotherGoesOnAfterTheSessionOfAUserLockEnded_data();
    void anotherGoesOnAfterTheSessionOfAUserLockEnded();

private:
    void start(const QString &script);
    QByteArray line();
    TableLocks read();

    QProcess m_client;
    TableReader m_tables{builtInProfiles(), {{u"ghost"_s, QTimeZone::utc()}, {u"liquibase"_s, QTimeZone::utc()}}};
};

void TestClients::init()
{
    EngineTest::init();
    useServer(false);
    lookAs(forWatching(targetFor(*m_server))); // as lockctl does
    m_tables.forgetTables();
    m_observer->run("DROP DATABASE IF EXISTS app");
    m_observer->run("CREATE DATABASE app");
}

void TestClients::cleanup()
{
    m_client.kill(); // after a failure it may still hold something
    m_client.waitForFinished();
    WaitsTest::cleanup();
}

void TestClients::start(const QString &script)
{
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    all.insert(u"CLIENT_SOCKET"_s, m_used->url().socket);
    all.insert(u"CLIENT_USER"_s, m_used->url().user);
    all.insert(u"CLIENT_PASSWORD"_s, {});
    all.insert(u"CLIENT_SCHEMA"_s, u"app"_s);
    all.insert(u"NODE_PATH"_s, QStringLiteral(LOCKSCOPE_NODE_MODULES));
    all.insert(u"TZ"_s, u"UTC"_s);
    m_client.setProcessEnvironment(all);
    m_client.setWorkingDirectory(QStringLiteral(LOCKSCOPE_CLIENTS));
    QStringList command = commandFor(script);
    const QString program = command.takeFirst();
    m_client.start(program, command);
    const QByteArray said = line();
    QVERIFY2(said == "held",
             "not started: " + said + m_client.readAllStandardError() + qUtf8Printable(m_client.errorString())
                 + "\nWhat it needs is installed by: sh tests/run.sh --prepare");
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

TableLocks TestClients::read()
{
    TableReadOptions options;
    options.candidates = {"invoices"};
    TableLocks found;
    const auto error = m_tables.read(*m_session, options, &found);
    if (error)
        qWarning("%s", qUtf8Printable(error->toString()));
    return found;
}

void TestClients::aClientGoesOnAfterItsLockWasReleased_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QRegularExpression>("holder");
    QTest::addColumn<bool>("hasAge");
    QTest::addColumn<QByteArrayList>("answers");
    const QRegularExpression none(u"^$"_s);
    const QByteArrayList passedOn{"another takes it: yes", "the holder still has it: no", "the other has it: yes",
                                  "done"};
    QTest::newRow("laravel") << u"laravel.php"_s << QByteArray("app_cache_invoices")
                             << QRegularExpression(u"^\\w{16}$"_s) << false << passedOn;
    QTest::newRow("symfony") << u"symfony.php"_s << QByteArray("invoices") << none << false << passedOn;
    QTest::newRow("delayed-job") << u"delayed_job.rb"_s << QByteArray("1") << QRegularExpression(u"^host:a7 pid:12$"_s)
                                 << true
                                 << QByteArrayList{"another takes it: yes", "the holder: 1 done, 0 failed",
                                                   "jobs left: 0", "done"};
    QTest::newRow("knex") << u"knex.js"_s << QByteArray("1") << none << false
                          << QByteArrayList{"another takes it: yes, for first,second", "done"};
    QTest::newRow("ghost") << u"ghost.js"_s << QByteArray("km01") << none << true
                           << QByteArrayList{"another takes it: yes",
                                             "the holder is told: Migration lock was already released?.", "done"};
    QTest::newRow("liquibase") << u"liquibase.bsh"_s << QByteArray("1") << QRegularExpression(u"^\\S+ \\(\\S+\\)$"_s)
                               << true << QByteArrayList{"another takes it: yes", "the other has it: no", "done"};
    QTest::newRow("activemq") << u"activemq.bsh"_s << QByteArray("1") << QRegularExpression(u"^broker1$"_s) << false
                              << passedOn;
}

void TestClients::aClientGoesOnAfterItsLockWasReleased()
{
    QFETCH(QString, script);
    QFETCH(QByteArray, name);
    QFETCH(QRegularExpression, holder);
    QFETCH(QByteArrayList, answers);
    start(script);
    if (QTest::currentTestFailed())
        return;

    const TableLocks found = read();
    QCOMPARE(found.locks.size(), 1);
    const TableLock &lock = found.locks.first();
    QCOMPARE(lock.table.profile.id, QString::fromLatin1(QTest::currentDataTag()));
    QCOMPARE(lock.state, TableLockState::Held);
    QCOMPARE(lock.name(), name);
    QVERIFY2(holder.match(QString::fromUtf8(lock.holder)).hasMatch(), lock.holder.constData());
    QTEST(lock.since.has_value(), "hasAge");
    const auto rounding = m_server->family() == Family::MySql ? 1s : 0s; // to a whole second, up as well
    QVERIFY(!lock.since || *lock.since <= found.clock.server + rounding);

    const QTemporaryDir folder;
    AuditFile audit(folder.filePath(u"audit"_s));
    const TableReleaseReport report =
        releaseTableLock(*m_session, {lock, u"ada"_s, u"stuck"_s}, ServerAccess::toAct(), &audit);
    QVERIFY2(report.outcome == TableReleaseReport::Outcome::Released, qUtf8Printable(outcomeOf(report)));
    m_client.write("go on\n");
    for (const QByteArray &answer : answers)
        QCOMPARE(line(), answer);
    QVERIFY(m_client.waitForFinished(kPatience));
    QCOMPARE(m_client.exitCode(), 0);
    QVERIFY2(read().locks.isEmpty(), "something is left");
}

void TestClients::aSchedulerGoesOnAfterTheSessionThatHoldsItsLockEnded()
{
    start(u"quartz.bsh"_s);
    if (QTest::currentTestFailed())
        return;

    TableLocks found;
    const TableLock *lock = nullptr;
    const ServerWaits waits = lookUntil([this, &found, &lock](const ServerWaits &now) {
        found = read();
        judgeByRowLocks(heldLocks(now), now, &found.locks);
        lock = named(found, "shop TRIGGER_ACCESS");
        return lock && lock->state == TableLockState::Held; // once the other scheduler waits
    });
    QVERIFY(lock);
    QCOMPARE(lock->table.profile.id, u"quartz"_s);
    QString refusal;
    QVERIFY(!lookUpTableRefusal(*m_session, {*lock, u"ada"_s, u"stuck"_s}, &refusal) && !refusal.isEmpty());
    QCOMPARE(waits.edges.size(), 1);
    const quint64 holder = waits.edges.first().blocker;
    QVERIFY2(lock->holder.startsWith("session " + QByteArray::number(holder) + ' '), lock->holder.constData());

    const KillReport report = act({KillTarget::of(waits, holder), KillKind::Connection, u"ada"_s, u"stuck"_s});
    QVERIFY2(isAccepted(report), report.error ? qUtf8Printable(report.error->toString()) : "");
    m_client.write("go on\n");
    QCOMPARE(line(), "the other runs its job: yes");
    QCOMPARE(line(), "the holder is told: yes");
    QCOMPARE(line(), "done");
    QVERIFY(m_client.waitForFinished(kPatience));
    QCOMPARE(m_client.exitCode(), 0);
}

void TestClients::anotherGoesOnAfterTheSessionOfAUserLockEnded_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QString>("program");
    QTest::addColumn<int>("waiters");
    QTest::addColumn<QByteArrayList>("answers");
    QTest::newRow("rails") << u"rails.rb"_s << QByteArray("6939591962871035475") << u"Rails migrations of app"_s << 0
                           << QByteArrayList{"another takes it: yes", "the holder is told: yes", "done"};
    QTest::newRow("kysely") << u"kysely.js"_s << QByteArray("ea586330-2c93-47c8-908d-981d9d270f9d")
                            << u"Kysely migrations"_s << 1
                            << QByteArrayList{"the holder is told: yes", "another takes it: yes", "done"};
    QTest::newRow("tooz") << u"tooz.py"_s << QByteArray("invoices") << QString() << 0
                          << QByteArrayList{"another takes it: yes", "the holder is told: yes", "the other has it: yes",
                                            "done"};
}

void TestClients::anotherGoesOnAfterTheSessionOfAUserLockEnded()
{
    QFETCH(QString, script);
    QFETCH(QByteArray, name);
    QFETCH(int, waiters);
    QFETCH(QByteArrayList, answers);
    useServer(true); // MariaDB tells of such locks only where it is set up to
    Actor(*m_used).run("CREATE DATABASE IF NOT EXISTS app");
    start(script);
    if (QTest::currentTestFailed())
        return;

    HeldLock found;
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        const QList<HeldLock> held = heldLocks(now);
        const HeldLock *const lock = userLock(held, name);
        if (lock)
            found = *lock;
        return lock && lock->queue.size() == waiters;
    });
    QCOMPARE(found.lock.object.name, name);
    QTEST(userLockProgram(name, schemasOf(waits)), "program");

    const KillReport report =
        act({KillTarget::of(waits, found.lock.session), KillKind::Connection, u"ada"_s, u"stuck"_s});
    QVERIFY2(isAccepted(report), report.error ? qUtf8Printable(report.error->toString()) : "");
    m_client.write("go on\n");
    for (const QByteArray &answer : answers)
        QCOMPARE(line(), answer);
    QVERIFY(m_client.waitForFinished(kPatience));
    QCOMPARE(m_client.exitCode(), 0);
}

QTEST_GUILESS_MAIN(TestClients)
#include "tst_clients.moc"
