// SPDX-License-Identifier: MIT
// What kind of story a wait is: of the waiter, of who blocks, of a ring, and of what no session stands for.
#include "waitparts.h"
#include "waits/waitgraph.h"
#include "waits/waitshape.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

ServerObject of(ServerLockKind kind)
{
    ServerObject object;
    object.kind = kind;
    object.name = "stock";
    return object;
}

/// Its name; "none".
QString shapeIn(const ServerWaits &waits, quint64 session)
{
    const auto shape = shapeOf(waits, buildWaitGraph(waits, kNow), session);
    return shape ? toString(*shape) : u"none"_s;
}

} // namespace

class TestWaitShape : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aWaitIsOfWhatIsLocked_data();
    void aWaitIsOfWhatIsLocked();
    void aRingIsADeadlockForAllInIt();
    void aPreparedTransactionIsTheStory();
    void whoBlocksTellsTheLongestWait();
    void aLostWaiterHasAShapeToo();
    void namesAreReadBack();
};

void TestWaitShape::aWaitIsOfWhatIsLocked_data()
{
    QTest::addColumn<ServerObject>("object");
    QTest::addColumn<QString>("shape");
    ServerObject gap = row("20");
    gap.isGap = true;
    QTest::newRow("a row") << row("5") << u"row wait"_s;
    QTest::newRow("the gap before it") << gap << u"gap wait"_s;
    QTest::newRow("the end of an index") << row(ServerObject::EndOfIndex) << u"gap wait"_s;
    QTest::newRow("a table") << of(ServerLockKind::Table) << u"table wait"_s;
    QTest::newRow("a definition") << of(ServerLockKind::Metadata) << u"metadata wait"_s;
    QTest::newRow("a name") << of(ServerLockKind::User) << u"user lock wait"_s;
}

void TestWaitShape::aWaitIsOfWhatIsLocked()
{
    QFETCH(ServerObject, object);
    QFETCH(QString, shape);
    ServerWaits waits;
    waits.edges = {edge(2, 1, object)};
    QCOMPARE(shapeIn(waits, 2), shape);
    QCOMPARE(shapeIn(waits, 1), shape); // who holds it up
    QCOMPARE(shapeIn(waits, 3), u"none"_s);
}

void TestWaitShape::aRingIsADeadlockForAllInIt()
{
    ServerWaits waits;
    waits.edges = {edge(1, 2, row("5")), edge(2, 1, of(ServerLockKind::User)), edge(3, 1, row("6"))};
    QCOMPARE(shapeIn(waits, 1), u"deadlock"_s);
    QCOMPARE(shapeIn(waits, 2), u"deadlock"_s);
    QCOMPARE(shapeIn(waits, 3), u"row wait"_s); // which only stands behind it
}

void TestWaitShape::aPreparedTransactionIsTheStory()
{
    const quint64 prepared = preparedNumber(7);
    ServerWaits waits;
    waits.edges = {edge(3, 2, row("5")), edge(2, prepared, row("5")), edge(3, prepared, row("5"))};
    QCOMPARE(shapeIn(waits, 2), u"prepared transaction"_s);
    QCOMPARE(shapeIn(waits, 3), u"prepared transaction"_s); // behind another waiter too
    QCOMPARE(shapeIn(waits, prepared), u"prepared transaction"_s);
}

void TestWaitShape::whoBlocksTellsTheLongestWait()
{
    ServerWaits waits;
    waits.edges = {edge(2, 1, row("5"), 3s), edge(3, 1, of(ServerLockKind::Metadata), 20s), edge(4, 1, row("6"), 1s)};
    QCOMPARE(shapeIn(waits, 1), u"metadata wait"_s);
    waits.edges[1].since.reset(); // not told: after those that are
    QCOMPARE(shapeIn(waits, 1), u"row wait"_s);
}

void TestWaitShape::aLostWaiterHasAShapeToo()
{
    ServerWaits waits;
    waits.lost = {{2, ServerLockKind::Metadata, kNow - 5s}, {3, ServerLockKind::Record, kNow - 5s, true}};
    QCOMPARE(shapeIn(waits, 2), u"metadata wait"_s);
    QCOMPARE(shapeIn(waits, 3), u"prepared transaction"_s);
}

void TestWaitShape::namesAreReadBack()
{
    QCOMPARE(waitShapes().size(), 7);
    for (const QString &name : waitShapes())
        QCOMPARE(toString(*waitShape(name)), name);
    QVERIFY(!waitShape(u"wait"_s));
}

QTEST_GUILESS_MAIN(TestWaitShape)
#include "tst_waitshape.moc"
