// SPDX-License-Identifier: MIT
// Who blocks where the performance schema tells only a weaker lock, or none.
#include "waitstest.h"

#include <QtCore/QScopeGuard>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;

class TestHiddenHolders : public WaitsTest
{
    Q_OBJECT

private Q_SLOTS:
    void lockTablesForReadingBlocksWriters_data();
    void lockTablesForReadingBlocksWriters();
    void aRunningAlterBlocksWriters();
    void aStageOfABackupBlocksChangesAndCommits_data();
    void aStageOfABackupBlocksChangesAndCommits();
    void whoOnlyQueuesBehindAnAlterHasNoFurtherBlocker();
    void nobodyIsNamedForWhoIsNotSeen();
    void theSourceSaysThatItInfers();
    void aLongSelectHoldsUpAGlobalReadLock();
    void aLongSelectHoldsUpTheFlushOfItsTableAlone();

private:
    bool isMySql() const { return m_used->family() == Family::MySql; }
    void verifyInferred(const Actor &waiter, const Actor &blocker);
};

void TestHiddenHolders::verifyInferred(const Actor &waiter, const Actor &blocker)
{
    const ServerWaits waits =
        lookUntil([&](const ServerWaits &now) { return edgeOf(now, waiter, blocker).has_value(); });
    const auto edge = edgeOf(waits, waiter, blocker);
    QVERIFY(edge);
    QCOMPARE(edge->isInferred, !isMySql());
    QVERIFY(edge->since);
    QVERIFY(!lostOf(waits, waiter));
}

void TestHiddenHolders::lockTablesForReadingBlocksWriters_data()
{
    QTest::addColumn<QByteArray>("then");
    QTest::newRow("its statement tells it") << QByteArray();
    QTest::newRow("another statement since") << QByteArray("SELECT COUNT(*) FROM shop.stock");
}

void TestHiddenHolders::lockTablesForReadingBlocksWriters()
{
    QFETCH(QByteArray, then);
    Actor reading(*m_used); // an innocent one
    QVERIFY(reading.run("BEGIN"));
    QVERIFY(reading.run("SELECT * FROM shop.stock"));
    Actor holder(*m_used);
    QVERIFY(holder.run("LOCK TABLES shop.stock READ"));
    if (!then.isEmpty())
        QVERIFY(holder.run(then));
    Actor writer(*m_used);
    writer.start("INSERT INTO shop.stock VALUES (77, 7)");
    verifyInferred(writer, holder);
    QVERIFY(!edgeOf(look(), writer, reading));
}

/// It copies for as long as it waits for a row of a transaction that has left its metadata lock.
void TestHiddenHolders::aRunningAlterBlocksWriters()
{
    if (isMySql())
        QSKIP("MySQL tells the mode that a lock has.");
    auto owner = std::make_unique<Actor>(*m_used);
    for (const char *sql :
         {"XA START 'row'", "UPDATE shop.stock SET n = 1 WHERE id = 5", "XA END 'row'", "XA PREPARE 'row'"})
        QVERIFY(owner->run(sql));
    const QByteArray ofOwner =
        "SELECT COUNT(*) FROM information_schema.processlist WHERE id = " + QByteArray::number(owner->id());
    owner.reset();
    const auto end = qScopeGuard([this] { m_observer->run("XA ROLLBACK 'row'"); });
    // It leaves the list once its transaction has none. innodb_trx would stay as it was while it is asked that often.
    QVERIFY(eventually([&] { return m_observer->value(ofOwner).toInt() == 0; }));
    Actor alter(*m_used);
    alter.start("ALTER TABLE shop.stock FORCE, ALGORITHM=COPY");
    lookUntil([&](const ServerWaits &now) {
        return std::any_of(now.edges.cbegin(), now.edges.cend(),
                           [&](const WaitEdge &edge) { return edge.waiter == alter.id(); });
    });
    Actor writer(*m_used);
    writer.start("UPDATE shop.stock SET n = 2 WHERE id = 1");
    Actor second(*m_used);
    second.start("INSERT INTO shop.stock VALUES (77, 7)");
    verifyInferred(writer, alter);
    verifyInferred(second, alter);
    const ServerWaits waits = look();
    const WaitGraph graph = buildWaitGraph(waits, waits.clock.server);
    QCOMPARE(graph.roots.size(), 1);
    QVERIFY(isPreparedNumber(graph.nodes[graph.roots.first()].session));
}

void TestHiddenHolders::aStageOfABackupBlocksChangesAndCommits_data()
{
    QTest::addColumn<QByteArray>("stage");
    QTest::addColumn<QByteArray>("blocked");
    QTest::newRow("definitions") << QByteArray("BLOCK_DDL") << QByteArray("ALTER TABLE shop.stock COMMENT = 'x'");
    QTest::newRow("commits") << QByteArray("BLOCK_COMMIT") << QByteArray("UPDATE shop.stock SET n = 2 WHERE id = 1");
}

