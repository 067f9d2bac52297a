// SPDX-License-Identifier: MIT
// What engines measure arrives in lock_latency, once, and is read back merged.
#include "engine/records/latencylog_p.h"
#include "enginetest.h"
#include "latency/latencyreader.h"

#include <QtCore/QElapsedTimer>
#include <QtTest/QTest>

#include <atomic>
#include <future>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using detail::LatencyLog;

namespace {

Owner ownerOf(const QByteArray &session)
{
    Owner owner;
    owner.service = QStringLiteral("test");
    owner.session = session;
    return owner;
}

void recordGrants(LatencyLog &log, int count)
{
    for (int i = 0; i < count; ++i)
        log.record(MeasuredMode::Unique, Ending::Granted, Duration(1000 + i));
}

} // namespace

class TestLatency : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void everyOutcomeArrivesWithItsCount();
    void whatAsksNoServerIsNotCounted();
    void theModesAreCountedApart();
    void aLivingEngineWritesByItself();
    void nothingIsWrittenWhenMeasuringIsOff();
    void aFlushIsOneStatement();
    void everyModeAndEndingHasItsName();
    void aFailedFlushGoesWithTheNextOne();
    void aLostAnswerDoublesNothing_data();
    void aLostAnswerDoublesNothing();
    void anEngineWritesWhatWasMeasuredBeforeARestart();
    void aServerThatIsAwayDoesNotDelayTheEnd_data();
    void aServerThatIsAwayDoesNotDelayTheEnd();
    void twoEnginesMerge();
    void programsAndPrefixesAreReadApart();
    void slotsAndRangesAreThoseAskedFor();
    void damagedAndNewerRowsAreCountedAndLeftOut();

private:
    /// "unique acquire granted 3" … as the server has them.
    QByteArrayList counts();
    LatencySeries readAll(Microseconds slot = 10s, const LatencyOptions &only = {});
};

QByteArrayList TestLatency::counts()
{
    QByteArrayList found;
    const auto rows = m_observer->rows("SELECT CONCAT_WS(' ', mode, kind, outcome, SUM(count)) FROM lock_latency "
                                       "GROUP BY mode, kind, outcome ORDER BY 1");
    for (const QVariantList &row : rows)
        found += row.value(0).toByteArray().simplified();
    return found;
}

LatencySeries TestLatency::readAll(Microseconds slot, const LatencyOptions &only)
{
    LockError error;
    const auto session = Session::open(targetFor(*m_server), &error);
    LatencyOptions options = only;
    options.from = ServerTime(Microseconds(0));
    options.to = ServerTime(std::chrono::hours(24 * 365 * 200));
    options.slot = slot;
    LatencySeries series;
    if (!session || LatencyReader(*session).read(options, &series))
        qFatal("The measurements could not be read.");
    return series;
}

void TestLatency::everyOutcomeArrivesWithItsCount()
{
    {
        LockEngine engine(configFor(*m_server));
        LockEngine other(configFor(*m_server));
        for (int i = 0; i < 3; ++i)
            QCOMPARE(engine.acquire(requestFor("a")).outcome, Outcome::Granted);
        const auto held = other.acquire(requestFor("a"));
        QCOMPARE(held.outcome, Outcome::Granted);
        for (int i = 0; i < 2; ++i)
            QCOMPARE(engine.acquire(requestFor("a")).outcome, Outcome::Busy);
        QCOMPARE(engine.acquire(requestFor("a", 50ms)).outcome, Outcome::TimedOut);
        LockRequest cancelled = requestFor("a", Patience);
        std::stop_source stop;
        cancelled.stop = stop.get_token();
        auto waits = std::async(std::launch::async, [&] { return engine.acquire(cancelled).outcome; });
        const bool isWaiting = eventually([&] { return m_observer->waiters("a") == 1; });
        stop.request_stop();
        QCOMPARE(waits.get(), Outcome::Cancelled);
        QVERIFY(isWaiting);
        m_observer->run("RENAME TABLE lock_lease TO lock_lease_away");
        QCOMPARE(engine.acquire(requestFor("b")).outcome, Outcome::Failed);
        m_observer->run("RENAME TABLE lock_lease_away TO lock_lease");
    }
    QCOMPARE(counts(),
             QByteArrayList({"unique acquire busy 2", "unique acquire cancelled 1", "unique acquire failed 1",
                             "unique acquire granted 4", "unique acquire timed_out 1", "unique hold 4"}));
    const Histogram timedOut = readAll().total("unique", "acquire", "timed_out");
    QVERIFY2(timedOut.max() >= 50ms, qPrintable(QString::number(timedOut.max().count())));
}

