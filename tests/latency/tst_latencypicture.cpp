// SPDX-License-Identifier: MIT
// Measurements become points, curves and totals.
#include "latency/latencypicture.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

ServerTime at(std::chrono::seconds seconds)
{
    return ServerTime(seconds);
}

Histogram histogramOf(std::initializer_list<Duration> durations)
{
    Histogram histogram;
    for (const Duration duration : durations)
        histogram.add(duration);
    return histogram;
}

} // namespace

class TestLatencyPicture : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void outcomesAreCountedApart();
    void percentilesAreThoseOfWhatWasGranted();
    void requestsThatWaitAreTheirTimeDividedByTheSlot();
    void ratesAreOfTheTimeThatWasMeasured_data();
    void ratesAreOfTheTimeThatWasMeasured();
    void anotherKindAndOtherTimesAreLeftOut();
    void modesHaveCurvesOfTheirOwn();
    void nothingMeasuredIsNoCurve();
    void whoWaitedMostComesFirst();
};

void TestLatencyPicture::outcomesAreCountedApart()
{
    LatencySeries series;
    const QByteArray outcomes[] = {"granted", "committed", "busy", "timed_out", "conflict", "deadlock", "new one"};
    for (const QByteArray &outcome : outcomes)
        series.histograms[{"unique", "acquire", outcome, at(10s)}] = histogramOf({1ms});
    const LatencyPeriod period = periodOf(series, "acquire", at(0s), at(60s), 5s);
    QCOMPARE(period.curves.size(), 1u);
    const LatencyCounts &counts = period.curves.front().counts;
    QCOMPARE(counts.granted, 2u);
    QCOMPARE(counts.busy, 1u);
    QCOMPARE(counts.timedOut, 1u);
    QCOMPARE(counts.conflicts, 1u);
    QCOMPARE(counts.other, 2u);
}

void TestLatencyPicture::percentilesAreThoseOfWhatWasGranted()
{
    LatencySeries series;
    series.histograms[{"unique", "acquire", "granted", at(10s)}] = histogramOf({20us});
    series.histograms[{"unique", "acquire", "granted", at(15s)}] = histogramOf({10us, 10us, 30us});
    series.histograms[{"unique", "acquire", "timed_out", at(15s)}] = histogramOf({5s});
    const LatencyPeriod period = periodOf(series, "acquire", at(0s), at(60s), 5s);
    const LatencyCurve &curve = period.curves.front();
    QCOMPARE(curve.points.size(), 2u);
    QCOMPARE(curve.points[1].latency.values.front(), Duration(10us));
    QCOMPARE(curve.points[1].latency.values.back(), Duration(30us));
    QCOMPARE(curve.latency.values.back(), Duration(30us));
    QCOMPARE(curve.granted.count(), 4u);
}

void TestLatencyPicture::requestsThatWaitAreTheirTimeDividedByTheSlot()
{
    LatencySeries series;
    series.histograms[{"unique", "acquire", "granted", at(10s)}] = histogramOf({5s, 5s});
    series.histograms[{"unique", "acquire", "timed_out", at(10s)}] = histogramOf({2500ms});
    const LatencyPeriod period = periodOf(series, "acquire", at(0s), at(50s), 5s);
    QCOMPARE(period.curves.front().points.front().counts.waiting, 2.5);
    QCOMPARE(period.curves.front().counts.waiting, 12.5 / 40);
}

void TestLatencyPicture::ratesAreOfTheTimeThatWasMeasured_data()
{
    QTest::addColumn<QList<int>>("slots");
    QTest::addColumn<int>("measured");
    QTest::newRow("from the beginning") << QList<int>{10, 15} << 50;
    QTest::newRow("since a moment ago") << QList<int>{50, 55} << 10;
    QTest::newRow("not since") << QList<int>{20} << 40; // nobody locked: that is measured too
    QTest::newRow("of a time before") << QList<int>{0, 30} << 30;
    QTest::newRow("nothing") << QList<int>{} << 0;
}

