// SPDX-License-Identifier: MIT
// Optimistic mode when connections break: a commit is never lost, doubled or guessed.
#include "optimisticfixture.h"
#include "session/validation_p.h"

#include <algorithm>
#include <atomic>

using namespace lockscope;
using namespace lockscope::test;
using Kind = LockError::Kind;

namespace {

/// A commit whose connection is killed while it waits for the table, which others change before it can ask.
class LostAnswer
{
public:
    LostAnswer(const TestServer &server, const QByteArray &table)
        : m_blocker(server)
        , m_observer(server)
        , m_table(table)
    {
        m_blocker.run("LOCK TABLES " + table + " WRITE");
    }

    /// The statement that waits, and its end.
    QByteArray killCommit()
    {
        QVariantList found;
        const bool isThere = eventually([&] {
            found = m_observer
                        .rows("SELECT id, info FROM information_schema.processlist WHERE info LIKE 'UPDATE%" + m_table
                              + "%' AND id <> CONNECTION_ID()")
                        .value(0);
            return !found.isEmpty();
        });
        if (!isThere)
            qFatal("no commit is waiting");
        m_observer.run("KILL " + found[0].toByteArray());
        return found[1].toByteArray();
    }
    void change(const QByteArray &sql) { m_blocker.run(sql); }
    void goOn() { m_blocker.run("UNLOCK TABLES"); }

private:
    Observer m_blocker;
    Observer m_observer;
    const QByteArray m_table;
};

} // namespace

class TestOptimisticFaults : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        EngineTest::init();
        makeStock(*m_observer);
    }

    void aLostAnswerIsAskedFor_data();
    void aLostAnswerIsAskedFor();
    void aLostAnswerOfAnApplicationsTableIsNotGuessed_data();
    void aLostAnswerOfAnApplicationsTableIsNotGuessed();
    void killedConnectionsNeitherLoseNorDouble_data();
    void killedConnectionsNeitherLoseNorDouble();
    void aConnectionClosedWhileIdleIsNoError_data();
    void aConnectionClosedWhileIdleIsNoError();
    void aLockedRowIsWaitedFor();

private:
    QList<quint64> engineConnections();
};

QList<quint64> TestOptimisticFaults::engineConnections()
{
    QList<quint64> ids;
    const auto rows = m_observer->rows("SELECT id FROM information_schema.processlist "
                                       "WHERE id <> CONNECTION_ID() AND db = 'lockscope' AND command <> 'Daemon'");
    for (const QVariantList &row : rows)
        ids += row.value(0).toULongLong();
    return ids;
}

void TestOptimisticFaults::aLostAnswerIsAskedFor_data()
{
    QTest::addColumn<bool>("isDone");
    QTest::addColumn<int>("others");
    QTest::addColumn<CommitOutcome>("outcome");
    QTest::newRow("not done: sent once more") << false << 0 << CommitOutcome::Committed;
    QTest::newRow("done") << true << 0 << CommitOutcome::Committed;
    QTest::newRow("done, and another since") << true << 1 << CommitOutcome::Committed;
    QTest::newRow("done, and 31 others since") << true << 31 << CommitOutcome::Committed;
    QTest::newRow("done, and more since than are remembered") << true << 32 << CommitOutcome::Unknown;
    QTest::newRow("another was first") << false << 1 << CommitOutcome::Conflict;
    QTest::newRow("32 others were first") << false << 32 << CommitOutcome::Conflict;
    QTest::newRow("more others than are remembered") << false << 33 << CommitOutcome::Unknown;
}

void TestOptimisticFaults::aLostAnswerIsAskedFor()
{
    QFETCH(bool, isDone);
    QFETCH(int, others);
    QFETCH(CommitOutcome, outcome);
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine);
    const Snapshot before = store.read("a").snapshot;
    LostAnswer lost(*m_server, "lock_version");
    CommitResult result;
    std::thread thread([&] { result = store.commit(before); });
    const QByteArray statement = lost.killCommit();
    const auto idAt = statement.indexOf("CONCAT(x'");
    QVERIFY(idAt > 0);
    const QByteArray commitOf = "UPDATE lock_version SET version = version + 1, commits = CONCAT(";
    if (isDone)
        lost.change(commitOf + statement.mid(idAt + 7, 19) + ", LEFT(commits, 248))");
    for (int i = 0; i < others; ++i)
        lost.change(commitOf + "RIGHT(UUID_SHORT(), 8), LEFT(commits, 248))");
    lost.goOn();
    thread.join();
    QVERIFY2(result.outcome == outcome, qPrintable(said(result.error)));
    const qint64 after = m_observer->value("SELECT version FROM lock_version").toLongLong();
    QCOMPARE(after - before.version, isDone || others == 0 ? others + 1 : others);
    if (outcome == CommitOutcome::Committed)
        QCOMPARE(result.committed.version, before.version + 1);
    if (outcome == CommitOutcome::Unknown)
        QCOMPARE(result.error->kind, Kind::ConnectionLost);
}