void TestLatency::whatAsksNoServerIsNotCounted()
{
    {
        LockEngine engine(configFor(*m_server));
        const auto outer = engine.acquire(requestFor("a"));
        QCOMPARE(engine.acquire(requestFor("a")).outcome, Outcome::Granted); // re-entrant
        QCOMPARE(engine.acquire(requestFor("")).outcome, Outcome::Failed);   // refused
        LockRequest stopped = requestFor("b");
        std::stop_source stop;
        stop.request_stop();
        stopped.stop = stop.get_token();
        QCOMPARE(engine.acquire(stopped).outcome, Outcome::Cancelled);
    }
    QCOMPARE(counts(), QByteArrayList({"unique acquire granted 1", "unique hold 1"}));
}

void TestLatency::theModesAreCountedApart()
{
    {
        LockEngine engine(configFor(*m_server));
        QCOMPARE(engine.acquire(requestFor("a")).outcome, Outcome::Granted);
        LockRequest row = requestFor("a");
        row.mode = Mode::Pessimistic;
        QCOMPARE(engine.acquire(row).outcome, Outcome::Granted);
    }
    QCOMPARE(counts(),
             QByteArrayList(
                 {"pessimistic acquire granted 1", "pessimistic hold 1", "unique acquire granted 1", "unique hold 1"}));
}

void TestLatency::aLivingEngineWritesByItself()
{
    LockEngine engine(configFor(*m_server));
    QCOMPARE(engine.acquire(requestFor("a")).outcome, Outcome::Granted);
    QVERIFY(eventually([&] { return !counts().isEmpty(); }));
    QCOMPARE(counts(), QByteArrayList({"unique acquire granted 1", "unique hold 1"}));
    QCOMPARE(Owner::fromJson(m_observer->value("SELECT owner FROM lock_latency LIMIT 1").toByteArray()).session,
             engine.owner().session);
    const qint64 period = m_observer->value("SELECT MAX(period_us) FROM lock_latency").toLongLong();
    QVERIFY2(period >= 1'000'000, qPrintable(QString::number(period)));
}

void TestLatency::nothingIsWrittenWhenMeasuringIsOff()
{
    {
        EngineConfig config = configFor(*m_server);
        config.measuresLatency = false;
        LockEngine engine(config);
        QCOMPARE(engine.acquire(requestFor("a")).outcome, Outcome::Granted);
    }
    QCOMPARE(counts(), QByteArrayList());
}

void TestLatency::aFlushIsOneStatement()
{
    LatencyLog log(true, ownerOf("one"));
    ReconnectingSession link(targetFor(*m_server));
    QVERIFY(!log.flush(link));
    QCOMPARE(link.connectionId(), 0u); // nothing to write, nothing sent
    log.record(MeasuredMode::Unique, Ending::Granted, 1ms);
    log.record(MeasuredMode::Unique, Ending::Busy, 1ms);
    log.record(MeasuredMode::Unique, Ending::Held, 1ms);
    LockError error;
    QVERIFY(link.session(&error)); // its settings are not what is logged below
    m_observer->startLog();
    QVERIFY(!log.flush(link));
    const QStringList packets = m_observer->logged();
    QVERIFY2(packets.size() == 1, qPrintable(packets.join(u'\n')));
    QVERIFY(!log.flush(link));
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_latency WHERE batch = 1").toInt(), 3);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_latency").toInt(), 3);
}

void TestLatency::everyModeAndEndingHasItsName()
{
    LatencyLog log(true, ownerOf("all"));
    for (int mode = 0; mode < 3; ++mode) {
        for (int ending = 0; ending <= int(Ending::Held); ++ending)
            log.record(MeasuredMode(mode), Ending(ending), 1ms);
    }
    ReconnectingSession link(targetFor(*m_server));
    QVERIFY(!log.flush(link));
    QByteArrayList expected;
    for (const char *mode : {"optimistic", "pessimistic", "unique"}) {
        for (const char *ending :
             {"acquire busy", "acquire cancelled", "acquire committed", "acquire conflict", "acquire deadlock",
              "acquire failed", "acquire granted", "acquire timed_out", "acquire unknown", "hold"})
            expected += QByteArray(mode) + ' ' + ending + " 1";
    }
    QCOMPARE(counts(), expected);
}

