// SPDX-License-Identifier: MIT
// Durations in buckets: how exact they are, and that neither merging, storing nor many threads lose any.
#include "engine/records/histogram.h"

#include <QtTest/QTest>

#include <random>
#include <thread>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

/// Bytes of the stored form, written as numbers.
QByteArray bytesOf(std::initializer_list<int> numbers)
{
    QByteArray bytes;
    for (const int number : numbers)
        bytes.append(char(number));
    return bytes;
}

Histogram upTo(int n)
{
    Histogram histogram;
    for (int i = 1; i <= n; ++i)
        histogram.add(Duration(i));
    return histogram;
}

double relativeError(Duration read, Duration recorded)
{
    return std::abs(double((read - recorded).count())) / double(recorded.count());
}

/// Durations from 1 µs to 10 days, equally many per power of two; the same in each run.
std::vector<Duration> spreadDurations(int count)
{
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> exponent(0, 39.6);
    std::vector<Duration> durations;
    for (int i = 0; i < count; ++i)
        durations.emplace_back(qint64(std::exp2(exponent(random))));
    return durations;
}

} // namespace

class TestHistogram : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isWithinOneThirtySecond_data();
    void isWithinOneThirtySecond();
    void bucketsFollowEachOther();
    void extremesCountIntoTheOutermostBuckets();
    void percentilesOfKnownDistributions();
    void percentilesOfSpreadDurationsAreWithinOneThirtySecond();
    void anEmptyOneIsZero();
    void mergingIsRecordingIntoOne();
    void sumsStopAtTheEnd();
    void storingAndReadingGivesTheSame();
    void theStoredFormIsSmall();
    void theStoredFormIsTheDocumentedOne();
    void refusesWhatIsNoHistogram_data();
    void refusesWhatIsNoHistogram();
    void everyCutOfTheStoredFormIsRefusedOrShorter();
    void eightThreadsLoseNothing();
    void takingGivesWhatCameSinceTheLastTime();
};

