// SPDX-License-Identifier: MIT
// What applications build on acquire(): several locks at once, callbacks, futures, standard guards.
#include "enginetest.h"

#include "lockscope/lockhelpers.h"

#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlQuery>
#include <QtTest/QTest>

#include <atomic>
#include <future>
#include <map>
#include <mutex>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using Kind = LockError::Kind;

namespace {

void addModes()
{
    QTest::addColumn<Mode>("mode");
    QTest::newRow("unique") << Mode::Unique;
    QTest::newRow("pessimistic") << Mode::Pessimistic;
}

/// With a token, which in pessimistic mode has to be asked for.
LockRequest requestIn(Mode mode, const QByteArray &resource, Duration wait = Duration::zero())
{
    LockRequest request = requestFor(resource, wait);
    request.mode = mode;
    request.wantsToken = true;
    return request;
}

} // namespace

class TestLockHelpers : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void allOrNothing_data() { addModes(); }
    void allOrNothing();
    void crosswiseSetsNeverWaitForEachOther();
    void aWrongNameAmongSeveralIsToldFirst();
    void stripesAreTakenInTheirOrderAndOnce();
    void aLockThatIsLostMeanwhileIsNotGranted();
    void ofOneNameAnyIsAskedForAsOfMany();
    void aTokenIsWantedFromTheFirstRequestOn();
    void workRunsUnderTheLock_data() { addModes(); }
    void workRunsUnderTheLock();
    void whatTheWorkThrowsReleasesTheLock();
    void aLockThatEndedUnderItsWorkIsTold_data() { addModes(); }
    void aLockThatEndedUnderItsWorkIsTold();
    void aFutureBringsTheLock_data() { addModes(); }
    void aFutureBringsTheLock();
    void aCancelledFutureHoldsNothing();
    void requestsThatWaitKeepNoOtherBack();
    void tooManyFuturesAreRefusedAtOnce();
    void standardGuardsLockAndUnlock_data() { addModes(); }
    void standardGuardsLockAndUnlock();
    void threadsThatShareOneLockTakeTurns();
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
    request.wait = Patience;
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
    QCOMPARE(refused.error->kind, Kind::BadRequest);
}

void TestLockHelpers::stripesAreTakenInTheirOrderAndOnce()
{
    LockEngine engine(configFor(*m_server));
    LockRequest request = requestIn(Mode::Pessimistic, "-");
    request.stripes = 2;
    std::map<QByteArray, QList<QByteArray>> namesOf;
    for (char name = 'a'; name <= 'p'; ++name) {
        request.resource = QByteArray(1, name);
        namesOf[engine.acquire(request).handle.resource()] += request.resource;
    }
    QCOMPARE(namesOf.size(), std::size_t(2));
    const QByteArray one = namesOf.at("stripe 1 of 2").value(0);
    const QByteArray next = namesOf.at("stripe 1 of 2").value(1);
    const QByteArray last = namesOf.at("stripe 0 of 2").last();
    QVERIFY2(one < last, "the names' own order has to be the other one");
    auto all = acquireAll(engine, {one, last, next}, request);
    QCOMPARE(all.handles.size(), std::size_t(2));
    QCOMPARE(all.handles[0].resource(), QByteArray("stripe 0 of 2"));
    QCOMPARE(all.handles[1].resource(), QByteArray("stripe 1 of 2"));
    LockEngine other(configFor(*m_server));
    QCOMPARE(acquireAll(other, {next}, request).resource, next); // told as it was asked for
    all.handles.pop_back();
    QCOMPARE(acquireAll(other, {next, one}, request).outcome, Outcome::Granted);
}