void TestLatency::aFailedFlushGoesWithTheNextOne()
{
    LatencyLog log(true, ownerOf("restart"));
    ReconnectingSession link(targetFor(*m_server));
    recordGrants(log, 10);
    QVERIFY(!log.flush(link));
    const Duration usual = log.pause();
    recordGrants(log, 20);
    m_server->stop();
    QVERIFY(log.flush(link));
    recordGrants(log, 30);
    QVERIFY(log.flush(link));
    QVERIFY(log.pause() > usual);
    m_server->start();
    recordGrants(log, 40);
    QVERIFY(!log.flush(link));
    QCOMPARE(log.pause(), usual);
    m_observer = std::make_unique<Observer>(*m_server);
    QCOMPARE(counts(), QByteArrayList({"unique acquire granted 100"}));
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_latency").toInt(), 2);
    Histogram expected;
    for (const int count : {10, 20, 30, 40}) {
        for (int i = 0; i < count; ++i)
            expected.add(Duration(1000 + i));
    }
    QCOMPARE(readAll().total("unique", "acquire", "granted"), expected);
}

void TestLatency::aLostAnswerDoublesNothing_data()
{
    QTest::addColumn<bool>("arrives");
    QTest::newRow("the write arrived") << true;
    QTest::newRow("the write was undone") << false;
}

void TestLatency::aLostAnswerDoublesNothing()
{
    QFETCH(bool, arrives);
    m_observer->run("CREATE TRIGGER slow AFTER INSERT ON lock_latency FOR EACH ROW DO SLEEP(3)");
    LatencyLog log(true, ownerOf("doubt"));
    SessionTarget impatient = targetFor(*m_server);
    impatient.readTimeout = 1s;
    ReconnectingSession link(impatient);
    recordGrants(log, 10);
    const auto lost = log.flush(link);
    QVERIFY(lost);
    QCOMPARE(lost->kind, LockError::Kind::ConnectionLost);
    if (!arrives)
        m_observer->run("KILL " + QByteArray::number(link.connectionId()));
    QVERIFY(eventually([&] {
        return m_observer
                   ->value("SELECT COUNT(*) FROM information_schema.processlist WHERE id = "
                           + QByteArray::number(link.connectionId()))
                   .toInt()
            == 0;
    }));
    QCOMPARE(counts(), arrives ? QByteArrayList{"unique acquire granted 10"} : QByteArrayList());
    m_observer->run("DROP TRIGGER slow");
    recordGrants(log, 5);
    QVERIFY(!log.flush(link));
    QCOMPARE(counts(), QByteArrayList{"unique acquire granted 15"});
}

void TestLatency::anEngineWritesWhatWasMeasuredBeforeARestart()
{
    {
        LockEngine engine(configFor(*m_server));
        for (int i = 0; i < 5; ++i)
            QCOMPARE(engine.acquire(requestFor("a")).outcome, Outcome::Granted);
        m_server->restart();
        QVERIFY(eventually([&] { return engine.acquire(requestFor("a")).outcome == Outcome::Granted; }));
    }
    m_observer = std::make_unique<Observer>(*m_server);
    QCOMPARE(readAll().total("unique", "acquire", "granted").count(), 6u);
}

void TestLatency::aServerThatIsAwayDoesNotDelayTheEnd_data()
{
    QTest::addColumn<bool>("frozen");
    QTest::newRow("stopped") << false;
    QTest::newRow("frozen") << true;
}

