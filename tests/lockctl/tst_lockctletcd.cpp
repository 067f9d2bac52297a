// SPDX-License-Identifier: MIT
// lockctl where the locks are on etcd.
#include "etcdbench.h"
#include "lockctlrunner.h"
#include "strict.h"

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

class LockctlEtcdTest : public EtcdTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aRunHoldsTheLeaseWhileItsCommandRuns();
    void aTakenLeaseIs75AndAWaitingRunIsNext();
    void aForceReleasedRunIs76();
    void theHolderIsAsked();
    void locksAndTheirQueueAreListed();
    void whatEtcdCannotDoIsRefused_data();
    void whatEtcdCannotDoIsRefused();
    void aWrongAddressIsToldBeforeAnythingIsRun_data();
    void aWrongAddressIsToldBeforeAnythingIsRun();

private:
    std::unique_ptr<QProcess> hold();

    const QTemporaryDir m_home;
    std::unique_ptr<CtlRunner> m_ctl;
};

void LockctlEtcdTest::init()
{
    failOnWarnings();
    EtcdTest::init();
    m_ctl = std::make_unique<CtlRunner>(m_bench.url().toString());
    m_ctl->set("XDG_DATA_HOME", m_home.path());
}

/// A run that holds "nightly" until end().
std::unique_ptr<QProcess> LockctlEtcdTest::hold()
{
    auto run = m_ctl->start({u"run"_s, u"nightly"_s, u"--note"_s, u"the night run"_s, u"--"_s, u"sh"_s, u"-c"_s,
                             u"trap 'exit 3' TERM; echo ready; while :; do sleep 0.02; done"_s});
    if (const QByteArray said = nextLine(*run); said != "ready")
        qFatal("The holder did not start: %s", said.constData());
    return run;
}

void LockctlEtcdTest::aRunHoldsTheLeaseWhileItsCommandRuns()
{
    const QString script = u"echo $LOCKSCOPE_RESOURCE $LOCKSCOPE_TOKEN; exit 7"_s;
    const auto ran = m_ctl->run({u"run"_s, u"nightly"_s, u"--"_s, u"sh"_s, u"-c"_s, script});
    QVERIFY2(ran.exitCode == 7, ran.text());
    const QByteArrayList said = ran.out.trimmed().split(' ');
    QCOMPARE(said.value(0), "nightly");
    QVERIFY2(said.value(1).toULongLong() > 0, ran.text());
    QVERIFY(m_bench.queue("nightly").isEmpty());
    const auto run = hold();
    QCOMPARE(m_bench.queue("nightly").size(), 1);
    QCOMPARE(end(*run).exitCode, 3);
    QVERIFY(m_bench.queue("nightly").isEmpty());
}

void LockctlEtcdTest::aTakenLeaseIs75AndAWaitingRunIsNext()
{
    const auto holder = hold();
    const auto tried = m_ctl->run({u"run"_s, u"nightly"_s, u"--wait"_s, u"0"_s, u"--"_s, u"true"_s});
    QVERIFY2(tried.exitCode == 75 && tried.err.contains("nightly is held by somebody else"), tried.text());
    const auto next = m_ctl->start({u"run"_s, u"nightly"_s, u"--"_s, u"echo"_s, u"mine"_s});
    QVERIFY(m_bench.haveJoined(1, "nightly"));
    end(*holder);
    const auto done = CtlRunner::finish(*next);
    QVERIFY2(done.exitCode == 0 && done.out == "mine\n", done.text());
}

void LockctlEtcdTest::aForceReleasedRunIs76()
{
    const auto holder = hold();
    const auto listed = m_ctl->run({u"list"_s, u"--json"_s});
    const QString token = QString::number(listed.array()[0][u"token"_s].toInteger());
    const auto wrong = m_ctl->run({u"release"_s, u"nightly"_s, u"--token"_s, u"1"_s, u"--reason"_s, u"stuck"_s});
    QVERIFY2(wrong.exitCode != 0, wrong.text());
    QCOMPARE(m_bench.queue("nightly").size(), 1);
    const auto shown =
        m_ctl->run({u"release"_s, u"nightly"_s, u"--token"_s, token, u"--reason"_s, u"stuck"_s, u"--dry-run"_s});
    QVERIFY2(shown.exitCode == 0 && shown.out.contains("create_revision is " + token.toUtf8()), shown.text());
    QCOMPARE(m_bench.queue("nightly").size(), 1);
    const auto released = m_ctl->run({u"release"_s, u"nightly"_s, u"--token"_s, token, u"--reason"_s, u"stuck"_s});
    QVERIFY2(released.exitCode == 0, released.text());
    QVERIFY(m_bench.queue("nightly").isEmpty());
    const auto ended = CtlRunner::finish(*holder); // it is told
    QVERIFY2(ended.exitCode == 76, ended.text());
}