void TestLatencyPicture::ratesAreOfTheTimeThatWasMeasured()
{
    QFETCH(QList<int>, slots);
    QFETCH(int, measured);
    LatencySeries series;
    for (const int slot : slots)
        series.histograms[{"unique", slot == 50 ? "hold" : "acquire", "granted", at(std::chrono::seconds(slot))}] =
            histogramOf({1s});
    const LatencyPeriod period = periodOf(series, "acquire", at(10s), at(60s), 5s);
    QCOMPARE(period.measured, Microseconds(std::chrono::seconds(measured)));
}

void TestLatencyPicture::anotherKindAndOtherTimesAreLeftOut()
{
    LatencySeries series;
    series.histograms[{"unique", "hold", "", at(10s)}] = histogramOf({1s});
    series.histograms[{"unique", "acquire", "granted", at(5s)}] = histogramOf({1ms});
    series.histograms[{"unique", "acquire", "granted", at(10s)}] = histogramOf({1ms});
    series.histograms[{"unique", "acquire", "granted", at(20s)}] = histogramOf({1ms});
    QCOMPARE(periodOf(series, "acquire", at(10s), at(20s), 5s).curves.front().counts.granted, 1u);
    QCOMPARE(periodOf(series, "hold", at(10s), at(20s), 5s).curves.front().latency.values.back(), Duration(1s));
}

void TestLatencyPicture::modesHaveCurvesOfTheirOwn()
{
    LatencySeries series;
    series.histograms[{"unique", "acquire", "granted", at(10s)}] = histogramOf({1ms});
    series.histograms[{"optimistic", "acquire", "conflict", at(10s)}] = histogramOf({1ms});
    const LatencyPeriod period = periodOf(series, "acquire", at(0s), at(20s), 5s);
    QVERIFY(period.curve("unique") && period.curve("optimistic"));
    QVERIFY(!period.curve("pessimistic"));
    QVERIFY(!period.curve("optimistic")->points.front().hasLatency());
}

void TestLatencyPicture::nothingMeasuredIsNoCurve()
{
    QVERIFY(periodOf({}, "acquire", at(0s), at(20s), 5s).curves.empty());
}

void TestLatencyPicture::whoWaitedMostComesFirst()
{
    LatencySeries series;
    const auto add = [&series](const QByteArray &kind, const QString &program, const QByteArray &prefix,
                               ServerTime slot, const Histogram &granted, Duration spent) {
        Histogram others;
        others.add(spent - granted.sum()); // one timed out
        series.uses[{kind, program, prefix, slot}] = {granted, others};
    };
    add("acquire", QStringLiteral("web"), "orders/", at(10s), histogramOf({1ms}), 1s);
    add("acquire", QStringLiteral("cron"), "jobs/", at(10s), histogramOf({2ms}), 2s);
    add("acquire", QStringLiteral("cron"), "jobs/", at(15s), histogramOf({4ms}), 5s);
    add("acquire", QStringLiteral("cron"), "jobs/", at(70s), histogramOf({1s}), 500s); // later
    add("hold", QStringLiteral("web"), "jobs/", at(10s), histogramOf({1s}), 100s);
    add("acquire", QStringLiteral("mail"), "", at(10s), {}, 0s);
    const QList<LatencyRank> ranks = ranksOf(series, "acquire", at(0s), at(60s));
    QCOMPARE(ranks.size(), 3);
    QVERIFY(!ranks[2].p95); // nothing was granted
    QCOMPARE(ranks[0].program, QStringLiteral("cron"));
    QCOMPARE(ranks[0].prefix, QByteArray("jobs/"));
    QCOMPARE(ranks[0].requests, 4U);
    QCOMPARE(ranks[0].share, 7.0 / 8);
    QVERIFY(ranks[0].p95 > 3ms && ranks[0].p95 <= 4ms + 200us);
    QCOMPARE(ranks[1].share, 1.0 / 8);
    QCOMPARE(ranksOf(series, "hold", at(0s), at(60s)).size(), 1);
    QCOMPARE(ranksOf({}, "hold", at(0s), at(60s)).size(), 0);
}

QTEST_GUILESS_MAIN(TestLatencyPicture)
#include "tst_latencypicture.moc"