void TestLatency::aServerThatIsAwayDoesNotDelayTheEnd()
{
    QFETCH(bool, frozen);
    QElapsedTimer timer;
    {
        LockEngine engine(configFor(*m_server));
        QCOMPARE(engine.acquire(requestFor("a")).outcome, Outcome::Granted);
        frozen ? m_server->freeze() : m_server->stop();
        timer.start();
    }
    const qint64 elapsed = timer.elapsed();
    if (frozen)
        m_server->thaw();
    QVERIFY2(elapsed < 10'000, qPrintable(QString::number(elapsed)));
    qInfo("ended within %lld ms", elapsed);
}

void TestLatency::twoEnginesMerge()
{
    LatencyLog fast(true, ownerOf("fast"));
    LatencyLog slow(true, ownerOf("slow"));
    Histogram expected;
    for (int i = 0; i < 900; ++i) {
        fast.record(MeasuredMode::Unique, Ending::Granted, Duration(100 + i));
        expected.add(Duration(100 + i));
    }
    for (int i = 0; i < 100; ++i) {
        slow.record(MeasuredMode::Unique, Ending::Granted, Duration(2'000'000 + i));
        expected.add(Duration(2'000'000 + i));
    }
    ReconnectingSession link(targetFor(*m_server));
    QVERIFY(!fast.flush(link));
    QVERIFY(!slow.flush(link));
    const LatencySeries series = readAll(std::chrono::hours(24 * 365));
    QCOMPARE(series.histograms.size(), 1u);
    const Histogram merged = series.total("unique", "acquire", "granted");
    QCOMPARE(merged, expected);
    QVERIFY(merged.percentile(50) < 1ms);
    QVERIFY(merged.percentile(95) > 1s);
    QCOMPARE(merged.max(), Duration(2'000'099));
}

void TestLatency::programsAndPrefixesAreReadApart()
{
    const QByteArray owners[] = {"billing", "cron"};
    ReconnectingSession link(targetFor(*m_server));
    for (int i = 0; i < 3; ++i) {
        Owner owner = ownerOf(QByteArray::number(i));
        owner.service = QString::fromUtf8(owners[i % 2]);
        LatencyLog log(true, owner, i == 2 ? "b/" : "");
        recordGrants(log, 1 << i);
        QVERIFY(!log.flush(link));
    }
    const auto granted = [this](const LatencyOptions &only) {
        const LatencySeries series = readAll(10s, only);
        const std::set<QString> programs{QStringLiteral("billing"), QStringLiteral("cron")};
        if (series.programs != programs || series.prefixes != std::set<QByteArray>{"", "b/"})
            return quint64(0);
        return series.total("unique", "acquire", "granted").count();
    };
    QCOMPARE(granted({}), 7u);
    QCOMPARE(granted({.program = QStringLiteral("billing")}), 5u);
    QCOMPARE(granted({.prefix = QByteArray("b/")}), 4u);
    QCOMPARE(granted({.program = QStringLiteral("billing"), .prefix = QByteArray()}), 1u);
}

void TestLatency::slotsAndRangesAreThoseAskedFor()
{
    // 3,000 rows, one per second, from 10:00:00 on; more than a page, with gaps in the numbers.
    QByteArray rows;
    for (int i = 0; i < 3000; ++i) {
        rows += (i ? ", (" : "(") + QByteArray::number(10 * i + 5) + ", '2030-01-01 10:00:00' + INTERVAL "
            + QByteArray::number(i) + " SECOND, 1, 'unique', 'acquire', 'granted', '', 1, 1, 3, 3, x'010401')";
    }
    m_observer->run("INSERT INTO lock_latency (id, at, period_us, mode, kind, outcome, owner, batch, count, sum_us, "
                    "max_us, buckets) VALUES "
                    + rows);
    const qint64 start =
        m_observer->value("SELECT TIMESTAMPDIFF(SECOND, '1970-01-01', '2030-01-01 10:00:00')").toLongLong();
    LockError error;
    const auto session = Session::open(targetFor(*m_server), &error);
    LatencyOptions options;
    options.from = ServerTime(std::chrono::seconds(start + 2500));
    options.to = options.from + 30s;
    LatencySeries series;
    QVERIFY(!LatencyReader(*session).read(options, &series));
    QCOMPARE(series.rows, 30);
    QVERIFY(series.isComplete);
    QCOMPARE(series.histograms.size(), 3u);
    for (const auto &[key, histogram] : series.histograms) {
        QCOMPARE(key.slot.time_since_epoch() % 10s, Microseconds(0));
        QCOMPARE(histogram.count(), 10u);
    }
    QCOMPARE(series.histograms.begin()->first.slot, options.from);
    options.from = ServerTime(std::chrono::seconds(start));
    options.to = options.from + std::chrono::hours(1);
    QVERIFY(!LatencyReader(*session).read(options, &series));
    QCOMPARE(series.rows, 3000);
    options.limit = 10;
    QVERIFY(!LatencyReader(*session).read(options, &series));
    QVERIFY(!series.isComplete);
    options.from = options.to + std::chrono::hours(1);
    options.to = options.from + std::chrono::hours(1);
    QVERIFY(!LatencyReader(*session).read(options, &series));
    QCOMPARE(series.rows, 0);
}

void TestLatency::damagedAndNewerRowsAreCountedAndLeftOut()
{
    const QByteArray row = "(UTC_TIMESTAMP(6), 1, 'unique', 'acquire', 'granted', '', 1, 1, 3, 3, x'010401')";
    m_observer->run("INSERT INTO lock_latency "
                    "(at, period_us, mode, kind, outcome, owner, batch, count, sum_us, max_us, buckets) VALUES "
                    + QByteArrayList(5, row).join(", "));
    m_observer->run("UPDATE lock_latency SET buckets = x'0204' ORDER BY id LIMIT 1");
    m_observer->run("UPDATE lock_latency SET buckets = x'0184' ORDER BY id DESC LIMIT 1");
    m_observer->run("UPDATE lock_latency SET max_us = 18446744073709551615, sum_us = 18446744073709551615 "
                    "WHERE buckets = x'010401' ORDER BY id LIMIT 1");
    const LatencySeries series = readAll();
    QCOMPARE(series.unreadable, 2);
    QCOMPARE(series.rows, 3);
    QCOMPARE(series.total("unique", "acquire", "granted").count(), 3u);
}

QTEST_GUILESS_MAIN(TestLatency)
#include "tst_latency.moc"
