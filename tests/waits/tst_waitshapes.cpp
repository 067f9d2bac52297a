// SPDX-License-Identifier: MIT
// What kind of story a wait is, as real servers tell it.
#include "waits/waitshape.h"
#include "waitstest.h"

#include <QtTest/QTest>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::test;

class TestWaitShapes : public WaitsTest
{
    Q_OBJECT

private Q_SLOTS:
    void eachWaitHasItsShape_data();
    void eachWaitHasItsShape();
    void aRingThatTheServerDoesNotSeeIsADeadlock();

private:
    /// Of both, once the one waits for the other: their names.
    QStringList shapesOf(const ServerWaits &waits, const QList<quint64> &sessions) const;
};

void TestWaitShapes::eachWaitHasItsShape_data()
{
    QTest::addColumn<QByteArrayList>("holding");
    QTest::addColumn<QByteArray>("waiting");
    QTest::addColumn<QString>("shape");
    const auto row = [](const char *name, const QByteArrayList &holding, const QByteArray &waiting, WaitShape shape) {
        QTest::newRow(name) << holding << waiting << toString(shape);
    };
    const QByteArray update = "UPDATE shop.stock SET n = n + 1 WHERE id = 5";
    row("a row", {"BEGIN", update}, update, WaitShape::Row);
    const QByteArray repeatable = "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ"; // else no gap is locked
    row("the gap before the first", {repeatable, "BEGIN", "SELECT * FROM shop.stock WHERE id = 0 FOR UPDATE"},
        "INSERT INTO shop.stock(id, n) VALUES(0, 1)", WaitShape::Gap);
    row("behind the last", {repeatable, "BEGIN", "SELECT * FROM shop.stock WHERE id > 100 FOR UPDATE"},
        "INSERT INTO shop.stock(id, n) VALUES(200, 1)", WaitShape::Gap);
    row("a definition", {"BEGIN", "SELECT * FROM shop.stock"}, "ALTER TABLE shop.stock ADD COLUMN more INT",
        WaitShape::Metadata);
    row("LOCK TABLES", {"LOCK TABLES shop.stock WRITE"}, "SELECT * FROM shop.stock", WaitShape::Metadata);
    row("a name", {"DO GET_LOCK('shape', 0)"}, "DO GET_LOCK('shape', 60)", WaitShape::UserLock);
    row("a prepared transaction", {"XA START 'shape'", update, "XA END 'shape'", "XA PREPARE 'shape'"}, update,
        WaitShape::Prepared);
}

void TestWaitShapes::eachWaitHasItsShape()
{
    QFETCH(QByteArrayList, holding);
    QFETCH(QByteArray, waiting);
    QFETCH(QString, shape);
    Actor holder(*m_used);
    for (const QByteArray &sql : std::as_const(holding))
        QVERIFY2(holder.run(sql), sql);
    Actor waiter(*m_used);
    waiter.start(waiting);
    QList<quint64> told = {waiter.id()};
    if (shape != toString(WaitShape::Prepared)) // whose session holds nothing any more
        told.append(holder.id());
    // Sessions are read after the locks, so one look may know that somebody waits and not yet behind whom.
    const auto isWrong = [&shape](const QString &one) { return one != u"none" && one != shape; };
    QStringList found;
    lookUntil([&](const ServerWaits &now) {
        found = shapesOf(now, told);
        return !found.contains(u"none") || std::any_of(found.cbegin(), found.cend(), isWrong);
    });
    QCOMPARE(found, QStringList(told.size(), shape));
    for (const char *end : {"ROLLBACK", "UNLOCK TABLES", "DO RELEASE_ALL_LOCKS()", "XA ROLLBACK 'shape'"})
        holder.run(end);
    waiter.finish();
}

QStringList TestWaitShapes::shapesOf(const ServerWaits &waits, const QList<quint64> &sessions) const
{
    const WaitGraph graph = buildWaitGraph(waits, waits.clock.server);
    QStringList names;
    for (const quint64 session : sessions) {
        const auto shape = shapeOf(waits, graph, session);
        names += shape ? toString(*shape) : QStringLiteral("none");
    }
    return names;
}

void TestWaitShapes::aRingThatTheServerDoesNotSeeIsADeadlock()
{
    const QByteArray update = "UPDATE shop.stock SET n = n + 1 WHERE id = 5";
    Actor one(*m_used);
    QVERIFY(one.run("DO GET_LOCK('shape', 0)"));
    Actor two(*m_used);
    QVERIFY(two.run("BEGIN"));
    QVERIFY(two.run(update));
    one.start(update);
    two.start("DO GET_LOCK('shape', 60)");
    const QString deadlock = toString(WaitShape::Deadlock);
    QStringList found;
    lookUntil([&](const ServerWaits &now) {
        found = shapesOf(now, {one.id(), two.id()});
        return found.contains(deadlock);
    });
    QCOMPARE(found, QStringList({deadlock, deadlock}));
    m_observer->run("KILL QUERY " + QByteArray::number(two.id()));
    two.run("ROLLBACK");
    one.finish();
}

QTEST_GUILESS_MAIN(TestWaitShapes)
#include "tst_waitshapes.moc"
