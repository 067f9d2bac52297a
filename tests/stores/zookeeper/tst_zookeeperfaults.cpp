// SPDX-License-Identifier: MIT
// Leases on ZooKeeper when processes die or freeze, and when the server does.
#include "freeze.h"
#include "locknews.h"
#include "zookeeperfixture.h"

#include <QtTest/QTest>

#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

/// Of leases that outlive a restart: half of it they are believed in while the server is away, and on a busy machine a
/// Java takes long to start.
constexpr auto kLong = ZooKeeperNode::LongestSession;

} // namespace

class TestZooKeeperFaults : public ZooKeeperTest
{
    Q_OBJECT

private Q_SLOTS:
    void aDeadHoldersLeaseEndsWithItsSession();
    void aHolderThatFrozePastItsSessionLosesIt();
    void leasesOutliveTheServersRestart();
    void aWaiterOutlivesTheServersRestart();
    void aWaiterKeepsItsPlaceWhileItsSessionMayLive();
    void aServerThatIsAwayForLongEndsTheLease();
    void aReleaseOutlivesTheServersRestart();
    void aLostAnswerIsAskedFor();
    void aRenewalWhoseAnswerIsLostIsAskedForAgain();
    void aTryWhoseAnswerIsLostHoldsNothing();
    void aServerThatIsAwayIsUnavailable();
    void anEngineThatEndedHasNoSession();
};

void TestZooKeeperFaults::aDeadHoldersLeaseEndsWithItsSession()
{
    const auto worker = newWorker();
    const QString answer = worker->ask("acquire r 60000 0");
    QVERIFY2(answer.startsWith(u"granted"_s), qPrintable(answer));
    const auto engine = newEngine();
    QVERIFY(!engine->connectToServer());
    worker->kill9();
    QCOMPARE(textOf(engine->acquire(leaseRequest("r"))), QByteArray("busy")); // its time still counts
    const AcquireResult next = engine->acquire(leaseRequest("r", 1min));
    QCOMPARE(textOf(next), QByteArray("granted"));
    QVERIFY(next.handle.token() > answer.section(u' ', 1).toULongLong());
}

void TestZooKeeperFaults::aHolderThatFrozePastItsSessionLosesIt()
{
    const auto worker = newWorker();
    const QString answer = worker->ask("acquire r 60000 0");
    worker->freeze();
    const auto engine = newEngine();
    const AcquireResult next = engine->acquire(leaseRequest("r", 1min));
    QCOMPARE(textOf(next), QByteArray("granted"));
    QVERIFY(next.handle.token() > answer.section(u' ', 1).toULongLong());
    worker->thaw();
    QCOMPARE(worker->ask("held"), u"no"_s);
    const QString lost = worker->ask("lost");
    QVERIFY2(lost == u"expired" || lost == u"session ended", qPrintable(lost));
    QCOMPARE(worker->ask("release"), u"not held"_s);
    QVERIFY(next.handle.isHeld());
    QCOMPARE(worker->ask("acquire s 60000 0").section(u' ', 0, 0), u"granted"_s); // with another session
}

void TestZooKeeperFaults::leasesOutliveTheServersRestart()
{
    const auto engine = newEngine(kLong);
    const auto other = newEngine(kLong);
    AcquireResult taken = engine->acquire(leaseRequest("r", 0s, kLong));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    m_node->kill9();
    QVERIFY(!m_node->start());
    QVERIFY(eventually([&] { return taken.handle.renew(kLong) == RenewOutcome::Renewed; }));
    QVERIFY(eventually([&] { return textOf(other->acquire(leaseRequest("r", 0s, kLong))) == "busy"; }));
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(textOf(other->acquire(leaseRequest("r", 0s, kLong))), QByteArray("granted"));
}

void TestZooKeeperFaults::aWaiterOutlivesTheServersRestart()
{
    const auto engine = newEngine(kLong);
    const auto other = newEngine(kLong);
    AcquireResult taken = engine->acquire(leaseRequest("r", 0s, kLong));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    AcquireResult next;
    std::thread waiter([&] { next = other->acquire(leaseRequest("r", kLong, kLong)); });
    QVERIFY(haveJoined(1));
    const QByteArray place = queue("r").last();
    m_node->kill9();
    QVERIFY(!m_node->start());
    QVERIFY(haveJoined(1));
    QCOMPARE(queue("r").last(), place);
    QVERIFY(eventually([&] { return taken.handle.renew(kLong) == RenewOutcome::Renewed; }));
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    waiter.join();
    QCOMPARE(textOf(next), QByteArray("granted"));
}

void TestZooKeeperFaults::aWaiterKeepsItsPlaceWhileItsSessionMayLive()
{
    const auto engine = newEngine(kLong);
    const auto other = newEngine(kLong);
    AcquireResult taken = engine->acquire(leaseRequest("r", 0s, kLong));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    AcquireResult next;
    std::thread waiter([&] { next = other->acquire(leaseRequest("r", kLong, kLong)); });
    const bool hasJoined = haveJoined(1);
    const QByteArray place = queue("r").last();
    m_node->shut();
    std::this_thread::sleep_for(100s); // a waiter of a shorter session has given up a minute after its next look
    m_node->open();
    taken.handle.release(); // or it is given back: it may be believed in no longer
    waiter.join();
    QVERIFY(hasJoined);
    QCOMPARE(textOf(next), QByteArray("granted"));
    QCOMPARE(queue("r"), QByteArrayList{place});
}

