// SPDX-License-Identifier: MIT
// What a request makes of what it reads of a lease and its queue.
#include "engine/unique/leaseview_p.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::detail;
using namespace std::chrono_literals;

class TestLeaseView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void newcomersLeaveTheFirstItsTime_data();
    void newcomersLeaveTheFirstItsTime();
    void whatIsNoLineOfAQueueIsLeftOut();
};

void TestLeaseView::newcomersLeaveTheFirstItsTime_data()
{
    QTest::addColumn<Duration>("endedAgo");
    QTest::addColumn<Duration>("joinedAgo"); // Forever: nobody waits
    QTest::addColumn<bool>("isFree");
    QTest::newRow("nobody waits") << Duration(1ms) << Forever << true;
    QTest::newRow("who waited before the end has 2 s") << Duration(1900ms) << Duration(1h) << false;
    QTest::newRow("… and not more") << Duration(2100ms) << Duration(1h) << true;
    QTest::newRow("who came after it may leave a holder half a TTL") << Duration(50s) << Duration(20s) << false;
    QTest::newRow("… and 2 s") << Duration(50s) << Duration(31s) << false;
    QTest::newRow("… and not more, either") << Duration(50s) << Duration(33s) << true;
}

void TestLeaseView::newcomersLeaveTheFirstItsTime()
{
    QFETCH(Duration, endedAgo);
    QFETCH(Duration, joinedAgo);
    QFETCH(bool, isFree);
    constexpr qint64 clock = 800'000'000'000'000; // since 2000
    constexpr qint64 since1970 = clock + 946'684'800'000'000;
    LeaseView view;
    view.exists = true;
    view.presence = "ls:holder:1";
    view.ttl = 1min;
    view.remaining = -endedAgo;
    view.clock = clock;
    if (joinedAgo != Forever)
        view.queue.push_back({"ls:first:1", 1, 1min, since1970 - joinedAgo.count(), {}, {}, {}});
    QCOMPARE(view.isFreeForNewcomers(), isFree);
}

void TestLeaseView::whatIsNoLineOfAQueueIsLeftOut()
{
    const QByteArray stored = "a\t1\t500\t7\t6869\t{}\nb\t2\t\t8\t\t{}\nc\t3\n";
    QCOMPARE(queueNames(stored), (QByteArrayList{"a", "b"}));
    const auto queue = parseQueue(stored);
    QCOMPARE(queue.size(), std::size_t(2));
    QCOMPARE(queue[0].name, "a");
    QCOMPARE(queue[0].ttl, Duration(500));
    QCOMPARE(queue[0].note, "hi");
    QCOMPARE(queue[1].arrival, quint64(2));
    QCOMPARE(queue[1].ttl, Forever);
    QCOMPARE(queue[1].since, 8);
    QCOMPARE(queue[1].line, "b\t2\t\t8\t\t{}\n");
}

QTEST_APPLESS_MAIN(TestLeaseView)
#include "tst_leaseview.moc"
