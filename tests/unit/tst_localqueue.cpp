// The line of a process's own requests: the first in it must be the one that the server grants first.
#include "engine/localqueue_p.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::detail;

class TestLocalQueue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ticketsAreServedInTheirOrder();
    void whoIsTheHeirAtOnceComesBehindThoseWithTickets();
    void whoHasNoPlaceWaitsForNobody();

private:
    std::shared_ptr<WaitControl> control()
    {
        return std::make_shared<WaitControl>(m_lane, WaitControl::Clock::time_point::max());
    }

    Lane m_lane{SessionTarget{}};
    LocalQueue m_queue;
};

void TestLocalQueue::ticketsAreServedInTheirOrder()
{
    LocalQueue::Place late(m_queue, "a", control());
    LocalQueue::Place early(m_queue, "a", control());
    LocalQueue::Place other(m_queue, "b", control());
    late.setTicket(8);
    early.setTicket(7); // found late, after a lost answer
    other.setTicket(9);
    QVERIFY(early.isFirst());
    QVERIFY(!late.isFirst());
    QVERIFY(other.isFirst());
}

void TestLocalQueue::whoIsTheHeirAtOnceComesBehindThoseWithTickets()
{
    auto holder = std::make_unique<LocalQueue::Place>(m_queue, "a", control());
    LocalQueue::Place second(m_queue, "a", control());
    LocalQueue::Place third(m_queue, "a", control());
    holder->setTicket(0);
    second.setTicket(7);
    holder.reset(); // it was granted, and has released to the second, who does not know it yet: nobody is the heir
    third.setTicket(0);
    QVERIFY(second.isFirst());
    QVERIFY(!third.isFirst());
}

void TestLocalQueue::whoHasNoPlaceWaitsForNobody()
{
    LocalQueue::Place first(m_queue, "a", control());
    const LocalQueue::Place none(m_queue, "a", control());
    first.setTicket(1);
    QVERIFY(none.isFirst());
    QVERIFY(!none.isIn());
}

QTEST_GUILESS_MAIN(TestLocalQueue)
#include "tst_localqueue.moc"