void TestZooKeeperFaults::aServerThatIsAwayForLongEndsTheLease()
{
    const auto engine = newEngine(ShortSession);
    LossNews news;
    LockRequest request = leaseRequest("r");
    request.onLost = [&](LossReason reason) { news.tell(reason); };
    const AcquireResult taken = engine->acquire(request);
    m_node->kill9();
    QCOMPARE(news.wait(), std::string("expired")); // nobody else has it before the server is there again
    QVERIFY(!taken.handle.isHeld());
    QVERIFY(!m_node->start());
    // Its session may go on, and does not keep the lock: what nobody believes in any more is given back.
    const auto other = newEngine();
    QVERIFY(eventually([&] { return textOf(other->acquire(leaseRequest("r"))) == "granted"; }));
}

void TestZooKeeperFaults::aReleaseOutlivesTheServersRestart()
{
    const auto engine = newEngine(kLong);
    AcquireResult taken = engine->acquire(leaseRequest("r", 0s, kLong));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    m_node->kill9();
    ReleaseOutcome outcome = ReleaseOutcome::Failed;
    std::thread release([&] { outcome = taken.handle.release(); });
    QVERIFY(!m_node->start());
    release.join();
    QVERIFY2(outcome == ReleaseOutcome::Released || outcome == ReleaseOutcome::Unknown, outcomeText(outcome).c_str());
    const auto other = newEngine();
    QVERIFY(eventually([&] { return textOf(other->acquire(leaseRequest("r"))) == "granted"; }));
}

/// The server carries out what it was sent before it froze, and answers too late.
void TestZooKeeperFaults::aLostAnswerIsAskedFor()
{
    ZooKeeperConfig impatient = config(30s);
    impatient.answerTimeout = 300ms;
    LockEngine engine(engineOn(std::make_shared<ZooKeeperStore>(impatient)));
    QVERIFY(eventually([&] { return !engine.connectToServer(); }));
    m_eye->make(folder("r"));
    freezeProcess(m_node->pid());
    AcquireResult taken;
    std::thread request([&] { taken = engine.acquire(leaseRequest("r", 1min)); });
    std::this_thread::sleep_for(1s); // longer than it waits for an answer
    thawProcess(m_node->pid());
    request.join();
    QCOMPARE(textOf(taken), QByteArray("granted"));
    QCOMPARE(queue("r").size(), 1);
    taken.handle.release(); // whose answer may be late, too
    QVERIFY(eventually([&] { return queue("r").isEmpty(); }));
}

void TestZooKeeperFaults::aRenewalWhoseAnswerIsLostIsAskedForAgain()
{
    ZooKeeperConfig impatient = config(30s);
    impatient.answerTimeout = 300ms;
    impatient.connectTimeout = Patience; // for as long it asks again
    LockEngine engine(engineOn(std::make_shared<ZooKeeperStore>(impatient)));
    AcquireResult taken = engine.acquire(leaseRequest("r", 1min));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    freezeProcess(m_node->pid());
    RenewOutcome outcome = RenewOutcome::Failed;
    std::thread request([&] { outcome = taken.handle.renew(30s); });
    std::this_thread::sleep_for(1s); // longer than it waits for an answer
    thawProcess(m_node->pid());
    request.join();
    QCOMPARE(outcome, RenewOutcome::Renewed);
}

void TestZooKeeperFaults::aTryWhoseAnswerIsLostHoldsNothing()
{
    ZooKeeperConfig impatient = config(30s);
    impatient.answerTimeout = 300ms;
    impatient.connectTimeout = 300ms;
    LockEngine engine(engineOn(std::make_shared<ZooKeeperStore>(impatient)));
    QVERIFY(eventually([&] { return !engine.connectToServer(); }));
    m_eye->make(folder("r"));
    freezeProcess(m_node->pid());
    const AcquireResult taken = engine.acquire(leaseRequest("r"));
    thawProcess(m_node->pid());
    QVERIFY(taken.outcome == Outcome::Failed || taken.outcome == Outcome::Unknown);
    QCOMPARE(taken.error->kind, LockError::Kind::ConnectionLost);
    QVERIFY(eventually([&] { return queue("r").isEmpty(); })); // also what was carried out later
}

void TestZooKeeperFaults::aServerThatIsAwayIsUnavailable()
{
    m_node->stop();
    const auto engine = newEngine();
    const AcquireResult refused = engine->acquire(leaseRequest("r", 1min));
    QVERIFY(!m_node->start());
    QCOMPARE(refused.outcome, Outcome::Failed);
    QCOMPARE(refused.error->kind, LockError::Kind::Unavailable);
    QVERIFY2(refused.error->message.contains(m_url.toString()), qPrintable(refused.error->message));
    QCOMPARE(textOf(engine->acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestZooKeeperFaults::anEngineThatEndedHasNoSession()
{
    auto engine = newEngine(kLong);
    auto taken = std::make_unique<AcquireResult>(engine->acquire(leaseRequest("r", 0s, kLong)));
    QCOMPARE(textOf(*taken), QByteArray("granted"));
    engine.reset(); // long before the session's time is over
    QVERIFY(queue("r").isEmpty());
}

QTEST_GUILESS_MAIN(TestZooKeeperFaults)
#include "tst_zookeeperfaults.moc"
