// SPDX-License-Identifier: MIT
// A line keeps its looks when it is cut to the pixels there are.
#include "strict.h"

#include "ui/charts/downsample.h"

#include <QtTest/QTest>

#include <random>

using namespace lockscope::test;
using namespace lockscope::ui;

namespace {

QList<QPointF> noise(int count)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<double> height(0, 1);
    QList<QPointF> points;
    for (int i = 0; i < count; ++i)
        points.append({double(i), height(random)});
    return points;
}

} // namespace

class TestDownsample : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }
    void twoPointsOfAColumnStay();
    void lowestAndHighestOfEachColumnStay();
    void fewPointsStayAsTheyAre();
    void oneNeighbourOnEitherSideStays();
    void nothingAndOnePointAreNoTrouble();
    void farNeighboursAreNotConnected();
    void theSmallestHolesCloseWhenThereAreTooMany();
};

void TestDownsample::twoPointsOfAColumnStay()
{
    const auto cut = downsample(noise(17'280), 0, 17'280, 640);
    QVERIFY(cut.size() <= 1280);
    QVERIFY(std::is_sorted(cut.begin(), cut.end(), [](auto &a, auto &b) { return a.x() < b.x(); }));
}

void TestDownsample::lowestAndHighestOfEachColumnStay()
{
    const auto points = noise(1000);
    const auto cut = downsample(points, 0, 1000, 10);
    for (int column = 0; column < 10; ++column) {
        const auto first = points.begin() + 100 * qsizetype(column);
        const auto byHeight = [](const QPointF &a, const QPointF &b) { return a.y() < b.y(); };
        QVERIFY(cut.contains(*std::min_element(first, first + 100, byHeight)));
        QVERIFY(cut.contains(*std::max_element(first, first + 100, byHeight)));
    }
}

void TestDownsample::fewPointsStayAsTheyAre()
{
    const auto points = noise(10);
    QCOMPARE(downsample(points, 0, 10, 640), points);
}

void TestDownsample::oneNeighbourOnEitherSideStays()
{
    const auto cut = downsample(noise(100), 40, 60, 640);
    QCOMPARE(cut.first().x(), 39.0);
    QCOMPARE(cut.last().x(), 60.0);
}

void TestDownsample::nothingAndOnePointAreNoTrouble()
{
    QVERIFY(downsample({}, 0, 10, 640).isEmpty());
    QVERIFY(splitAtGaps({}, 1, 10).isEmpty());
    const QList<QPointF> one{{5, 1}};
    QCOMPARE(downsample(one, 0, 10, 640), one);
    QCOMPARE(downsample(one, 0, 10, 0), one);
    QCOMPARE(splitAtGaps(one, 1, 10), QList<QList<QPointF>>{one});
}

void TestDownsample::farNeighboursAreNotConnected()
{
    const auto parts = splitAtGaps({{0, 1}, {1, 1}, {5, 1}, {6, 1}, {9, 1}}, 2, 10);
    QCOMPARE(parts.size(), 3);
    QCOMPARE(parts[0].size(), 2);
    QCOMPARE(parts[2].first().x(), 9.0);
}

void TestDownsample::theSmallestHolesCloseWhenThereAreTooMany()
{
    const auto parts = splitAtGaps({{0, 1}, {10, 1}, {30, 1}, {60, 1}, {100, 1}}, 1, 3);
    QCOMPARE(parts.size(), 3);
    QCOMPARE(parts[0].size(), 3);
}

QTEST_GUILESS_MAIN(TestDownsample)
#include "tst_downsample.moc"