void TestLockHelpers::aLockThatIsLostMeanwhileIsNotGranted()
{
    std::atomic<bool> isLost = false;
    LockEngine engine(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    auto last = other.acquire(requestFor("b"));
    LockRequest request = requestFor("-", Patience, 200ms);
    request.autoRenew = false;
    request.onLost = [&](LossReason) { isLost = true; };
    MultiResult result;
    std::thread caller([&] { result = acquireAll(engine, {"b", "a"}, request); });
    const bool isTold = eventually([&] { return isLost.load(); });
    last.handle.release();
    caller.join();
    QVERIFY(isTold);
    QCOMPARE(result.resource, QByteArray("a"));
    QCOMPARE(result.error.value().kind, Kind::LockLost);
    QVERIFY(result.handles.empty());
    QVERIFY(eventually([&] { return isFree("a") && isFree("b"); }));
}

void TestLockHelpers::ofOneNameAnyIsAskedForAsOfMany()
{
    LockEngine engine(configFor(*m_server));
    const auto first = engine.acquireAny({"slot"}, requestFor("-"));
    QCOMPARE(first.handle.resource(), QByteArray("slot"));
    QCOMPARE(engine.acquireAny({"slot"}, requestFor("-")).outcome, Outcome::Busy); // also for who holds it
}

void TestLockHelpers::aTokenIsWantedFromTheFirstRequestOn()
{
    LockEngine engine(configFor(*m_server));
    const LockRequest withToken = requestIn(Mode::Pessimistic, "a");
    LockRequest without = withToken;
    without.wantsToken = false;
    auto held = engine.acquire(without);
    QCOMPARE(held.handle.token(), quint64(0));
    m_observer->startLog();
    const auto refused = engine.acquire(withToken);
    QCOMPARE(m_observer->logged().filter(QStringLiteral("lock_lease")), QStringList()); // where tokens are counted
    QCOMPARE(refused.error.value().kind, Kind::BadRequest);
    QVERIFY2(refused.error->message.contains(QLatin1String("wantsToken")), qPrintable(refused.error->message));
    QVERIFY(held.handle.isHeld());
    held.handle.release();
    const auto fenced = engine.acquire(withToken);
    QVERIFY(fenced.handle.token() > 0);
    QCOMPARE(engine.acquire(withToken).handle.token(), fenced.handle.token());
}

void TestLockHelpers::workRunsUnderTheLock()
{
    QFETCH(Mode, mode);
    LockEngine engine(configFor(*m_server));
    quint64 token = 0;
    bool wasFree = true;
    const auto result = withLock(engine, requestIn(mode, "a"), [&](LockHandle &handle) {
        token = handle.token();
        wasFree = isFree("a", mode);
    });
    QCOMPARE(result.outcome, Outcome::Granted);
    QVERIFY(!result.error);
    QVERIFY(token > 0);
    QVERIFY(!wasFree);
    QVERIFY(isFree("a", mode));
    const auto held = engine.acquire(requestIn(mode, "b"));
    LockEngine other(configFor(*m_server));
    bool ran = false;
    QCOMPARE(withLock(other, requestIn(mode, "b"), [&](LockHandle &) { ran = true; }).outcome, Outcome::Busy);
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

void TestLockHelpers::aLockThatEndedUnderItsWorkIsTold()
{
    QFETCH(Mode, mode);
    m_observer->run("DROP TABLE IF EXISTS stock; CREATE TABLE stock (amount INT) ENGINE = InnoDB; "
                    "INSERT INTO stock VALUES (10)");
    LockEngine engine(configFor(*m_server));
    const auto endsRow = [this](LockHandle &handle) {
        QByteArray connection;
        handle.inTransaction([&](QSqlDatabase &database) {
            QSqlQuery query(database);
            QVERIFY(query.exec(QStringLiteral("UPDATE stock SET amount = 9")));
            QVERIFY(query.exec(QStringLiteral("SELECT CONNECTION_ID()")) && query.next());
            connection = query.value(0).toByteArray();
        });
        m_observer->run("KILL " + connection);
        const QByteArray lives = "SELECT COUNT(*) FROM information_schema.processlist WHERE id = " + connection;
        QVERIFY(eventually([&] { return m_observer->value(lives).toInt() == 0; }));
    };
    const auto endsLease = [this](LockHandle &) {
        m_observer->run("UPDATE lock_lease SET presence = 'other', token = token + 1");
    };
    const auto result = withLock(engine, requestIn(mode, "a"), [&](LockHandle &handle) {
        mode == Mode::Unique ? endsLease(handle) : endsRow(handle);
    });
    QCOMPARE(result.outcome, Outcome::Granted);
    QCOMPARE(result.error.value().kind, Kind::LockLost);
    QCOMPARE(m_observer->value("SELECT amount FROM stock").toInt(), 10);
}

void TestLockHelpers::aFutureBringsTheLock()
{
    QFETCH(Mode, mode);
    LockEngine engine(configFor(*m_server));
    auto held = engine.acquire(requestIn(mode, "a"));
    auto future = engine.acquireAsync(requestIn(mode, "a", Patience));
    held.handle.release();
    future.waitForFinished();
    AcquireResult result = future.takeResult();
    QCOMPARE(result.outcome, Outcome::Granted);
    QVERIFY(result.handle.isHeld());
    QVERIFY(!isFree("a", mode));
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

void TestLockHelpers::requestsThatWaitKeepNoOtherBack()
{
    constexpr int kConnections = 4;
    EngineConfig config = configFor(*m_server);
    config.maxConnections = kConnections;
    LockEngine engine(config);
    const auto held = engine.acquire(requestFor("a"));
    std::stop_source stop;
    LockRequest forEver = requestFor("a", Forever);
    forEver.stop = stop.get_token();
    std::vector<QFuture<AcquireResult>> waiting(kConnections);
    for (auto &future : waiting)
        future = engine.acquireAsync(forEver);
    QVERIFY(eventually([&] { return m_observer->waiters("a") == kConnections; }));
    auto free = engine.acquireAsync(requestFor("b"));
    auto brief = engine.acquireAsync(requestFor("a", 100ms));
    QVERIFY(eventually([&] { return free.isFinished() && brief.isFinished(); }));
    QCOMPARE(free.takeResult().outcome, Outcome::Granted);
    QVERIFY(brief.takeResult().outcome != Outcome::Granted);
    stop.request_stop();
    for (auto &future : waiting)
        QVERIFY(eventually([&] { return future.isFinished(); }));
}

void TestLockHelpers::tooManyFuturesAreRefusedAtOnce()
{
    std::promise<void> goOn;
    EngineConfig nowhere = configFor(*m_server);
    nowhere.server.socket = QStringLiteral("/nonexistent/socket");
    nowhere.onMeasured = [go = goOn.get_future().share()](const Measurement &) { go.wait(); }; // in its thread
    LockEngine engine(nowhere);
    std::vector<QFuture<AcquireResult>> futures(MaxAsyncRequests);
    for (auto &future : futures)
        future = engine.acquireAsync(requestFor("a"));
    auto beyond = engine.acquireAsync(requestFor("a"));
    const bool isToldAtOnce = beyond.isFinished();
    goOn.set_value(); // before anything may fail
    QVERIFY(isToldAtOnce);
    QCOMPARE(beyond.takeResult().error.value().kind, Kind::LimitReached);
    for (auto &future : futures)
        QCOMPARE(future.takeResult().error.value().kind, Kind::Unavailable);
}

void TestLockHelpers::standardGuardsLockAndUnlock()
{
    QFETCH(Mode, mode);
    LockEngine engine(configFor(*m_server));
    Lockable a(engine, requestIn(mode, "a", Patience));
    Lockable b(engine, requestIn(mode, "b", Patience));
    {
        const std::scoped_lock both(a, b);
        QVERIFY(a.handle().token() > 0);
        QVERIFY(!isFree("a", mode));
        QVERIFY(!isFree("b", mode));
    }
    QVERIFY(isFree("a", mode));
    const std::unique_lock one(a, std::try_to_lock);
    QVERIFY(one.owns_lock());
    LockEngine other(configFor(*m_server));
    Lockable taken(other, requestIn(mode, "a"));
    QVERIFY(!taken.try_lock());
}

void TestLockHelpers::threadsThatShareOneLockTakeTurns()
{
    constexpr int kThreads = 4;
    constexpr int kTurns = 500;
    LockEngine engine(configFor(*m_server));
    Lockable shared(engine, requestFor("a", Patience));
    int counter = 0; // guarded by nothing but the lock
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&] {
            for (int turn = 0; turn < kTurns; ++turn) {
                const std::lock_guard lock(shared);
                ++counter;
            }
        });
    }
    for (auto &thread : threads)
        thread.join();
    QCOMPARE(counter, kThreads * kTurns);
    QVERIFY(isFree("a"));
}

void TestLockHelpers::aLockThatCannotBeHadThrowsFromLock()
{
    LockEngine engine(configFor(*m_server));
    LockEngine other(configFor(*m_server));
    const auto held = engine.acquire(requestFor("a"));
    static_assert(std::is_base_of_v<std::system_error, LockFailure>); // which is what most programs know
    std::optional<LockFailure> failure;
    for (const LockRequest &request : {requestFor("a", 20ms), requestFor("", 20ms)}) {
        try {
            Lockable(other, request).lock();
        } catch (const LockFailure &told) {
            failure.emplace(told);
        }
        const bool isBad = request.resource.isEmpty();
        QCOMPARE(failure.value().code(), std::make_error_code(isBad ? std::errc::io_error : std::errc::timed_out));
        QCOMPARE(failure->outcome(), isBad ? Outcome::Failed : Outcome::TimedOut);
        QCOMPARE(failure->error().has_value(), isBad);
    }
    QCOMPARE(failure->error()->kind, Kind::BadRequest);
    QVERIFY(QByteArray(failure->what()).startsWith(failure->error()->message.toUtf8()));
}

QTEST_GUILESS_MAIN(TestLockHelpers)
#include "tst_lockhelpers.moc"
