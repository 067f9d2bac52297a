// SPDX-License-Identifier: MIT
// Lengths of time as people read them.
#include "console/duration.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace std::chrono_literals;

class TestDuration : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isReadable_data();
    void isReadable();
    void neverShowsMoreThanIsLeft();
};

void TestDuration::isReadable_data()
{
    QTest::addColumn<qint64>("us");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("coarse");
    const auto row = [](Microseconds time, const char *text, const char *coarse) {
        QTest::addRow("%s, from %lld", text, static_cast<long long>(time.count()))
            << qint64(time.count()) << QString::fromUtf8(text) << QString::fromUtf8(coarse);
    };
    row(0us, "0 s", "0 s");
    row(450us, "450 µs", "450 µs");
    row(2340us, "2.3 ms", "2.3 ms");
    row(45ms, "45 ms", "45 ms");
    row(400ms, "0.4 s", "0.4 s");
    row(3290ms, "3.2 s", "3.2 s");
    row(26s, "26 s", "26 s");
    row(59999ms, "59 s", "59 s");
    row(1min, "1 min", "1 min");
    row(3min + 10s, "3 min 10 s", "3 min");
    row(2h + 5min + 59s, "2 h 5 min", "2 h");
    row(2h, "2 h", "2 h");
    row(28h, "1 d 4 h", "1 d");
    row(80h, "3 d", "3 d");
    row(24h * 400, "400 d", "400 d");
    row(-26s, "26 s", "26 s");
}

void TestDuration::isReadable()
{
    QFETCH(qint64, us);
    QTEST(formatDuration(Microseconds(us)), "text");
    QTEST(formatCoarseDuration(Microseconds(us)), "coarse");
}

void TestDuration::neverShowsMoreThanIsLeft()
{
    QCOMPARE(formatDuration(999'999us), QStringLiteral("0.9 s"));
    QCOMPARE(formatDuration(2min - 1us), QStringLiteral("1 min 59 s"));
}

QTEST_GUILESS_MAIN(TestDuration)
#include "tst_duration.moc"
