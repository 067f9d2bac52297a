// SPDX-License-Identifier: MIT
// Leases on etcd when processes die or freeze, and when members of the cluster do.
#include "etcdbench.h"
#include "freeze.h"
#include "locknews.h"

#include <QtTest/QTest>

#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class TestEtcdFaults : public EtcdTest
{
    Q_OBJECT

private Q_SLOTS:
    void aDeadHoldersLeaseEndsWithItsTtl();
    void aHolderThatFrozePastItsTtlLosesIt();
    void leasesOutliveTheServersRestart();
    void aWaiterOutlivesTheServersRestart();
    void aServerThatIsAwayForLongEndsTheLease();
    void aReleaseOutlivesTheServersRestart();
    void aLostAnswerIsAskedFor();
    void aTryWhoseAnswerIsLostHoldsNothing();
    void aServerThatIsAwayIsUnavailable();
    void aQuestionThatCameWhileNobodyListenedIsHeard();

private:
    /// One that waits for answers only briefly.
    std::unique_ptr<LockEngine> newImpatientEngine() const;
};

std::unique_ptr<LockEngine> TestEtcdFaults::newImpatientEngine() const
{
    EtcdConfig impatient = m_bench.config();
    impatient.answerTimeout = 300ms;
    impatient.connectTimeout = 300ms;
    return std::make_unique<LockEngine>(engineOn(std::make_shared<EtcdStore>(impatient)));
}

void TestEtcdFaults::aDeadHoldersLeaseEndsWithItsTtl()
{
    const auto worker = m_bench.newWorker();
    const QString answer = worker->ask("acquire r 2000 0");
    QVERIFY2(answer.startsWith(u"granted"_s), qPrintable(answer));
    worker->kill9();
    const auto engine = m_bench.newEngine();
    QCOMPARE(textOf(engine->acquire(leaseRequest("r"))), QByteArray("busy")); // its time still counts
    const AcquireResult next = engine->acquire(leaseRequest("r", 1min));
    QCOMPARE(textOf(next), QByteArray("granted"));
    QVERIFY(next.handle.token() > answer.section(u' ', 1).toULongLong());
}

void TestEtcdFaults::aHolderThatFrozePastItsTtlLosesIt()
{
    const auto worker = m_bench.newWorker();
    const QString answer = worker->ask("acquire r 2000 0");
    worker->freeze();
    const auto engine = m_bench.newEngine();
    const AcquireResult next = engine->acquire(leaseRequest("r", 1min));
    QCOMPARE(textOf(next), QByteArray("granted"));
    QVERIFY(next.handle.token() > answer.section(u' ', 1).toULongLong());
    worker->thaw();
    QCOMPARE(worker->ask("held"), u"no"_s);
    QCOMPARE(worker->ask("lost"), u"expired"_s);
    QCOMPARE(worker->ask("release"), u"not held"_s);
    QVERIFY(next.handle.isHeld());
    QCOMPARE(worker->ask("acquire s 2000 0").section(u' ', 0, 0), u"granted"_s);
}

