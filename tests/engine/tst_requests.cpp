// SPDX-License-Identifier: MIT
// Requests that are cancelled before they begin, and several requests of one owner at once.
#include "enginetest.h"

#include <QtTest/QTest>

#include <array>
#include <future>

using namespace lockscope;
using namespace lockscope::test;

class TestRequests : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void aStopThatCameFirstCancels_data();
    void aStopThatCameFirstCancels();
    void severalRequestsOfOneOwnerEnterTogether_data() { modes(); }
    void severalRequestsOfOneOwnerEnterTogether();
    void theNextOneAsksWhenTheFirstGaveUp_data() { modes(); }
    void theNextOneAsksWhenTheFirstGaveUp();
    void whoWaitsForItsOwnersRequestKeepsItsBudget_data() { modes(); }
    void whoWaitsForItsOwnersRequestKeepsItsBudget();
    void theEnginesEndCancelsThemAll_data() { modes(); }
    void theEnginesEndCancelsThemAll();

private:
    static void modes()
    {
        QTest::addColumn<Mode>("mode");
        QTest::newRow("a lease") << Mode::Unique;
        QTest::newRow("a row") << Mode::Pessimistic;
    }
    static LockRequest requestOf(Mode mode, const QByteArray &owner, Duration wait)
    {
        LockRequest request = requestFor("a", wait);
        request.mode = mode;
        request.ownerKey = owner;
        return request;
    }
    static auto ask(LockEngine &engine, const LockRequest &request)
    {
        return std::async(std::launch::async, [&engine, request] { return engine.acquire(request); });
    }
    bool isAsking(Mode mode)
    {
        return eventually(
            [&] { return mode == Mode::Unique ? m_observer->waiters("a") > 0 : !m_observer->rowWaiter().isEmpty(); });
    }
};

void TestRequests::aStopThatCameFirstCancels_data()
{
    QTest::addColumn<Mode>("mode");
    QTest::addColumn<Duration>("wait");
    QTest::addColumn<bool>("isHeldByItself");
    QTest::addColumn<bool>("isServerThere");
    for (const Mode mode : {Mode::Unique, Mode::Pessimistic}) {
        const char *name = mode == Mode::Unique ? "lease" : "row";
        for (const Duration wait : {Duration::zero(), Duration(Patience)}) {
            const auto ms = qlonglong(wait.count() / 1000);
            QTest::addRow("a free %s, wait %lld", name, ms) << mode << wait << false << true;
            QTest::addRow("an own %s, wait %lld", name, ms) << mode << wait << true << true;
            QTest::addRow("no server, %s, wait %lld", name, ms) << mode << wait << false << false;
        }
    }
}

void TestRequests::aStopThatCameFirstCancels()
{
    QFETCH(Mode, mode);
    QFETCH(Duration, wait);
    QFETCH(bool, isHeldByItself);
    QFETCH(bool, isServerThere);
    EngineConfig config = configFor(*m_server);
    if (!isServerThere)
        config.server.socket = QStringLiteral("/nowhere");
    LockEngine engine(config);
    LockRequest request = requestOf(mode, "owner", wait);
    AcquireResult own;
    if (isHeldByItself)
        own = engine.acquire(request);
    std::stop_source stop;
    stop.request_stop();
    request.stop = stop.get_token();
    QCOMPARE(engine.acquire(request).outcome, Outcome::Cancelled);
    QCOMPARE(engine.acquireAny({"a", "b"}, request).outcome, Outcome::Cancelled);
    QCOMPARE(own.handle.isHeld(), isHeldByItself);
}

void TestRequests::severalRequestsOfOneOwnerEnterTogether()
{
    QFETCH(Mode, mode);
    LockEngine engine(configFor(*m_server));
    auto before = engine.acquire(requestOf(mode, "other", 0s));
    std::array<std::future<AcquireResult>, 3> waiting;
    for (auto &one : waiting)
        one = ask(engine, requestOf(mode, "owner", Patience));
    QVERIFY(isAsking(mode));
    QCOMPARE(before.handle.release(), ReleaseOutcome::Released);
    std::vector<AcquireResult> got;
    for (auto &one : waiting) {
        got.push_back(one.get());
        QCOMPARE(got.back().outcome, Outcome::Granted);
        QCOMPARE(got.back().handle.token(), got.front().handle.token());
    }
    LockEngine next(configFor(*m_server));
    QCOMPARE(next.acquire(requestOf(mode, "other", 0s)).outcome, Outcome::Busy);
    for (auto &one : got)
        QCOMPARE(one.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(next.acquire(requestOf(mode, "other", 0s)).outcome, Outcome::Granted);
}

void TestRequests::theNextOneAsksWhenTheFirstGaveUp()
{
    QFETCH(Mode, mode);
    LockEngine engine(configFor(*m_server));
    auto before = engine.acquire(requestOf(mode, "other", 0s));
    LockRequest request = requestOf(mode, "owner", Patience);
    std::stop_source stop;
    request.stop = stop.get_token();
    auto first = ask(engine, request);
    QVERIFY(isAsking(mode));
    auto second = ask(engine, requestOf(mode, "owner", Patience));
    stop.request_stop();
    QCOMPARE(first.get().outcome, Outcome::Cancelled);
    QCOMPARE(before.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(second.get().outcome, Outcome::Granted);
}

void TestRequests::whoWaitsForItsOwnersRequestKeepsItsBudget()
{
    QFETCH(Mode, mode);
    LockEngine engine(configFor(*m_server));
    auto before = engine.acquire(requestOf(mode, "other", 0s));
    auto first = ask(engine, requestOf(mode, "owner", Forever));
    QVERIFY(isAsking(mode));
    QCOMPARE(engine.acquire(requestOf(mode, "owner", 0s)).outcome, Outcome::Busy);
    QCOMPARE(engine.acquire(requestOf(mode, "owner", 20ms)).outcome, Outcome::TimedOut);
    LockRequest request = requestOf(mode, "owner", Forever);
    std::stop_source stop;
    request.stop = stop.get_token();
    auto cancelled = ask(engine, request);
    stop.request_stop();
    QCOMPARE(cancelled.get().outcome, Outcome::Cancelled);
    QCOMPARE(before.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(first.get().outcome, Outcome::Granted);
}

void TestRequests::theEnginesEndCancelsThemAll()
{
    QFETCH(Mode, mode);
    LockEngine other(configFor(*m_server));
    const auto before = other.acquire(requestOf(mode, "other", 0s));
    auto engine = std::make_unique<LockEngine>(configFor(*m_server));
    std::array<QFuture<AcquireResult>, 3> waiting;
    for (auto &one : waiting)
        one = engine->acquireAsync(requestOf(mode, "owner", Forever));
    QVERIFY(isAsking(mode));
    engine.reset();
    for (auto &one : waiting)
        QCOMPARE(one.takeResult().outcome, Outcome::Cancelled);
}

QTEST_GUILESS_MAIN(TestRequests)
#include "tst_requests.moc"
