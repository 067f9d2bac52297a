// SPDX-License-Identifier: MIT
// Pessimistic mode over connections that are cut without a word: nothing hangs, and nothing stays locked.
#include "enginetest.h"

#include "lab/faultyproxy.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <atomic>
#include <future>

using namespace lockscope;
using namespace lockscope::test;
using Kind = LockError::Kind;
using State = FaultyProxy::State;

class TestRowSilence : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void aGrantThatNeverArrivedIsAskedForAgain();
    void aRequestEndsThoughTheNetworkHangs_data();
    void aRequestEndsThoughTheNetworkHangs();
    void whatALeftRequestGetsIsFreed();
    void aReleaseEndsThoughTheNetworkHangs();
    void aLockThatWasLostInSilenceLeavesItsConnection();
    void connectionsThatAreLeftHaveABoundToo();
    void anEngineEndsThoughACheckHangs();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FaultyProxy> m_network;
    EngineConfig m_config; ///< of engines behind it
};

void TestRowSilence::init()
{
    EngineTest::init();
    m_folder = std::make_unique<QTemporaryDir>();
    m_config = smallConfigFor(*m_server); // one is for rows: a lane that is left must not count
    m_config.server.socket = m_folder->filePath(QStringLiteral("s"));
    m_config.measuresLatency = false;
    m_network = std::make_unique<FaultyProxy>(m_config.server.socket, m_server->url().socket);
    QVERIFY(m_network->isListening());
}

/// As behind a firewall that forgets connections on which nothing was said for a while. The lease opens the connection
/// that a KILL goes over, so that it is forgotten too; nothing but that KILL ends the session.
void TestRowSilence::aGrantThatNeverArrivedIsAskedForAgain()
{
    LockEngine other(configFor(*m_server));
    LockEngine engine(m_config);
    QCOMPARE(engine.acquire(requestFor("lease")).handle.release(), ReleaseOutcome::Released);
    auto held = other.acquire(rowRequest("a"));
    QCOMPARE(held.outcome, Outcome::Granted);
    auto waiting = std::async(std::launch::async, [&] { return engine.acquire(rowRequest("a", Forever, Forever)); });
    QVERIFY(eventually([&] { return !m_observer->rowWaiter().isEmpty(); }));
    m_network->setState(State::Forgets);
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    QVERIFY(eventually([&] { return !m_observer->rowHolder("a").isEmpty(); })); // the server has granted it
    const QByteArray lost = m_observer->rowHolder("a");
    auto got = waiting.get();
    QVERIFY2(got.outcome == Outcome::Granted, got.error ? qPrintable(got.error->toString()) : "");
    QVERIFY(m_observer->rowHolder("a") != lost);
    QCOMPARE(got.handle.release(), ReleaseOutcome::Released);
}

void TestRowSilence::aRequestEndsThoughTheNetworkHangs_data()
{
    QTest::addColumn<Duration>("wait");
    QTest::addColumn<bool>("holdsAnother");
    QTest::addColumn<Outcome>("outcome");
    QTest::newRow("a try") << Duration::zero() << false << Outcome::Unknown;
    QTest::newRow("a wait") << Duration(100ms) << false << Outcome::TimedOut;
    QTest::newRow("a wait of who holds another row") << Duration(100ms) << true << Outcome::TimedOut;
}

void TestRowSilence::aRequestEndsThoughTheNetworkHangs()
{
    QFETCH(Duration, wait);
    QFETCH(bool, holdsAnother);
    QFETCH(Outcome, outcome);
    m_config.maxConnections = 6; // two are for rows
    {
        LockEngine engine(m_config);
        auto first = engine.acquire(rowRequest("first"));
        QVERIFY(engine.acquire(rowRequest("second")).handle.isHeld()); // its connection is open
        if (!holdsAnother)
            QCOMPARE(first.handle.release(), ReleaseOutcome::Released);
        m_network->setState(State::Stalled);
        const auto got = engine.acquire(rowRequest("a", wait));
        QVERIFY2(got.outcome == outcome, got.error ? qPrintable(got.error->toString()) : "");
        QCOMPARE(got.error.has_value(), outcome == Outcome::Unknown);
        QVERIFY(!got.error || got.error->kind == Kind::ConnectionLost);
    }
    m_network->setState(State::Open); // it comes back to an engine that is gone
    LockEngine other(configFor(*m_server));
    QCOMPARE(other.acquire(rowRequest("a", Patience)).outcome, Outcome::Granted);
}

