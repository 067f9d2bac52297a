// SPDX-License-Identifier: MIT
// Who waits for rows where there are more of them than one look reads, and where the server does not tell for whom.
#include "waitstest.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;

namespace {

constexpr auto kWaitingState = "LOCK WAIT";

using Actors = std::vector<std::unique_ptr<Actor>>;

int waitingTransactions(const ServerWaits &waits)
{
    return int(std::count_if(waits.sessions.cbegin(), waits.sessions.cend(), [](const ServerSession &session) {
        return session.transaction && session.transaction->state == QLatin1String(kWaitingState);
    }));
}

} // namespace

class TestRowWaits : public WaitsTest
{
    Q_OBJECT

private Q_SLOTS:
    void everyWaiterOfALongQueueStandsBelowItsHolder();
    void theHolderIsFoundBehindMoreWaitersThanAreRead();
    void whoWaitsBeyondWhatIsReadIsNoRootOfADefinition();
    void whoWaitsUnseenIsStillSaidToWait_data();
    void whoWaitsUnseenIsStillSaidToWait();
    void aHolderWithTwoLocksBlocksOnce();
    void aReaderIsNotTakenForAnother();
    void ofSeveralReadersNoneIsPickedAtRandom();
    void theRowsOfAChosenTransactionAreListed_data();
    void theRowsOfAChosenTransactionAreListed();

private:
    Actors waitersFor(int row, int count);
    int waitingOnTheServer();
};

/// Sessions that all wait for this row by the time that they are returned.
Actors TestRowWaits::waitersFor(int row, int count)
{
    Actors waiters;
    const int before = waitingOnTheServer();
    for (int i = 0; i < count; ++i) {
        waiters.push_back(std::make_unique<Actor>(*m_used));
        waiters.back()->start("UPDATE shop.stock SET n = n + 1 WHERE id = " + QByteArray::number(row));
    }
    if (!eventually([&] { return waitingOnTheServer() == before + count; }))
        qFatal("Not all of them wait.");
    return waiters;
}

/// By a counter: InnoDB's tables tell nothing new to who asks often.
int TestRowWaits::waitingOnTheServer()
{
    const QByteArray schema = m_used->family() == Family::MariaDb ? "information_schema" : "performance_schema";
    return m_observer
        ->value("SELECT variable_value FROM " + schema
                + ".global_status WHERE variable_name = 'Innodb_row_lock_current_waits'")
        .toInt();
}

/// 300 waiters have 45,150 edges, which are more than a look reads.
void TestRowWaits::everyWaiterOfALongQueueStandsBelowItsHolder()
{
    constexpr int count = 300;
    Actor holder(*m_used);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = n + 1 WHERE id = 5"));
    const Actors waiters = waitersFor(5, count);
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return waitingTransactions(now) == count; });
    QVERIFY(statusOf(waits, WaitSource::RowWaits).isCut);
    for (const auto &waiter : waiters)
        QVERIFY(edgeOf(waits, *waiter, holder));
    QCOMPARE(waitersDrawnAsRoots(waits), QList<quint64>());
    const WaitGraph graph = buildWaitGraph(waits, waits.clock.server);
    QCOMPARE(graph.roots.size(), 1);
    QCOMPARE(graph.nodes[graph.roots.first()].session, holder.id());
    QCOMPARE(graph.nodes[graph.roots.first()].frees, count);
    QCOMPARE(graph.links.size(), count);
    holder.run("ROLLBACK");
}

/// Of eight waiters five are read: their holder must be there all the same, and who it waits for in turn.
void TestRowWaits::theHolderIsFoundBehindMoreWaitersThanAreRead()
{
    Actor first(*m_used);
    QVERIFY(first.run("BEGIN"));
    QVERIFY(first.run("UPDATE shop.stock SET n = n + 1 WHERE id = 1"));
    Actor holder(*m_used);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = n + 1 WHERE id = 5"));
    const Actors waiters = waitersFor(5, 8);
    const auto second = [this] { return m_observer->value("SELECT UNIX_TIMESTAMP()").toLongLong(); };
    const qint64 before = second();
    QVERIFY(eventually([&] { return second() > before; })); // it is to wait since later than they
    holder.start("UPDATE shop.stock SET n = n + 1 WHERE id = 1");
    QVERIFY(eventually([&] { return waitingOnTheServer() == 9; }));
    WaitOptions options;
    options.limit = 5;
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return waitingTransactions(now) >= 5; }, options);
    QVERIFY(statusOf(waits, WaitSource::Transactions).isCut);
    QVERIFY(edgeOf(waits, holder, first));
    QCOMPARE(waitersDrawnAsRoots(waits), QList<quint64>());
    const WaitGraph graph = buildWaitGraph(waits, waits.clock.server);
    QCOMPARE(graph.roots.size(), 1);
    QCOMPARE(graph.nodes[graph.roots.first()].session, first.id());
    QVERIFY(graph.nodes[graph.roots.first()].frees >= 5);
    QVERIFY(waits.session(first.id())->transaction);
    first.run("ROLLBACK");
    holder.run("ROLLBACK");
}

