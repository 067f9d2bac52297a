// SPDX-License-Identifier: MIT
// The line of a process's own requests: the first in it must be the one that the server grants first.
#include "engine/mysql/localqueue_p.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::detail;

class TestLocalQueue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void requestsAreServedInTheOrderOfTheirArrival();
    void whoHasNoPlaceWaitsForNobody();
    void othersOfTheResourceAreCalledWhenTheyAreConcerned();

private:
    std::shared_ptr<WaitControl> control()
    {
        return std::make_shared<WaitControl>(m_lane, WaitControl::Clock::time_point::max());
    }

    ConnectionThread m_lane{SessionTarget{}};
    LocalQueue m_queue;
};

void TestLocalQueue::requestsAreServedInTheOrderOfTheirArrival()
{
    LocalQueue::Place late(m_queue, "a", control());
    LocalQueue::Place early(m_queue, "a", control());
    LocalQueue::Place other(m_queue, "b", control());
    late.enter(8, "late");
    early.enter(7, "early"); // found late, after a lost answer
    other.enter(9, "other");
    QVERIFY(early.isFirst());
    QVERIFY(!late.isFirst());
    QVERIFY(other.isFirst());
    QCOMPARE(late.nameBefore(), QByteArray("early"));
    QVERIFY(early.nameBefore().isEmpty());
}

void TestLocalQueue::whoHasNoPlaceWaitsForNobody()
{
    LocalQueue::Place first(m_queue, "a", control());
    const LocalQueue::Place none(m_queue, "a", control());
    first.enter(1, "first");
    QVERIFY(none.isFirst());
}

void TestLocalQueue::othersOfTheResourceAreCalledWhenTheyAreConcerned()
{
    const auto knowing = control();
    const auto concerned = control();
    const auto unconcerned = control();
    const auto distant = control();
    LocalQueue::Place first(m_queue, "a", knowing);
    LocalQueue::Place second(m_queue, "a", concerned);
    LocalQueue::Place third(m_queue, "a", unconcerned);
    LocalQueue::Place elsewhere(m_queue, "b", distant);
    first.enter(1, "first");
    second.enter(2, "second");
    third.enter(3, "third");
    elsewhere.enter(4, "second");
    first.callConcerned([](const QByteArray &name) { return name != "third"; });
    QVERIFY(!knowing->isCalled());
    QVERIFY(concerned->isCalled());
    QVERIFY(!unconcerned->isCalled());
    QVERIFY(!distant->isCalled());
    concerned->answerCall();
    QVERIFY(!concerned->isCalled());
}

QTEST_GUILESS_MAIN(TestLocalQueue)
#include "tst_localqueue.moc"
