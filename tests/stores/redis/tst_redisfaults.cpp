// SPDX-License-Identifier: MIT
// Leases on Redis when processes die or freeze, and when the server does.
#include "locknews.h"
#include "redisfixture.h"

#include <QtTest/QTest>

#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

/// With time-outs that a test can wait for.
RedisConfig impatient(const TestRedis &node)
{
    RedisConfig config = redisConfigFor(node);
    config.connectTimeout = 300ms;
    config.answerTimeout = 300ms;
    return config;
}

} // namespace

class TestRedisFaults : public RedisTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void aDeadHoldersLeaseEndsWithItsTime();
    void aHolderThatFrozePastItsTimeLosesIt();
    void aServerInMemoryForgetsItsLeases();
    void aDurableServerKeepsItsLeases();
    void aWaiterOutlivesTheServersRestart();
    void aServerWithoutScriptsIsGivenThem();
    void brokenConnectionsAreOpenedAgain();
    void aReleaseWhoseConnectionBrokeIsDone();
    void aLostAnswerIsAskedFor();
    void aServerThatStaysSilentLeavesItUnknown();
    void aServerThatIsAwayIsUnavailable();
    void withoutMemoryNobodyJoinsAQueue();
    void anEngineThatEndedHasNoConnections();

private:
    std::unique_ptr<LockEngine> m_engine;
};

void TestRedisFaults::init()
{
    RedisTest::init();
    m_engine = std::make_unique<LockEngine>(engineOn(*m_node));
}

void TestRedisFaults::aDeadHoldersLeaseEndsWithItsTime()
{
    RedisWorker worker(*m_node);
    const QString answer = worker.ask("acquire r 600 0");
    worker.kill9();
    const AcquireResult next = m_engine->acquire(leaseRequest("r", 1min));
    QCOMPARE(textOf(next), QByteArray("granted"));
    QVERIFY(next.handle.token() > answer.section(u' ', 1).toULongLong());
}

void TestRedisFaults::aHolderThatFrozePastItsTimeLosesIt()
{
    RedisWorker worker(*m_node);
    const QString answer = worker.ask("acquire r 600 0");
    worker.freeze();
    const AcquireResult next = m_engine->acquire(leaseRequest("r", 1min));
    QCOMPARE(textOf(next), QByteArray("granted"));
    QVERIFY(next.handle.token() > answer.section(u' ', 1).toULongLong());
    worker.thaw();
    const QString lost = worker.ask("lost");
    QVERIFY2(lost == u"expired" || lost == u"taken over", qPrintable(lost));
    QCOMPARE(worker.ask("held"), u"no"_s);
    QCOMPARE(worker.ask("release"), u"not held"_s);
    QVERIFY(next.handle.isHeld());
}

void TestRedisFaults::aServerInMemoryForgetsItsLeases()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    const quint64 before = taken.handle.token();
    m_node->kill9();
    m_node->start();
    QCOMPARE(taken.handle.renew(30s), RenewOutcome::NotHeld);
    const AcquireResult next = m_engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(next), QByteArray("granted"));
    QVERIFY(next.handle.token() > before);
}