/// All of them hold the table's definition too, which an ALTER waits for.
void TestRowWaits::whoWaitsBeyondWhatIsReadIsNoRootOfADefinition()
{
    Actor holder(*m_used);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = n + 1 WHERE id = 5"));
    const Actors waiters = waitersFor(5, 12);
    Actor alter(*m_used);
    alter.start("ALTER TABLE shop.stock ADD COLUMN extra INT, ALGORITHM=COPY");
    WaitOptions options;
    options.limit = 6;
    const auto isBehindWaiters = [&](const ServerWaits &now) {
        return std::any_of(waiters.cbegin(), waiters.cend(),
                           [&](const auto &waiter) { return edgeOf(now, alter, *waiter).has_value(); });
    };
    const ServerWaits waits = lookUntil(isBehindWaiters, options);
    const WaitGraph graph = buildWaitGraph(waits, waits.clock.server);
    for (const auto &waiter : waiters) {
        const WaitNode *node = graph.nodeOf(waiter->id());
        QVERIFY(!node || node->parent >= 0 || node->isLost);
    }
    holder.run("ROLLBACK");
    for (const auto &waiter : waiters)
        waiter->finish();
}

void TestRowWaits::whoWaitsUnseenIsStillSaidToWait_data()
{
    QTest::addColumn<WaitSource>("off");
    QTest::addColumn<bool>("mayReadPerformanceSchema");

    QTest::newRow("the source is switched off") << WaitSource::RowWaits << true;
    QTest::newRow("the user may not read it") << WaitSource::Attributes << false;
}

void TestRowWaits::whoWaitsUnseenIsStillSaidToWait()
{
    QFETCH(WaitSource, off);
    QFETCH(bool, mayReadPerformanceSchema);
    Actor holder(*m_used);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = n + 1 WHERE id = 5"));
    const Actors waiters = waitersFor(5, 2);
    if (!mayReadPerformanceSchema)
        lookAs(userWith("watcher", {"PROCESS ON *.*"}));
    const bool isSeen = !mayReadPerformanceSchema && m_used->family() == Family::MariaDb; // InnoDB's own tables tell it
    WaitOptions options;
    options.off = {off};
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return waitingTransactions(now) == 2; }, options);
    QCOMPARE(waitersDrawnAsRoots(waits), QList<quint64>());
    for (const auto &waiter : waiters) {
        QCOMPARE(edgeOf(waits, *waiter, holder).has_value(), isSeen);
        const auto lost = lostOf(waits, *waiter);
        QCOMPARE(lost.has_value(), !isSeen);
        if (lost) {
            QCOMPARE(lost->kind, ServerLockKind::Record);
            QCOMPARE(lost->since, waits.session(waiter->id())->transaction->waitStarted);
            QVERIFY(lost->since);
        }
    }
    holder.run("ROLLBACK");
}

/// MySQL lists each of its locks that conflict.
void TestRowWaits::aHolderWithTwoLocksBlocksOnce()
{
    Actor holder(*m_used);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("SELECT * FROM shop.stock WHERE id = 5 LOCK IN SHARE MODE"));
    QVERIFY(holder.run("SELECT * FROM shop.stock WHERE id = 5 FOR UPDATE"));
    const Actors waiters = waitersFor(5, 1);
    const ServerWaits waits =
        lookUntil([&](const ServerWaits &now) { return edgeOf(now, *waiters.front(), holder).has_value(); });
    QCOMPARE(waits.edges.size(), 1);
    QVERIFY(holder.run("ROLLBACK"));
    QVERIFY(waiters.front()->finish());
}