void LockctlEtcdTest::theHolderIsAsked()
{
    const auto nobody = m_ctl->run({u"ask"_s, u"nightly"_s, u"--reason"_s, u"deploying"_s});
    QVERIFY2(nobody.out == "Nobody holds nightly.\n", nobody.text());
    const auto holder = hold();
    const auto asked = m_ctl->run({u"ask"_s, u"nightly"_s, u"--reason"_s, u"deploying"_s});
    QVERIFY2(asked.exitCode == 0 && asked.out.startsWith("Asked lockctl"), asked.text());
    QByteArray told;
    QVERIFY(eventually([&] {
        holder->waitForReadyRead(10);
        told += holder->readAllStandardError();
        return told.contains("lockctl: somebody asks for nightly: deploying\n");
    }));
    end(*holder);
}

void LockctlEtcdTest::locksAndTheirQueueAreListed()
{
    QCOMPARE(m_ctl->run({u"list"_s, u"--json"_s}).out, "[]\n");
    const auto holder = hold();
    const qint64 lease = m_bench.eye().grant(60s);
    m_bench.eye().put(detail::requestKey(m_bench.url(), "gophers", lease), {}, lease);
    const auto waiter = m_ctl->start({u"run"_s, u"nightly"_s, u"--note"_s, u"next"_s, u"--"_s, u"true"_s});
    QVERIFY(m_bench.haveJoined(1, "nightly"));
    const auto listed = m_ctl->run({u"list"_s, u"--json"_s});
    QVERIFY2(listed.exitCode == 0 && listed.array().size() == 2, listed.text());
    QCOMPARE(listed.array()[0][u"resource"_s].toString(), u"gophers"_s);
    const QJsonObject lock = listed.array()[1].toObject();
    QCOMPARE(lock[u"resource"_s].toString(), u"nightly"_s);
    QCOMPARE(lock[u"state"_s].toString(), u"held"_s);
    QCOMPARE(lock[u"note"_s].toString(), u"the night run"_s);
    QCOMPARE(lock[u"waiters"_s].toInteger(), 1);
    QCOMPARE(lock[u"owner"_s][u"pid"_s].toInteger(), holder->processId());
    QVERIFY2(lock[u"sessionAlive"_s].toBool() && lock[u"remainingMs"_s].toInteger() > 0, listed.text());
    const auto table = m_ctl->run({u"list"_s});
    QVERIFY2(table.out.startsWith("RESOURCE") && table.out.contains("the night run"), table.text());
    const auto queue = m_ctl->run({u"waiters"_s, u"nightly"_s, u"--json"_s});
    QVERIFY2(queue.exitCode == 0 && queue.array().size() == 1, queue.text());
    QCOMPARE(queue.array()[0][u"note"_s].toString(), u"next"_s);
    const auto checked = m_ctl->run({u"check"_s, u"--max-wait"_s, u"1h"_s, u"--max-held"_s, u"1h"_s});
    QVERIFY2(checked.exitCode == 0, checked.text());
    end(*holder);
    CtlRunner::finish(*waiter);
}

void LockctlEtcdTest::whatEtcdCannotDoIsRefused_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("told");
    QTest::newRow("a row") << QStringList{u"--mode"_s, u"pessimistic"_s}
                           << QByteArray("needs an engine on MySQL or MariaDB");
    QTest::newRow("a minimum") << QStringList{u"--hold-at-least"_s, u"1s"_s} << QByteArray("A minimum hold time");
    QTest::newRow("a short TTL") << QStringList{u"--ttl"_s, u"1s"_s} << QByteArray("The TTL must be at least 2 s");
}

void LockctlEtcdTest::whatEtcdCannotDoIsRefused()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, told);
    const auto run =
        m_ctl->run(QStringList{u"run"_s, u"nightly"_s} + options + QStringList{u"--"_s, u"echo"_s, u"ran"_s});
    QVERIFY2(run.exitCode != 0 && run.out.isEmpty() && run.err.contains(told), run.text());
}

void LockctlEtcdTest::aWrongAddressIsToldBeforeAnythingIsRun_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QByteArray>("told");
    QTest::newRow("no server there") << u"etcd://localhost:1"_s << QByteArray("etcd cannot be reached");
    QTest::newRow("a password in it") << u"etcd://ada:secret@localhost"_s << QByteArray("password");
    QTest::newRow("nowhere") << u"etcd:///locks"_s << QByteArray("neither a host nor a socket");
}

void LockctlEtcdTest::aWrongAddressIsToldBeforeAnythingIsRun()
{
    QFETCH(QString, url);
    QFETCH(QByteArray, told);
    const auto run = CtlRunner(url).run({u"run"_s, u"nightly"_s, u"--"_s, u"echo"_s, u"ran"_s});
    QVERIFY2(run.exitCode > 0 && run.out.isEmpty(), run.text());
    QVERIFY2(run.err.contains(told) && !run.err.contains("secret"), run.text());
}

QTEST_GUILESS_MAIN(LockctlEtcdTest)
#include "tst_lockctletcd.moc"
