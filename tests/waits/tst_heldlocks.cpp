// SPDX-License-Identifier: MIT
// What is held, one by one: a transaction may hold up different people at different rows.
#include "waitparts.h"
#include "waits/heldlocks.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace std::chrono_literals;

namespace {

ServerObject definition()
{
    ServerObject object;
    object.kind = ServerLockKind::Metadata;
    object.scope = QStringLiteral("TABLE");
    object.schema = QStringLiteral("shop");
    object.name = "stock";
    return object;
}

ServerWaits of(const QList<WaitEdge> &edges)
{
    ServerWaits waits;
    waits.edges = edges;
    ServerSession holder;
    holder.id = 1;
    holder.transaction = Transaction{421, QStringLiteral("RUNNING"), kNow - 5min, {}, 3, 1};
    waits.sessions.insert(1, holder);
    return waits;
}

/// "shop.stock PRIMARY (5): 2 3", …
QStringList textsOf(const ServerWaits &waits)
{
    QStringList texts;
    for (const HeldLock &held : heldLocks(waits)) {
        QStringList waiters;
        for (const WaitEdge &one : held.queue)
            waiters += QString::number(one.waiter);
        const QString name = held.lock.object == ServerObject() ? QStringLiteral("rows") : held.lock.object.toString();
        texts += name + QStringLiteral(": ") + waiters.join(u' ');
    }
    return texts;
}

} // namespace

class TestHeldLocks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachRowThatSomebodyWaitsForIsALock();
    void aTransactionThatNobodyWaitsForIsOne();
    void whoStandsBehindAWaiterIsInTheQueue();
    void theLockThatIsWaitedForLongestComesFirst();
};

void TestHeldLocks::eachRowThatSomebodyWaitsForIsALock()
{
    const ServerWaits waits =
        of({edge(2, 1, row("7"), 20s), edge(3, 1, row("9"), 10s), edge(4, 1, row("9"), 5s), edge(4, 3, row("9"), 5s)});
    QCOMPARE(textsOf(waits),
             QStringList({QStringLiteral("shop.stock PRIMARY (7): 2"), QStringLiteral("shop.stock PRIMARY (9): 3 4")}));
}

void TestHeldLocks::aTransactionThatNobodyWaitsForIsOne()
{
    QCOMPARE(textsOf(of({})), QStringList(QStringLiteral("rows: ")));
}

/// A reader goes with the holder of a definition; what it waits behind is the ALTER.
void TestHeldLocks::whoStandsBehindAWaiterIsInTheQueue()
{
    ServerWaits waits =
        of({edge(2, 1, definition(), 20s), edge(3, 2, definition(), 10s), edge(4, 2, definition(), 5s)});
    waits.locks.append({definition(), QStringLiteral("SHARED_READ"), true, 1, {}});
    QCOMPARE(textsOf(waits), QStringList({QStringLiteral("rows: "), QStringLiteral("shop.stock: 2 3 4")}));
}

void TestHeldLocks::theLockThatIsWaitedForLongestComesFirst()
{
    const auto wanted =
        wantedLocks(of({edge(2, 1, row("9"), 10s), edge(3, 1, row("7"), 20s), edge(4, 1, row("9"), 5s)}));
    QCOMPARE(wanted.value(1), QList<ServerObject>({row("7"), row("9")}));
    QVERIFY(!wanted.contains(2));
}

QTEST_GUILESS_MAIN(TestHeldLocks)
#include "tst_heldlocks.moc"
