// SPDX-License-Identifier: MIT
// lockctl where the locks are on Redis.
#include "lockctlrunner.h"
#include "strict.h"
#include "testredis.h"

#include <QtTest/QtTest>

#include <csignal>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

CtlResult end(QProcess &run)
{
    ::kill(static_cast<pid_t>(run.processId()), SIGTERM);
    return CtlRunner::finish(run);
}

} // namespace

class LockctlRedisTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aRunHoldsTheLeaseWhileItsCommandRuns();
    void aTakenLeaseIs75();
    void aWaitingRunIsNext();
    void aForceReleasedRunIs76();
    void theHolderIsAsked();
    void whatOnlyMySqlHasIsRefused();
    void aWrongAddressIsToldBeforeAnythingIsRun_data();
    void aWrongAddressIsToldBeforeAnythingIsRun();
    void aWrongPasswordIsTold();

private:
    std::unique_ptr<QProcess> hold(const QString &resource);
    QByteArray leaseOf(const QByteArray &resource) { return "lockscope:{" + resource + '}'; }

    TestRedis m_node;
    CtlRunner m_ctl{m_node.url().toString()};
};

void LockctlRedisTest::init()
{
    failOnWarnings();
    m_node.ask({"FLUSHALL"});
}

/// A run that holds `resource` until end().
std::unique_ptr<QProcess> LockctlRedisTest::hold(const QString &resource)
{
    auto run = m_ctl.start({u"run"_s, resource, u"--"_s, u"sh"_s, u"-c"_s,
                            u"trap 'exit 3' TERM; echo ready; while :; do sleep 0.02; done"_s});
    if (const QByteArray said = nextLine(*run); said != "ready")
        qFatal("The holder did not start: %s", said.constData());
    return run;
}

void LockctlRedisTest::aRunHoldsTheLeaseWhileItsCommandRuns()
{
    const QString script = u"echo $LOCKSCOPE_RESOURCE $LOCKSCOPE_TOKEN; exit 7"_s;
    const auto ran = m_ctl.run({u"run"_s, u"nightly"_s, u"--"_s, u"sh"_s, u"-c"_s, script});
    QVERIFY2(ran.exitCode == 7, ran.text());
    const QByteArrayList said = ran.out.trimmed().split(' ');
    QCOMPARE(said.value(0), "nightly");
    QVERIFY2(said.value(1).toULongLong() > 0, ran.text());
    QCOMPARE(m_node.ask({"EXISTS", leaseOf("nightly")}), "0");
    const auto run = hold(u"nightly"_s);
    QCOMPARE(m_node.ask({"EXISTS", leaseOf("nightly")}), "1");
    QCOMPARE(end(*run).exitCode, 3);
    QCOMPARE(m_node.ask({"EXISTS", leaseOf("nightly")}), "0");
}

void LockctlRedisTest::aTakenLeaseIs75()
{
    const auto holder = hold(u"nightly"_s);
    const auto tried = m_ctl.run({u"run"_s, u"nightly"_s, u"--wait"_s, u"0"_s, u"--"_s, u"true"_s});
    end(*holder);
    QVERIFY2(tried.exitCode == 75 && tried.err.contains("nightly is held by somebody else"), tried.text());
}

void LockctlRedisTest::aWaitingRunIsNext()
{
    const auto holder = hold(u"nightly"_s);
    const auto next = m_ctl.start({u"run"_s, u"nightly"_s, u"--"_s, u"echo"_s, u"mine"_s});
    QVERIFY(eventually([this] { return m_node.waiters("nightly") == 1; }));
    end(*holder);
    const auto done = CtlRunner::finish(*next);
    QVERIFY2(done.exitCode == 0 && done.out == "mine\n", done.text());
}

void LockctlRedisTest::aForceReleasedRunIs76()
{
    const auto holder = hold(u"nightly"_s);
    m_node.ask({"DEL", leaseOf("nightly")}); // as somebody in a hurry would
    const auto ended = end(*holder);
    QVERIFY2(ended.exitCode == 76, ended.text());
}

void LockctlRedisTest::theHolderIsAsked()
{
    const auto nobody = m_ctl.run({u"ask"_s, u"nightly"_s, u"--reason"_s, u"deploying"_s});
    QVERIFY2(nobody.out == "Nobody holds nightly.\n", nobody.text());
    const auto holder = hold(u"nightly"_s);
    const auto asked = m_ctl.run({u"ask"_s, u"nightly"_s, u"--reason"_s, u"deploying"_s});
    QVERIFY2(asked.exitCode == 0 && asked.out.startsWith("Asked lockctl"), asked.text());
    QByteArray told;
    QVERIFY(eventually([&] {
        holder->waitForReadyRead(10);
        told += holder->readAllStandardError();
        return told.contains("lockctl: somebody asks for nightly: deploying\n");
    }));
    end(*holder);
}

void LockctlRedisTest::whatOnlyMySqlHasIsRefused()
{
    const auto row = m_ctl.run({u"run"_s, u"nightly"_s, u"--mode"_s, u"pessimistic"_s, u"--"_s, u"echo"_s, u"ran"_s});
    QVERIFY2(row.exitCode != 0 && row.out.isEmpty() && row.err.contains("needs an engine on MySQL or MariaDB"),
             row.text());
}

void LockctlRedisTest::aWrongAddressIsToldBeforeAnythingIsRun_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QByteArray>("told");
    QTest::newRow("no server there") << u"redis:///?socket=/nowhere/s"_s << QByteArray("/nowhere/s");
    QTest::newRow("a password in it") << u"redis://ada:secret@localhost"_s << QByteArray("password");
    QTest::newRow("no port") << u"redis://localhost:nowhere"_s << QByteArray("redis://");
}

void LockctlRedisTest::aWrongAddressIsToldBeforeAnythingIsRun()
{
    QFETCH(QString, url);
    QFETCH(QByteArray, told);
    const auto run = CtlRunner(url).run({u"run"_s, u"nightly"_s, u"--"_s, u"echo"_s, u"ran"_s});
    QVERIFY2(run.exitCode > 0 && run.out.isEmpty(), run.text());
    QVERIFY2(run.err.contains(told) && !run.err.contains("secret"), run.text());
}

void LockctlRedisTest::aWrongPasswordIsTold()
{
    m_node.ask({"CONFIG", "SET", "requirepass", "right"});
    CtlRunner wrong(m_node.url().toString());
    wrong.set("LOCKSCOPE_PASSWORD", u"wrong-one"_s);
    const auto refused = wrong.run({u"run"_s, u"nightly"_s, u"--"_s, u"echo"_s, u"ran"_s});
    wrong.set("LOCKSCOPE_PASSWORD", u"right"_s);
    const auto taken =
        wrong.run({u"run"_s, u"nightly"_s, u"--"_s, u"sh"_s, u"-c"_s, u"echo ran $LOCKSCOPE_PASSWORD"_s});
    m_node.ask({"CONFIG", "SET", "requirepass", ""});
    QVERIFY2(refused.exitCode > 0 && refused.out.isEmpty() && !refused.err.contains("wrong-one"), refused.text());
    QVERIFY2(taken.exitCode == 0 && taken.out == "ran\n", taken.text());
}

QTEST_GUILESS_MAIN(LockctlRedisTest)
#include "tst_lockctlredis.moc"
