// SPDX-License-Identifier: MIT
#include "statistics.h"

#include <QtTest/QtTest>

#include <cmath>
#include <numeric>

using namespace lockscope::bench;

namespace {

Values upTo(int n)
{
    Values values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), 1.0);
    return values;
}

} // namespace

class tst_Statistics : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void median_takesTheMiddle();
    void median_ofNothingIsNotANumber();
    void quantile_isTheNearestRank();
    void interval_hasTheRanksOfTheTables_data();
    void interval_hasTheRanksOfTheTables();
    void interval_ofFewValuesIsTheirRange();
    void interval_ignoresOrderAndOutliers();
    void jain_goesFromOneToOneNth();
    void ratios_arePairwise();
};

void tst_Statistics::median_takesTheMiddle()
{
    QCOMPARE(median({3, 1, 2}), 2.0);
    QCOMPARE(median({4, 1, 3, 2}), 2.5);
    QCOMPARE(median({7}), 7.0);
}

void tst_Statistics::median_ofNothingIsNotANumber()
{
    QVERIFY(std::isnan(median({})));
    QVERIFY(std::isnan(quantile({}, 0.5)));
    QVERIFY(std::isnan(medianInterval({}).low));
}

void tst_Statistics::quantile_isTheNearestRank()
{
    QCOMPARE(quantile(upTo(100), 0.95), 95.0);
    QCOMPARE(quantile(upTo(20), 0.95), 19.0);
    QCOMPARE(quantile(upTo(20), 0.0), 1.0);
    QCOMPARE(quantile(upTo(20), 1.0), 20.0);
}

void tst_Statistics::interval_hasTheRanksOfTheTables_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("rank");
    // Ranks of the sign test's 95 % interval as printed in statistical tables
    QTest::newRow("6") << 6 << 1;
    QTest::newRow("10") << 10 << 2;
    QTest::newRow("20") << 20 << 6;
    QTest::newRow("50") << 50 << 18;
    QTest::newRow("100") << 100 << 40;
}

void tst_Statistics::interval_hasTheRanksOfTheTables()
{
    QFETCH(int, count);
    QFETCH(int, rank);
    const Interval interval = medianInterval(upTo(count));
    QCOMPARE(interval.low, double(rank));
    QCOMPARE(interval.high, double(count + 1 - rank));
    QCOMPARE(interval.median, double(count + 1) / 2);
}

void tst_Statistics::interval_ofFewValuesIsTheirRange()
{
    const Interval interval = medianInterval({5, 1, 3});
    QCOMPARE(interval.low, 1.0);
    QCOMPARE(interval.median, 3.0);
    QCOMPARE(interval.high, 5.0);
}

void tst_Statistics::interval_ignoresOrderAndOutliers()
{
    Values values = upTo(100);
    std::reverse(values.begin(), values.end());
    values.front() = 1e9;
    const Interval interval = medianInterval(values);
    QCOMPARE(interval.low, 40.0);
    QCOMPARE(interval.high, 61.0);
}

void tst_Statistics::jain_goesFromOneToOneNth()
{
    QCOMPARE(jain({5, 5, 5, 5}), 1.0);
    QCOMPARE(jain({8, 0, 0, 0}), 0.25);
    QCOMPARE(jain({1, 2, 3}), 36.0 / 42.0);
    QCOMPARE(jain({0, 0}), 1.0);
}

void tst_Statistics::ratios_arePairwise()
{
    QCOMPARE(ratios({1, 9}, {2, 3}), (Values{0.5, 3}));
}

QTEST_GUILESS_MAIN(tst_Statistics)
#include "tst_statistics.moc"
