// What applications build on acquire(): several locks at once, callbacks, futures, standard guards.
#include "enginetest.h"

#include "engine/lockhelpers.h"

#include <QtTest/QTest>

#include <array>
#include <atomic>
#include <mutex>
#include <system_error>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;

class TestLockHelpers : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void allOrNothing_data();
    void allOrNothing();
    void crosswiseSetsNeverWaitForEachOther();
    void aWrongNameAmongSeveralIsToldFirst();
    void workRunsUnderTheLock();
    void whatTheWorkThrowsReleasesTheLock();
    void aFutureBringsTheLock();
    void aCancelledFutureHoldsNothing();
    void standardGuardsLockAndUnlock();
    void aLockThatCannotBeHadThrowsFromLock();

private:
    bool isFree(const QByteArray &resource, Mode mode = Mode::Unique);
};

bool TestLockHelpers::isFree(const QByteArray &resource, Mode mode)
{
    LockEngine other(configFor(*m_server));
    LockRequest request = requestFor(resource);
    request.mode = mode;
    return other.acquire(request).outcome == Outcome::Granted;
}

void TestLockHelpers::allOrNothing_data()
{
    QTest::addColumn<Mode>("mode");
    QTest::newRow("unique") << Mode::Unique;
    QTest::newRow("pessimistic") << Mode::Pessimistic;
}

void TestLockHelpers::allOrNothing()
{
    QFETCH(Mode, mode);
    LockEngine one(configFor(*m_server));
    LockEngine two(configFor(*m_server));
    LockRequest request = requestFor("-");
    request.mode = mode;
    auto all = acquireAll(one, {"c", "a", "b", "a"}, request);
    QCOMPARE(all.outcome, Outcome::Granted);
    QCOMPARE(all.handles.size(), std::size_t(3));
    QCOMPARE(all.handles.front().resource(), QByteArray("a"));
    const auto refused = acquireAll(two, {"0", "b"}, request);
    QCOMPARE(refused.outcome, Outcome::Busy);
    QCOMPARE(refused.resource, QByteArray("b"));
    QVERIFY(refused.handles.empty());
    QVERIFY(isFree("0", mode));
    request.wait = 50ms;
    QCOMPARE(acquireAll(two, {"0", "b", "c"}, request).outcome, Outcome::TimedOut);
    all.handles.clear();
    QCOMPARE(acquireAll(two, {"0", "b", "c"}, request).outcome, Outcome::Granted);
}

void TestLockHelpers::crosswiseSetsNeverWaitForEachOther()
{
    LockEngine engine(configFor(*m_server));
    std::atomic<int> granted = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
            for (int round = 0; round < 10; ++round) {
                const QList<QByteArray> names = i % 2 == 0 ? QList<QByteArray>{"x", "y"} : QList<QByteArray>{"y", "x"};
                granted += acquireAll(engine, names, requestFor("-", Patience)).outcome == Outcome::Granted ? 1 : 0;
            }
        });
    }
    for (auto &thread : threads)
        thread.join();
    QCOMPARE(granted.load(), 40);
}

void TestLockHelpers::aWrongNameAmongSeveralIsToldFirst()
{
    LockEngine engine(configFor(*m_server));
    const auto refused = acquireAll(engine, {"a", QByteArray(256, 'x')}, requestFor("-"));
    QCOMPARE(refused.outcome, Outcome::Failed);
    QCOMPARE(refused.error->kind, LockError::Kind::BadRequest);
}

void TestLockHelpers::workRunsUnderTheLock()
{
    LockEngine engine(configFor(*m_server));
    quint64 token = 0;
    bool wasFree = true;
    const auto result = withLock(engine, requestFor("a"), [&](LockHandle &handle) {
        token = handle.token();
        wasFree = isFree("a");
    });
    QCOMPARE(result.outcome, Outcome::Granted);
    QVERIFY(token > 0);
    QVERIFY(!wasFree);
    QVERIFY(isFree("a"));
    const auto held = engine.acquire(requestFor("b"));
    LockEngine other(configFor(*m_server));
    bool ran = false;
    QCOMPARE(withLock(other, requestFor("b"), [&](LockHandle &) { ran = true; }).outcome, Outcome::Busy);
    QVERIFY(!ran);
}

void TestLockHelpers::whatTheWorkThrowsReleasesTheLock()
{
    LockEngine engine(configFor(*m_server));
    bool caught = false;
    try {
        withLock(engine, requestFor("a"), [](LockHandle &) { throw std::runtime_error("work failed"); });
    } catch (const std::runtime_error &) {
        caught = true;
    }
    QVERIFY(caught);
    QVERIFY(isFree("a"));
}

void TestLockHelpers::aFutureBringsTheLock()
{
    LockEngine engine(configFor(*m_server));
    auto held = engine.acquire(requestFor("a"));
    auto future = engine.acquireAsync(requestFor("a", Patience));
    held.handle.release();
    future.waitForFinished();
    AcquireResult result = future.takeResult();
    QCOMPARE(result.outcome, Outcome::Granted);
    QVERIFY(result.handle.isHeld());
    QVERIFY(!isFree("a"));
    QCOMPARE(result.handle.release(), ReleaseOutcome::Released);
}

void TestLockHelpers::aCancelledFutureHoldsNothing()
{
    LockEngine engine(configFor(*m_server));
    auto held = engine.acquire(requestFor("a"));
    auto future = engine.acquireAsync(requestFor("a", Patience));
    future.cancel();
    held.handle.release();
    future.waitForFinished();
    QVERIFY(eventually([&] { return isFree("a"); }));
}

void TestLockHelpers::standardGuardsLockAndUnlock()
{
    LockEngine engine(configFor(*m_server));
    Lockable a(engine, requestFor("a", Patience));
    Lockable b(engine, requestFor("b", Patience));
    {
        const std::scoped_lock both(a, b);
        QVERIFY(a.handle().token() > 0);
        QVERIFY(!isFree("a"));
        QVERIFY(!isFree("b"));
    }
    QVERIFY(isFree("a"));
    const std::unique_lock one(a, std::try_to_lock);
    QVERIFY(one.owns_lock());
    LockEngine other(configFor(*m_server));
    Lockable taken(other, requestFor("a"));
    QVERIFY(!taken.try_lock());
}

void TestLockHelpers::aLockThatCannotBeHadThrowsFromLock()
{
    LockEngine engine(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a"));
    Lockable lockable(other, requestFor("a", 20ms));
    std::error_code code;
    try {
        lockable.lock();
    } catch (const std::system_error &error) {
        code = error.code();
    }
    QCOMPARE(code, std::make_error_code(std::errc::timed_out));
}

QTEST_GUILESS_MAIN(TestLockHelpers)
#include "tst_lockhelpers.moc"