void TestHistogram::isWithinOneThirtySecond_data()
{
    QTest::addColumn<qint64>("from");
    QTest::addColumn<qint64>("to");
    QTest::newRow("1 us to 1 ms") << qint64(1) << qint64(1000);
    QTest::newRow("1 ms to 1 s") << qint64(1000) << qint64(1'000'000);
    QTest::newRow("1 s to 1 min") << qint64(1'000'000) << qint64(60'000'000);
    QTest::newRow("1 min to 1 h") << qint64(60'000'000) << qint64(3'600'000'000);
    QTest::newRow("1 h to 24 h") << qint64(3'600'000'000) << qint64(86'400'000'000);
    QTest::newRow("1 d to 366 d") << qint64(86'400'000'000) << qint64(31'622'400'000'000);
}

void TestHistogram::isWithinOneThirtySecond()
{
    QFETCH(qint64, from);
    QFETCH(qint64, to);
    double worst = 0;
    for (qint64 at = from; at <= to; at += std::max<qint64>(1, at / 1000)) {
        const Duration recorded{at};
        worst = std::max(worst, relativeError(Histogram::middle(Histogram::bucketOf(recorded)), recorded));
    }
    QVERIFY2(worst <= 1.0 / 32, qPrintable(QString::number(worst)));
}

void TestHistogram::bucketsFollowEachOther()
{
    for (int i = 0; i < Histogram::BucketCount; ++i) {
        QCOMPARE(Histogram::bucketOf(Histogram::lowest(i)), i);
        QCOMPARE(Histogram::bucketOf(Histogram::middle(i)), i);
        if (i > 0)
            QCOMPARE(Histogram::bucketOf(Histogram::lowest(i) - Duration(1)), i - 1);
    }
}

void TestHistogram::extremesCountIntoTheOutermostBuckets()
{
    QCOMPARE(Histogram::bucketOf(Duration::min()), 0);
    QCOMPARE(Histogram::bucketOf(Duration::zero()), 0);
    QCOMPARE(Histogram::bucketOf(MaxTtl * 2), Histogram::BucketCount - 1);
    QCOMPARE(Histogram::bucketOf(Forever), Histogram::BucketCount - 1);
    Histogram histogram;
    histogram.add(Duration(-5));
    QCOMPARE(histogram.max(), Duration::zero());
    QCOMPARE(histogram.sum(), Duration::zero());
    histogram.add(Forever, 3);
    QCOMPARE(histogram.max(), Forever);
    QCOMPARE(histogram.sum(), Duration::max());
}

void TestHistogram::percentilesOfKnownDistributions()
{
    QCOMPARE(upTo(20).percentile(50), 10us);
    QCOMPARE(upTo(20).percentile(95), 19us);
    QCOMPARE(upTo(20).percentile(100), 20us);
    QCOMPARE(upTo(20).percentile(0), 1us);
    QCOMPARE(upTo(1).percentile(99), 1us);

    const Histogram even = upTo(10'000);
    QVERIFY(relativeError(even.percentile(50), 5000us) <= 1.0 / 32);
    QVERIFY(relativeError(even.percentile(95), 9500us) <= 1.0 / 32);
    QVERIFY(relativeError(even.percentile(99), 9900us) <= 1.0 / 32);
    QCOMPARE(even.max(), 10'000us);
    QCOMPARE(even.sum(), 50'005'000us);

    Histogram two; // what an average of percentiles would hide
    two.add(10us, 9'900);
    two.add(2s, 100);
    QCOMPARE(two.percentile(50), 10us);
    QCOMPARE(two.percentile(99), 10us);
    QVERIFY(relativeError(two.percentile(99.1), 2s) <= 1.0 / 32);
}

void TestHistogram::percentilesOfSpreadDurationsAreWithinOneThirtySecond()
{
    auto durations = spreadDurations(20'000);
    Histogram histogram;
    for (const Duration duration : durations)
        histogram.add(duration);
    std::sort(durations.begin(), durations.end());
    for (const double percent : {1.0, 25.0, 50.0, 95.0, 99.0, 99.9}) {
        const auto rank = std::size_t(std::ceil(double(durations.size()) * percent / 100));
        QVERIFY2(relativeError(histogram.percentile(percent), durations[rank - 1]) <= 1.0 / 32,
                 qPrintable(QString::number(percent)));
    }
}

void TestHistogram::anEmptyOneIsZero()
{
    const Histogram empty;
    QVERIFY(empty.isEmpty());
    QCOMPARE(empty.count(), 0u);
    QCOMPARE(empty.percentile(50), Duration::zero());
    QCOMPARE(Histogram::fromBytes(empty.toBytes(), {}, {}), std::optional(empty));
}

void TestHistogram::mergingIsRecordingIntoOne()
{
    Histogram all;
    std::array<Histogram, 5> parts;
    std::size_t next = 0;
    for (const Duration duration : spreadDurations(5000)) {
        all.add(duration);
        parts[next++ % parts.size()].add(duration);
    }
    Histogram merged;
    for (const Histogram &part : parts)
        merged.add(part);
    QCOMPARE(merged, all);
    merged.add(Histogram());
    QCOMPARE(merged, all);
}

void TestHistogram::sumsStopAtTheEnd()
{
    Histogram one;
    one.add(1s, std::numeric_limits<quint64>::max() - 1);
    Histogram two = one;
    two.add(one);
    QCOMPARE(two.count(), std::numeric_limits<quint64>::max());
    QCOMPARE(two.sum(), Duration::max());
    QCOMPARE(two.percentile(50),
             Histogram::middle(Histogram::bucketOf(1s)) < 1s ? Histogram::middle(Histogram::bucketOf(1s))
                                                             : Duration(1s));
}

void TestHistogram::storingAndReadingGivesTheSame()
{
    Histogram histogram;
    for (const Duration duration : spreadDurations(5000))
        histogram.add(duration, quint64(duration.count()));
    histogram.add(Forever);
    const auto read = Histogram::fromBytes(histogram.toBytes(), histogram.sum(), histogram.max());
    QCOMPARE(read, std::optional(histogram));
}

void TestHistogram::theStoredFormIsSmall()
{
    Histogram usual; // an engine's five seconds: some thousand grants around half a millisecond
    for (int i = 0; i < 5000; ++i)
        usual.add(Duration(300 + i % 700));
    QVERIFY2(usual.toBytes().size() < 100, qPrintable(QString::number(usual.toBytes().size())));
    Histogram full;
    for (int i = 0; i < Histogram::BucketCount; ++i)
        full.add(Histogram::lowest(i), std::numeric_limits<quint64>::max() / Histogram::BucketCount);
    QVERIFY2(full.toBytes().size() <= Histogram::MaxBytes, qPrintable(QString::number(full.toBytes().size())));
    QCOMPARE(Histogram::fromBytes(full.toBytes(), full.sum(), full.max()), std::optional(full));
}

void TestHistogram::theStoredFormIsTheDocumentedOne()
{
    Histogram histogram;
    histogram.add(0us, 1);
    histogram.add(3us, 300);
    QCOMPARE(histogram.toBytes(), bytesOf({1, 1, 1, 3, 0xac, 2}));
}

void TestHistogram::refusesWhatIsNoHistogram_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<qint64>("sum");
    QTest::addColumn<qint64>("max");
    const auto add = [](const char *name, const QByteArray &bytes, qint64 sum = 100, qint64 max = 100) {
        QTest::newRow(name) << bytes << sum << max;
    };
    add("nothing", {});
    add("version 0", bytesOf({0, 1, 1}));
    add("a newer version", bytesOf({2, 1, 1}));
    add("no count", bytesOf({1, 4}));
    add("a cut count", bytesOf({1, 4, 0x80}));
    add("a cut distance", bytesOf({1, 0x84}));
    add("distance 0", bytesOf({1, 0, 1}));
    add("distance 0 later", bytesOf({1, 4, 1, 0, 1}));
    add("count 0", bytesOf({1, 4, 0}));
    add("a bucket too far", bytesOf({1, 0xa1, 5, 1})); // 673
    add("far beyond", bytesOf({1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1}));
    add("a number of 11 bytes", bytesOf({1, 4, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1}));
    add("a number beyond 64 bits", bytesOf({1, 4, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2}));
    const QByteArray most = bytesOf({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1});
    add("counts beyond 64 bits", bytesOf({1, 1}) + most + bytesOf({1}) + most);
    add("too long", bytesOf({1}) + QByteArray(Histogram::MaxBytes, 1));
    add("text", "p50=3ms");
    add("a negative sum", bytesOf({1, 4, 1}), -1);
    add("a negative maximum", bytesOf({1, 4, 1}), 3, -1);
    add("a maximum below its bucket", bytesOf({1, 4, 1}), 3, 2);
    add("a sum of nothing", bytesOf({1}), 1, 0);
    add("a maximum of nothing", bytesOf({1}), 0, 1);
}

void TestHistogram::refusesWhatIsNoHistogram()
{
    QFETCH(QByteArray, bytes);
    QFETCH(qint64, sum);
    QFETCH(qint64, max);
    QVERIFY(!Histogram::fromBytes(bytes, Duration(sum), Duration(max)));
}

void TestHistogram::everyCutOfTheStoredFormIsRefusedOrShorter()
{
    Histogram histogram;
    for (const Duration duration : spreadDurations(2000))
        histogram.add(duration, 1000);
    const QByteArray bytes = histogram.toBytes();
    for (qsizetype size = 0; size < bytes.size(); ++size) {
        const auto cut = Histogram::fromBytes(bytes.first(size), histogram.sum(), histogram.max());
        QVERIFY(!cut || cut->count() < histogram.count());
    }
}

void TestHistogram::eightThreadsLoseNothing()
{
    constexpr int kThreads = 8;
    constexpr int kEach = 100'000;
    AtomicHistogram shared;
    std::atomic<int> running = kThreads;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back([&, thread] {
            for (int i = 0; i < kEach; ++i)
                shared.record(Duration(1 + (i * kThreads + thread) % 5000));
            --running;
        });
    }
    Histogram taken;
    while (running.load() > 0)
        taken.add(shared.take());
    for (std::thread &thread : threads)
        thread.join();
    taken.add(shared.take());

    Histogram expected;
    for (int i = 0; i < kThreads * kEach; ++i)
        expected.add(Duration(1 + i % 5000));
    QCOMPARE(taken.count(), quint64(kThreads) * kEach);
    QCOMPARE(taken, expected);
    QVERIFY(shared.take().isEmpty());
}

void TestHistogram::takingGivesWhatCameSinceTheLastTime()
{
    AtomicHistogram shared;
    shared.record(Duration(-1));
    shared.record(3s);
    QCOMPARE(shared.take().max(), Duration(3s));
    shared.record(5us);
    const Histogram second = shared.take();
    QCOMPARE(second.count(), 1u);
    QCOMPARE(second.max(), 5us);
    QCOMPARE(second.sum(), 5us);
    QVERIFY(shared.take().isEmpty());
}

QTEST_APPLESS_MAIN(TestHistogram)
#include "tst_histogram.moc"