void TestRowSilence::whatALeftRequestGetsIsFreed()
{
    LockEngine other(configFor(*m_server));
    LockEngine engine(m_config);
    auto held = other.acquire(rowRequest("a"));
    QCOMPARE(held.outcome, Outcome::Granted);
    const LockRequest unbounded = rowRequest("a", Forever, Forever);
    std::stop_source stop;
    LockRequest request = unbounded;
    request.stop = stop.get_token();
    auto waiting = std::async(std::launch::async, [&] { return engine.acquire(request); });
    QVERIFY(eventually([&] { return !m_observer->rowWaiter().isEmpty(); }));
    m_network->setState(State::Stalled);
    stop.request_stop();
    QCOMPARE(waiting.get().outcome, Outcome::Cancelled);
    QCOMPARE(held.handle.release(), ReleaseOutcome::Released);
    QVERIFY(eventually([&] { return !m_observer->rowHolder("a").isEmpty(); })); // the server has granted it
    m_network->setState(State::Open);
    auto got = other.acquire(unbounded);
    QCOMPARE(got.outcome, Outcome::Granted);
    QCOMPARE(got.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(engine.acquire(rowRequest("a", Patience)).outcome, Outcome::Granted);
}

void TestRowSilence::aReleaseEndsThoughTheNetworkHangs()
{
    {
        LockEngine engine(m_config);
        auto held = engine.acquire(rowRequest("a", 0s, 3s));
        QVERIFY2(held.outcome == Outcome::Granted, held.error ? qPrintable(held.error->toString()) : "");
        m_network->setState(State::Stalled);
        QCOMPARE(held.handle.release(), ReleaseOutcome::Unknown);
        QVERIFY(held.handle.lastError());
        m_network->setState(State::Open);
    }
    LockEngine other(configFor(*m_server));
    QCOMPARE(other.acquire(rowRequest("a", Patience)).outcome, Outcome::Granted);
}

/// Of a lock that is not renewed, so that no check of its own is under way when its time is over.
void TestRowSilence::aLockThatWasLostInSilenceLeavesItsConnection()
{
    LockEngine engine(m_config);
    std::atomic<int> lost = 0;
    LockRequest request = rowRequest("a", 0s, 1s);
    request.autoRenew = false;
    request.onLost = [&](LossReason) { ++lost; };
    const auto held = engine.acquire(request);
    QCOMPARE(held.outcome, Outcome::Granted);
    m_network->setState(State::Forgets);
    QVERIFY(eventually([&] { return lost.load() == 1; }));
    QCOMPARE(engine.acquire(rowRequest("b")).outcome, Outcome::Granted);
}

/// A server that cannot commit, or a network that forgets everything, must not cost one connection more each time.
void TestRowSilence::connectionsThatAreLeftHaveABoundToo()
{
    LockEngine engine(m_config);
    int left = 0;
    AcquireResult got;
    for (; left <= 2 * m_config.maxConnections; ++left) {
        got = engine.acquire(rowRequest("row " + QByteArray::number(left), 0s, 3s));
        if (got.outcome != Outcome::Granted)
            break;
        m_network->setState(State::Forgets);
        QCOMPARE(got.handle.release(), ReleaseOutcome::Unknown);
    }
    QVERIFY(left > 1); // the first of them did not count
    QVERIFY2(got.error && got.error->kind == Kind::LimitReached, qPrintable(QString::number(left)));
    m_network->setState(State::Reset); // they come back
    QVERIFY(eventually([&] { return engine.acquire(rowRequest("free")).outcome == Outcome::Granted; }));
}

void TestRowSilence::anEngineEndsThoughACheckHangs()
{
    std::atomic<int> lost = 0;
    {
        LockEngine engine(m_config);
        LockRequest request = rowRequest("a", 0s, 1s);
        request.onLost = [&](LossReason) { ++lost; };
        const auto held = engine.acquire(request);
        QCOMPARE(held.outcome, Outcome::Granted);
        m_network->setState(State::Stalled);
        QVERIFY(eventually([&] { return lost.load() == 1; })); // the check is still on its way
    }
    m_network->setState(State::Open); // it comes back to an engine that is gone
    LockEngine other(configFor(*m_server));
    QCOMPARE(other.acquire(rowRequest("a", Patience)).outcome, Outcome::Granted);
}

QTEST_GUILESS_MAIN(TestRowSilence)
#include "tst_rowsilence.moc"