void TestHiddenHolders::aStageOfABackupBlocksChangesAndCommits()
{
    if (isMySql())
        QSKIP("MySQL has no such stages.");
    QFETCH(QByteArray, stage);
    QFETCH(QByteArray, blocked);
    Actor holder(*m_used);
    QVERIFY(holder.run("BACKUP STAGE START"));
    QVERIFY(holder.run("BACKUP STAGE " + stage));
    Actor writer(*m_used);
    writer.start(blocked);
    const ServerWaits waits =
        lookUntil([&](const ServerWaits &now) { return edgeOf(now, writer, holder).has_value(); });
    QVERIFY(edgeOf(waits, writer, holder));
    QVERIFY(holder.run("BACKUP STAGE END"));
}

void TestHiddenHolders::whoOnlyQueuesBehindAnAlterHasNoFurtherBlocker()
{
    Actor holder(*m_used);
    QVERIFY(holder.run("LOCK TABLES shop.stock READ"));
    Actor alter(*m_used);
    alter.start("ALTER TABLE shop.stock FORCE, ALGORITHM=COPY");
    lookUntil([&](const ServerWaits &now) { return edgeOf(now, alter, holder).has_value(); });
    Actor reader(*m_used);
    reader.start("SELECT * FROM shop.stock");
    Actor writer(*m_used);
    writer.start("UPDATE shop.stock SET n = 2 WHERE id = 1");
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        return edgeOf(now, reader, alter).has_value() && edgeOf(now, writer, alter).has_value();
    });
    QVERIFY(!edgeOf(waits, reader, holder));
    QVERIFY(edgeOf(waits, writer, holder)); // both hold it up
}

void TestHiddenHolders::nobodyIsNamedForWhoIsNotSeen()
{
    if (isMySql())
        QSKIP("MySQL lists them from its start.");
    Actor owner(*m_used);
    const QByteArray set = "WHERE name = 'wait/lock/metadata/sql/mdl'";
    QVERIFY(owner.run("UPDATE performance_schema.setup_instruments SET enabled = 'NO' " + set));
    Actor unseen(*m_used);
    QVERIFY(unseen.run("LOCK TABLES shop.stock READ"));
    QVERIFY(owner.run("UPDATE performance_schema.setup_instruments SET enabled = 'YES' " + set));
    Actor reading(*m_used);
    QVERIFY(reading.run("BEGIN"));
    QVERIFY(reading.run("SELECT * FROM shop.stock"));
    Actor writer(*m_used);
    writer.start("UPDATE shop.stock SET n = 2 WHERE id = 1");
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        return edgeOf(now, writer, reading).has_value() || lostOf(now, writer).has_value();
    });
    QVERIFY(!edgeOf(waits, writer, reading));
    QVERIFY(unseen.run("UNLOCK TABLES"));
    QVERIFY(writer.finish());
}

void TestHiddenHolders::theSourceSaysThatItInfers()
{
    const SourceStatus status = statusOf(look(), WaitSource::Metadata);
    QCOMPARE(status.state, isMySql() ? SourceStatus::State::Complete : SourceStatus::State::Partial);
    QCOMPARE(status.reason.isEmpty(), isMySql());
}

void TestHiddenHolders::aLongSelectHoldsUpAGlobalReadLock()
{
    if (!isMySql())
        QSKIP("MariaDB does not wait for it.");
    Actor idle(*m_used); // has closed it again
    QVERIFY(idle.run("BEGIN"));
    QVERIFY(idle.run("SELECT * FROM shop.stock"));
    Actor select(*m_used);
    select.start("SELECT SLEEP(600) FROM shop.stock LIMIT 1");
    QVERIFY(seenAsleep(select));
    Actor flush(*m_used);
    flush.start("FLUSH TABLES WITH READ LOCK");
    lookUntilBlocked(flush, select);
    Actor writer(*m_used);
    writer.start("UPDATE shop.stock SET n = 2 WHERE id = 1");
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        return edgeOf(now, flush, select).has_value() && edgeOf(now, writer, flush).has_value();
    });
    const auto edge = edgeOf(waits, flush, select);
    QVERIFY(edge && edge->isInferred);
    QCOMPARE(edge->object.toString(), QStringLiteral("shop.stock"));
    QVERIFY(!edgeOf(waits, flush, idle));
    const WaitGraph graph = buildWaitGraph(waits, waits.clock.server);
    QCOMPARE(graph.roots.size(), 1);
    QCOMPARE(graph.nodes[graph.roots.first()].session, select.id());
}

void TestHiddenHolders::aLongSelectHoldsUpTheFlushOfItsTableAlone()
{
    if (!isMySql())
        QSKIP("MariaDB does not wait for it.");
    m_observer->run("CREATE TABLE shop.other (id INT PRIMARY KEY)");
    m_observer->run("INSERT INTO shop.other VALUES (1)");
    Actor select(*m_used);
    select.start("SELECT SLEEP(600) FROM shop.stock LIMIT 1");
    Actor another(*m_used);
    another.start("SELECT SLEEP(600) FROM shop.other LIMIT 1");
    QVERIFY(seenAsleep(select) && seenAsleep(another));
    Actor flush(*m_used);
    flush.start("FLUSH TABLES shop.stock WITH READ LOCK");
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) { return edgeOf(now, flush, select).has_value(); });
    QVERIFY(edgeOf(waits, flush, select));
    QVERIFY(!edgeOf(waits, flush, another));
}

QTEST_GUILESS_MAIN(TestHiddenHolders)
#include "tst_hiddenholders.moc"