void TestRedisFaults::aDurableServerKeepsItsLeases()
{
    TestRedis durable({}, TestRedis::Keeping::Durable);
    LockEngine engine(engineOn(durable));
    LockEngine other(engineOn(durable));
    AcquireResult taken = engine.acquire(leaseRequest("r"));
    durable.kill9();
    durable.start();
    QCOMPARE(taken.handle.renew(30s), RenewOutcome::Renewed);
    QCOMPARE(textOf(other.acquire(leaseRequest("r"))), QByteArray("busy"));
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(textOf(other.acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestRedisFaults::aWaiterOutlivesTheServersRestart()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    LockEngine other(engineOn(*m_node));
    QByteArray text;
    std::thread waiter([&] { text = textOf(other.acquire(leaseRequest("r", 1min))); });
    QVERIFY(eventually([&] { return m_node->waiters("r") == 1; }));
    m_node->stop();
    m_node->start();
    waiter.join(); // in memory: nobody holds it any more
    QCOMPARE(text, QByteArray("granted"));
    QCOMPARE(taken.handle.renew(30s), RenewOutcome::NotHeld);
}

void TestRedisFaults::aServerWithoutScriptsIsGivenThem()
{
    QVERIFY(!m_engine->connectToServer());
    m_node->ask({"SCRIPT", "FLUSH"});
    m_node->ask({"CONFIG", "RESETSTAT"});
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    m_node->ask({"SCRIPT", "FLUSH"});
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    m_engine->acquire(leaseRequest("r")).handle.release();
    QCOMPARE(m_node->calls("eval"), 3); // of acquire, and of both after the second time
}

void TestRedisFaults::brokenConnectionsAreOpenedAgain()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    m_node->ask({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    QCOMPARE(taken.handle.renew(20s), RenewOutcome::Renewed);
    m_node->ask({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("s"))), QByteArray("granted"));
    m_node->ask({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    QVERIFY(!m_engine->heldLeases({"r"}).leases.isEmpty());
}

void TestRedisFaults::aReleaseWhoseConnectionBrokeIsDone()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    m_node->ask({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(m_node->ask({"EXISTS", "lockscope:{r}"}), QByteArray("0"));
}

void TestRedisFaults::aLostAnswerIsAskedFor()
{
    LockEngine engine(engineOn(impatient(*m_node)));
    QVERIFY(!engine.connectToServer());
    m_node->freeze();
    AcquireResult taken;
    std::thread request([&] { taken = engine.acquire(leaseRequest("r", 1min)); });
    std::this_thread::sleep_for(1s); // longer than it waits for an answer
    m_node->thaw();
    request.join();
    QCOMPARE(textOf(taken), QByteArray("granted"));
    QCOMPARE(m_node->waiters("r"), 0);
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r"))), QByteArray("granted")); // nothing was carried out later
}

void TestRedisFaults::aServerThatStaysSilentLeavesItUnknown()
{
    LockEngine engine(engineOn(impatient(*m_node)));
    QVERIFY(!engine.connectToServer());
    m_node->freeze();
    const AcquireResult taken = engine.acquire(leaseRequest("r"));
    m_node->thaw();
    QCOMPARE(taken.outcome, Outcome::Unknown);
    QCOMPARE(taken.error->kind, LockError::Kind::ConnectionLost);
}

void TestRedisFaults::aServerThatIsAwayIsUnavailable()
{
    m_node->stop();
    LockEngine engine(engineOn(*m_node));
    const AcquireResult refused = engine.acquire(leaseRequest("r", 1min));
    m_node->start();
    QCOMPARE(refused.outcome, Outcome::Failed);
    QCOMPARE(refused.error->kind, LockError::Kind::Unavailable);
    QVERIFY(refused.error->message.contains(m_node->url().socket));
    QCOMPARE(textOf(engine.acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestRedisFaults::withoutMemoryNobodyJoinsAQueue()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    m_node->ask({"CONFIG", "SET", "maxmemory", "1"});
    LockEngine other(engineOn(*m_node));
    const AcquireResult refused = other.acquire(leaseRequest("r", 1min));
    const AcquireResult free = m_engine->acquire(leaseRequest("s"));
    const RenewOutcome renewed = taken.handle.renew(1min);
    const ReleaseOutcome released = taken.handle.release();
    m_node->ask({"CONFIG", "SET", "maxmemory", "0"});
    QVERIFY2(refused.error && refused.error->kind == LockError::Kind::DiskFull, textOf(refused));
    QCOMPARE(textOf(free), QByteArray("granted")); // a lease is small
    QCOMPARE(renewed, RenewOutcome::Renewed);
    QCOMPARE(released, ReleaseOutcome::Released);
}

void TestRedisFaults::anEngineThatEndedHasNoConnections()
{
    m_engine->acquire(leaseRequest("r"));
    m_engine.reset();
    QVERIFY(eventually([&] { return m_node->ask({"CLIENT", "LIST"}).count('\n') == 1; }));
}

QTEST_GUILESS_MAIN(TestRedisFaults)
#include "tst_redisfaults.moc"