void TestOptimisticFaults::aLostAnswerOfAnApplicationsTableIsNotGuessed_data()
{
    QTest::addColumn<Place>("place");
    QTest::addColumn<QByteArray>("change");
    QTest::addColumn<CommitOutcome>("outcome");
    for (const Place place : {Place::Version, Place::Time}) {
        const QByteArray by = place == Place::Version ? "version" : "timestamp";
        QTest::newRow("unchanged by " + by) << place << QByteArray() << CommitOutcome::Committed;
        QTest::newRow("changed by " + by)
            << place << QByteArray("UPDATE stock SET version = version + 1, changed = UTC_TIMESTAMP(6), amount = 5")
            << CommitOutcome::Unknown;
        QTest::newRow("removed by " + by) << place << QByteArray("DELETE FROM stock") << CommitOutcome::Unknown;
    }
}

void TestOptimisticFaults::aLostAnswerOfAnApplicationsTableIsNotGuessed()
{
    QFETCH(Place, place);
    QFETCH(QByteArray, change);
    QFETCH(CommitOutcome, outcome);
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, tableOf(place));
    const Snapshot before = store.read("a").snapshot;
    LostAnswer lost(*m_server, "stock");
    CommitResult result;
    std::thread thread([&] { result = store.commit(before, amount(5)); });
    lost.killCommit();
    if (!change.isEmpty())
        lost.change(change);
    lost.goOn();
    thread.join();
    QVERIFY2(result.outcome == outcome, qPrintable(said(result.error)));
    if (change.isEmpty())
        QCOMPARE(amountOf(*m_observer, "a"), 5);
}

void TestOptimisticFaults::killedConnectionsNeitherLoseNorDouble_data()
{
    everyPlace();
}

void TestOptimisticFaults::killedConnectionsNeitherLoseNorDouble()
{
    QFETCH(Place, place);
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, tableOf(place));
    const qint64 before = store.read("a").snapshot.version;
    std::atomic<bool> stop = false;
    std::atomic<qint64> committed = 0;
    std::atomic<qint64> unknown = 0;
    std::atomic<int> failures = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 6; ++i) {
        threads.emplace_back([&] {
            while (!stop) {
                const auto result = store.run("a", place == Place::Own ? nothingElse : oneMore, patientPolicy());
                committed += result.outcome == RunOutcome::Committed ? 1 : 0;
                unknown += result.outcome == RunOutcome::Unknown ? 1 : 0;
                // A read is tried once more; who is killed then too is told so, and has changed nothing.
                const bool isKilled = result.error && detail::isUnreachable(*result.error);
                failures += result.outcome == RunOutcome::Failed && !isKilled ? 1 : 0;
            }
        });
    }
    int kills = 0;
    LockError error;
    const auto killer = Session::open(targetFor(*m_server), &error);
    for (qsizetype round = 0; round < 60; ++round) {
        auto ids = engineConnections();
        ids.removeOne(killer->connectionId());
        if (ids.isEmpty())
            continue;
        // It may be gone by now: that is no error here.
        if (killer->run("KILL " + QByteArray::number(ids[(round * 7) % ids.size()]), QByteArray("test")))
            ++kills;
        QTest::qWait(10);
    }
    const qint64 soFar = committed;
    const bool goesOn = eventually([&] { return committed > soFar + 20; });
    stop = true;
    for (auto &thread : threads)
        thread.join();
    QVERIFY(goesOn);
    QVERIFY(kills > 20);
    QCOMPARE(failures.load(), 0);
    const qint64 counted = place == Place::Own ? store.read("a").snapshot.version - before : amountOf(*m_observer, "a");
    QVERIFY2(
        counted >= committed && counted <= committed + unknown,
        qPrintable(QStringLiteral("%1 counted, %2 committed, %3 unknown").arg(counted).arg(committed).arg(unknown)));
}

void TestOptimisticFaults::aConnectionClosedWhileIdleIsNoError_data()
{
    everyPlace();
}

void TestOptimisticFaults::aConnectionClosedWhileIdleIsNoError()
{
    QFETCH(Place, place);
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, tableOf(place));
    const auto closeAll = [&] {
        const auto ids = engineConnections();
        for (const quint64 id : ids)
            m_observer->kill(QByteArray::number(id));
        QVERIFY(eventually([&] {
            const auto left = engineConnections();
            return std::none_of(ids.begin(), ids.end(), [&](quint64 id) { return left.contains(id); });
        }));
    };
    const Snapshot snapshot = store.read("a").snapshot;
    closeAll();
    QCOMPARE(store.commit(snapshot).outcome, CommitOutcome::Committed);
    closeAll();
    QCOMPARE(store.read("a").outcome, ReadOutcome::Read);
}

void TestOptimisticFaults::aLockedRowIsWaitedFor()
{
    LockEngine engine(configFor(*m_server));
    OptimisticStore store(engine, stock());
    const Snapshot snapshot = store.read("a").snapshot;
    Observer holder(*m_server);
    holder.run("BEGIN; SELECT * FROM stock WHERE name = 'a' FOR UPDATE");
    CommitResult result;
    std::thread thread([&] { result = store.commit(snapshot, amount(1)); });
    QTest::qSleep(1500); // longer than the server lets one statement wait
    holder.run("ROLLBACK");
    thread.join();
    QCOMPARE(result.outcome, CommitOutcome::Committed);
    QCOMPARE(amountOf(*m_observer, "a"), 1);
}

QTEST_GUILESS_MAIN(TestOptimisticFaults)
#include "tst_optimisticfaults.moc"