void TestEtcdFaults::leasesOutliveTheServersRestart()
{
    const auto engine = m_bench.newEngine();
    const auto other = m_bench.newEngine();
    AcquireResult taken = engine->acquire(leaseRequest("r"));
    m_bench.node().kill9();
    QVERIFY(!m_bench.node().start());
    QVERIFY(eventually([&] { return taken.handle.renew(30s) == RenewOutcome::Renewed; }));
    QVERIFY(eventually([&] { return textOf(other->acquire(leaseRequest("r"))) == "busy"; }));
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(textOf(other->acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestEtcdFaults::aWaiterOutlivesTheServersRestart()
{
    const auto engine = m_bench.newEngine();
    const auto other = m_bench.newEngine();
    AcquireResult taken = engine->acquire(leaseRequest("r"));
    AcquireResult next;
    std::thread waiter([&] { next = other->acquire(leaseRequest("r", 2min)); });
    QVERIFY(m_bench.haveJoined(1));
    const auto place = m_bench.queue("r").last();
    m_bench.node().kill9();
    QVERIFY(!m_bench.node().start());
    QCOMPARE(m_bench.queue("r").last().created, place.created);
    QVERIFY(eventually([&] { return taken.handle.renew(30s) == RenewOutcome::Renewed; }));
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    waiter.join();
    QCOMPARE(textOf(next), QByteArray("granted"));
    QCOMPARE(next.handle.token(), quint64(place.created));
}

void TestEtcdFaults::aServerThatIsAwayForLongEndsTheLease()
{
    const auto engine = m_bench.newEngine();
    LossNews news;
    LockRequest request = leaseRequest("r", 0s, ShortTtl);
    request.onLost = [&](LossReason reason) { news.tell(reason); };
    const AcquireResult taken = engine->acquire(request);
    m_bench.node().kill9();
    QCOMPARE(news.wait(), std::string("expired")); // nobody else has it before the server is there again
    QVERIFY(!taken.handle.isHeld());
    QVERIFY(!m_bench.node().start());
    QCOMPARE(textOf(m_bench.newEngine()->acquire(leaseRequest("r", 1min))), QByteArray("granted"));
}

void TestEtcdFaults::aReleaseOutlivesTheServersRestart()
{
    const auto engine = m_bench.newEngine();
    AcquireResult taken = engine->acquire(leaseRequest("r", 0s, 1h));
    m_bench.node().kill9();
    ReleaseOutcome outcome = ReleaseOutcome::Failed;
    std::thread release([&] { outcome = taken.handle.release(); });
    QVERIFY(!m_bench.node().start());
    release.join();
    QVERIFY2(outcome == ReleaseOutcome::Released || outcome == ReleaseOutcome::Unknown, outcomeText(outcome).c_str());
    const auto other = m_bench.newEngine();
    QVERIFY(eventually([&] { return textOf(other->acquire(leaseRequest("r"))) == "granted"; }));
}

/// The server carries out what it was sent before it froze, and answers too late.
void TestEtcdFaults::aLostAnswerIsAskedFor()
{
    const auto engine = newImpatientEngine();
    QVERIFY(!engine->connectToServer());
    engine->acquire(leaseRequest("r")).handle.release(); // so that it has an etcd lease for the next one
    freezeProcess(m_bench.node().pid());
    AcquireResult taken;
    std::thread request([&] { taken = engine->acquire(leaseRequest("r", 1min)); });
    std::this_thread::sleep_for(1s); // longer than it waits for an answer
    thawProcess(m_bench.node().pid());
    request.join();
    if (taken.outcome != Outcome::Granted) // the first contact of a request may fail, and holds nothing then
        QVERIFY(eventually([&] { return m_bench.queue("r").isEmpty(); }));
    else
        QCOMPARE(m_bench.queue("r").size(), 1);
    taken.handle.release();
    QVERIFY(eventually([&] { return m_bench.queue("r").isEmpty(); }));
    QCOMPARE(textOf(m_bench.newEngine()->acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestEtcdFaults::aTryWhoseAnswerIsLostHoldsNothing()
{
    const auto engine = newImpatientEngine();
    QVERIFY(!engine->connectToServer());
    freezeProcess(m_bench.node().pid());
    const AcquireResult taken = engine->acquire(leaseRequest("r"));
    thawProcess(m_bench.node().pid());
    QVERIFY(taken.outcome == Outcome::Failed || taken.outcome == Outcome::Unknown);
    QCOMPARE(taken.error->kind, LockError::Kind::ConnectionLost);
    QVERIFY(eventually([&] { return m_bench.queue("r").isEmpty(); })); // also what was carried out later
}

void TestEtcdFaults::aServerThatIsAwayIsUnavailable()
{
    m_bench.node().stop();
    const auto engine = m_bench.newEngine();
    const AcquireResult refused = engine->acquire(leaseRequest("r", 1min));
    QVERIFY(!m_bench.node().start());
    QCOMPARE(refused.outcome, Outcome::Failed);
    QCOMPARE(refused.error->kind, LockError::Kind::Unavailable);
    QVERIFY2(refused.error->message.contains(m_bench.url().toString()), qPrintable(refused.error->message));
    QCOMPARE(textOf(engine->acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestEtcdFaults::aQuestionThatCameWhileNobodyListenedIsHeard()
{
    const auto engine = m_bench.newEngine();
    std::atomic<int> heard = 0;
    LockRequest request = leaseRequest("r", 0s, 1h); // whose renewals are rare
    request.onReleaseRequested = [&](const QString &) { ++heard; };
    const AcquireResult taken = engine->acquire(request);
    m_bench.node().kill9(); // and the stream with it
    QVERIFY(!m_bench.node().start());
    const auto other = m_bench.newEngine();
    QVERIFY(eventually([&] { return other->requestRelease("r", u"please"_s).outcome == RequestOutcome::Asked; }));
    QVERIFY(eventually([&] { return heard > 0; }));
    QVERIFY(taken.handle.isHeld());
}

QTEST_GUILESS_MAIN(TestEtcdFaults)
#include "tst_etcdfaults.moc"