/// MariaDB gives no number to transactions that changed nothing: their number is 0, all of them.
void TestRowWaits::aReaderIsNotTakenForAnother()
{
    Actor before(*m_used);
    Actor holder(*m_used);
    Actor after(*m_used);
    for (Actor *reader : {&before, &after}) {
        QVERIFY(reader->run("START TRANSACTION WITH CONSISTENT SNAPSHOT"));
        QVERIFY(reader->run("SELECT * FROM shop.stock"));
    }
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("SELECT * FROM shop.stock WHERE id = 5 LOCK IN SHARE MODE"));
    const Actors waiters = waitersFor(5, 1);
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return !now.edges.isEmpty(); });
    QCOMPARE(waits.edges.size(), 1);
    const auto edge = edgeOf(waits, *waiters[0], holder);
    QVERIFY(edge);
    QCOMPARE(edge->isInferred, m_used->family() == Family::MariaDb);
    holder.run("ROLLBACK");
}

void TestRowWaits::ofSeveralReadersNoneIsPickedAtRandom()
{
    Actor holder(*m_used);
    Actor other(*m_used);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("SELECT * FROM shop.stock WHERE id = 5 LOCK IN SHARE MODE"));
    QVERIFY(other.run("BEGIN"));
    QVERIFY(other.run("SELECT * FROM shop.stock WHERE id = 6 LOCK IN SHARE MODE"));
    Actor reading(*m_used); // has no number either, and waits itself
    const Actors writers = waitersFor(5, 1);
    reading.start("SELECT * FROM shop.stock WHERE id = 5 LOCK IN SHARE MODE");
    QVERIFY(eventually([&] { return waitingOnTheServer() == 2; }));
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return waitingTransactions(now) == 2; });
    QVERIFY(!edgeOf(waits, *writers[0], other));
    QVERIFY(edgeOf(waits, reading, *writers[0])); // it stands behind
    if (m_used->family() == Family::MySql) {
        QVERIFY(edgeOf(waits, *writers[0], holder));
        return;
    }
    QVERIFY(!edgeOf(waits, *writers[0], holder));
    QCOMPARE(waits.lost.size(), 1);
    QCOMPARE(waits.lost[0].session, writers[0]->id());
}

void TestRowWaits::theRowsOfAChosenTransactionAreListed_data()
{
    QTest::addColumn<int>("held");
    QTest::addColumn<int>("listed");

    QTest::newRow("a few") << 3 << 3;
    QTest::newRow("more than are listed") << 150 << int(RowLocks::MaxListed);
    QTest::newRow("more than are read") << 1100 << 0;
}

/// MariaDB lists none that nobody waits for.
void TestRowWaits::theRowsOfAChosenTransactionAreListed()
{
    QFETCH(int, held);
    QFETCH(int, listed);
    m_observer->run(
        "DROP TABLE IF EXISTS shop.many; CREATE TABLE shop.many (id INT PRIMARY KEY, n INT) ENGINE = InnoDB; "
        "INSERT INTO shop.many WITH digits AS (SELECT 0 AS d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 "
        "UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9) "
        "SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d, 0 FROM digits AS a, digits AS b, digits AS c, "
        "digits AS e WHERE e.d < 2");
    Actor holder(*m_used);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.many SET n = 1 WHERE id < " + QByteArray::number(held)));
    Actor other(*m_used);
    QVERIFY(other.run("BEGIN"));
    QVERIFY(other.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    WaitOptions options;
    options.rowsOf = {holder.id()};
    const ServerWaits waits =
        lookUntil([&](const ServerWaits &now) { return now.session(holder.id()) && now.session(other.id()); }, options);
    const RowLocks rows = waits.rows.value(holder.id());
    const bool tells = m_used->family() == Family::MySql;
    QCOMPARE(rows.locks.size(), tells ? listed : 0);
    QCOMPARE(rows.isCut, tells && listed == RowLocks::MaxListed);
    QVERIFY(!waits.rows.contains(other.id()));
    QStringList names;
    for (const ServerLock &lock : rows.locks)
        names += lock.object.toString();
    QCOMPARE(names.contains(QStringLiteral("shop.many PRIMARY (2)")), tells && listed > 0);
}

QTEST_GUILESS_MAIN(TestRowWaits)
#include "tst_rowwaits.moc"
