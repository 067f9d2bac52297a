// SPDX-License-Identifier: MIT
// How optimistic commits end arrives in lock_attempt, added up over engines, and never twice.
#include "engine/records/attemptlog_p.h"
#include "optimisticfixture.h"

#include <atomic>

using namespace lockscope;
using namespace lockscope::test;
using detail::AttemptLog;

class TestAttempts : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        EngineTest::init();
        makeStock(*m_observer);
    }

    void twoStoresThatContendAreCountedTogether_data() { everyPlace(); }
    void twoStoresThatContendAreCountedTogether();
    void everyAttemptsTimeIsMeasured();
    void namesOfTablesAreClear_data();
    void namesOfTablesAreClear();
    void nothingIsWrittenWhenMeasuringIsOff();
    void onlyWhatChangedIsSentAFewHundredAtATime();
    void noMoreNamesThanTheLimitAreCounted();
    void aFailedFlushGoesWithTheNextOne();
    void aLostAnswerCountsNothingTwice_data();
    void aLostAnswerCountsNothingTwice();
    void enginesThatWriteTheSameRowsLoseNothing();

private:
    /// "resource commits conflicts retries" … as the server has them.
    QByteArrayList counts();
};

QByteArrayList TestAttempts::counts()
{
    QByteArrayList found;
    for (const QVariantList &row : m_observer->rows("SELECT CONCAT_WS(' ', resource, commits, conflicts, retries) "
                                                    "FROM lock_attempt ORDER BY resource"))
        found += row.value(0).toByteArray();
    return found;
}

void TestAttempts::twoStoresThatContendAreCountedTogether()
{
    QFETCH(Place, place);
    CommitCounts expected;
    {
        LockEngine one(configFor(*m_server));
        LockEngine other(configFor(*m_server));
        OptimisticStore stores[] = {OptimisticStore(one, tableOf(place)), OptimisticStore(other, tableOf(place))};
        std::atomic<int> next = 0;
        inThreads(2, [&] {
            OptimisticStore &store = stores[next++];
            for (int i = 0; i < 40; ++i)
                store.run("a", place == Place::Own ? nothingElse : oneMore, patientPolicy());
        });
        const auto read = stores[0].read("a");
        QCOMPARE(stores[0].commit(read.snapshot).outcome, CommitOutcome::Committed);
        QCOMPARE(stores[1].commit(read.snapshot).outcome, CommitOutcome::Conflict);
        for (const OptimisticStore &store : stores) {
            const CommitCounts counted = store.statistics().resources.at("a");
            expected.commits += counted.commits;
            expected.conflicts += counted.conflicts;
            expected.retries += counted.retries;
        }
    }
    QCOMPARE(expected.commits, 81u);
    const QByteArray name = place == Place::Own ? "a" : "stock:a";
    QCOMPARE(counts(),
             QByteArrayList{name + ' ' + QByteArray::number(expected.commits) + ' '
                            + QByteArray::number(expected.conflicts) + ' ' + QByteArray::number(expected.retries)});
    QVERIFY(m_observer->value("SELECT first_at <= updated_at FROM lock_attempt").toBool());
}

void TestAttempts::everyAttemptsTimeIsMeasured()
{
    {
        LockEngine engine(configFor(*m_server));
        OptimisticStore store(engine, stock());
        const auto read = store.read("a");
        QCOMPARE(store.commit(read.snapshot, amount(1)).outcome, CommitOutcome::Committed);
        QCOMPARE(store.commit(read.snapshot, amount(1)).outcome, CommitOutcome::Conflict);
        QCOMPARE(store.commit(read.snapshot, amount(1)).outcome, CommitOutcome::Conflict);
        QCOMPARE(store.commit(read.snapshot, {{QStringLiteral("nowhere"), 1}}).outcome, CommitOutcome::Failed);
        QCOMPARE(store.commit(read.snapshot, {{QStringLiteral("version"), 1}}).outcome, CommitOutcome::Failed);
    }
    QByteArrayList measured;
    for (const QVariantList &row : m_observer->rows("SELECT CONCAT_WS(' ', mode, kind, outcome, count) "
                                                    "FROM lock_latency ORDER BY outcome"))
        measured += row.value(0).toByteArray();
    QCOMPARE(measured,
             QByteArrayList({"optimistic acquire committed 1", "optimistic acquire conflict 2",
                             "optimistic acquire failed 1"})); // the last one was refused before it was tried
    QVERIFY(m_observer->value("SELECT MIN(max_us) FROM lock_latency").toLongLong() > 0);
}

void TestAttempts::namesOfTablesAreClear_data()
{
    QTest::addColumn<QString>("schema");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("counted");
    const auto row = [](const char *name, const char *schema, const QByteArray &key, const QByteArray &counted) {
        QTest::newRow(name) << QString::fromLatin1(schema) << key << counted;
    };
    row("the engine's schema", "", "a", "stock:a");
    row("the engine's schema, named", "lockscope", "a", "stock:a");
    row("another schema", "shop", "a", "shop.stock:a");
    row("as long as it may be", "", QByteArray(249, 'k'), "stock:" + QByteArray(249, 'k'));
    row("too long", "", QByteArray(250, 'k'), "stock:" + QByteArray(232, 'k') + "~6df6bbcbfcfe4ac4");
    row("cut between characters", "", 'k' + QByteArray("\xc3\xa4").repeated(125),
        "stock:k" + QByteArray("\xc3\xa4").repeated(115) + "~a7347d0b6643c30f");
}

void TestAttempts::namesOfTablesAreClear()
{
    QFETCH(QString, schema);
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, counted);
    m_observer->run("CREATE DATABASE IF NOT EXISTS shop; CREATE TABLE IF NOT EXISTS shop.stock LIKE stock");
    const QByteArray table = (schema.isEmpty() ? QByteArray() : schema.toLatin1() + '.') + "stock";
    m_observer->run("REPLACE INTO " + table + " VALUES (x'" + key.toHex() + "', 1, '2020-02-02', 0)");
    {
        VersionedTable described = stock();
        described.schema = schema;
        LockEngine engine(configFor(*m_server));
        OptimisticStore store(engine, described);
        const CommitResult committed = store.commit(store.read(key).snapshot, amount(1));
        QVERIFY2(committed.outcome == CommitOutcome::Committed, qPrintable(said(committed.error)));
    }
    QCOMPARE(counts(), QByteArrayList{counted + " 1 0 0"});
    QVERIFY(counted.size() <= MaxResourceBytes);
}

void TestAttempts::nothingIsWrittenWhenMeasuringIsOff()
{
    {
        EngineConfig config = configFor(*m_server);
        config.measuresLatency = false;
        LockEngine engine(config);
        OptimisticStore store(engine);
        QCOMPARE(store.run("a", nothingElse).outcome, RunOutcome::Committed);
    }
    QCOMPARE(counts(), QByteArrayList());
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_latency").toInt(), 0);
}

void TestAttempts::onlyWhatChangedIsSentAFewHundredAtATime()
{
    AttemptLog log;
    ReconnectingSession link(targetFor(*m_server));
    QVERIFY(!log.flush(link));
    QCOMPARE(link.connectionId(), 0u); // nothing to write, nothing sent
    for (int i = 0; i < 600; ++i)
        log.count("r/" + QByteArray::number(i), CommitOutcome::Committed, false);
    log.count("f", CommitOutcome::Failed, true);
    log.count("f", CommitOutcome::Unknown, true);
    LockError error;
    QVERIFY(link.session(&error)); // its settings are not what is logged below
    m_observer->startLog();
    QVERIFY(!log.flush(link));
    QCOMPARE(m_observer->logged().size(), 3);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_attempt").toInt(), 600);
    log.count("r/7", CommitOutcome::Conflict, true);
    m_observer->startLog();
    QVERIFY(!log.flush(link));
    const QStringList packets = m_observer->logged();
    QVERIFY2(packets.size() == 1 && packets[0].count(QStringLiteral("UTC_TIMESTAMP")) == 2,
             qPrintable(packets.join(u'\n')));
    QVERIFY(counts().contains("r/7 1 1 1"));
}

void TestAttempts::noMoreNamesThanTheLimitAreCounted()
{
    AttemptLog log;
    ReconnectingSession link(targetFor(*m_server));
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < MaxCountedResources + 5; ++i)
            log.count(QByteArray::number(i), CommitOutcome::Committed, false);
        QVERIFY(!log.flush(link));
    }
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_attempt").toInt(), MaxCountedResources);
    QCOMPARE(m_observer->value("SELECT SUM(commits) FROM lock_attempt").toInt(), 2 * MaxCountedResources);
}

void TestAttempts::aFailedFlushGoesWithTheNextOne()
{
    AttemptLog log;
    ReconnectingSession link(targetFor(*m_server));
    log.count("a", CommitOutcome::Committed, false);
    QVERIFY(!log.flush(link));
    log.count("a", CommitOutcome::Conflict, false);
    ReconnectingSession holder(targetFor(*m_server));
    QVERIFY(holder.run("BEGIN; SELECT * FROM lock_attempt FOR UPDATE", "test"));
    const auto waited = log.flush(link);
    QVERIFY(waited);
    QCOMPARE(waited->kind, LockError::Kind::Contention);
    QVERIFY(holder.run(QByteArray("ROLLBACK"), QByteArray("test")));
    m_server->stop();
    log.count("a", CommitOutcome::Committed, true);
    log.flush(link); // the broken connection is noticed: an answer that was lost, perhaps
    log.count("b", CommitOutcome::Committed, false);
    QVERIFY(log.flush(link));
    m_server->start();
    QVERIFY(!log.flush(link));
    m_observer = std::make_unique<Observer>(*m_server);
    QVERIFY(counts().contains("b 1 0 0"));
}

void TestAttempts::aLostAnswerCountsNothingTwice_data()
{
    QTest::addColumn<bool>("arrives");
    QTest::newRow("the write arrived") << true;
    QTest::newRow("the write was undone") << false;
}

void TestAttempts::aLostAnswerCountsNothingTwice()
{
    QFETCH(bool, arrives);
    m_observer->run("CREATE TRIGGER slow AFTER INSERT ON lock_attempt FOR EACH ROW DO SLEEP(3)");
    SessionTarget impatient = targetFor(*m_server);
    impatient.readTimeout = 1s;
    ReconnectingSession link(impatient);
    AttemptLog log;
    log.count("a", CommitOutcome::Committed, false);
    const auto lost = log.flush(link);
    QVERIFY(lost);
    QCOMPARE(lost->kind, LockError::Kind::ConnectionLost);
    if (!arrives)
        m_observer->run("KILL " + QByteArray::number(link.connectionId()));
    QVERIFY(eventually([&] {
        return m_observer
                   ->value("SELECT COUNT(*) FROM information_schema.processlist WHERE id = "
                           + QByteArray::number(link.connectionId()))
                   .toInt()
            == 0;
    }));
    m_observer->run("DROP TRIGGER slow");
    log.count("a", CommitOutcome::Conflict, false);
    QVERIFY(!log.flush(link));
    QCOMPARE(counts(), QByteArrayList{arrives ? "a 1 1 0" : "a 0 1 0"}); // missing at most, as the header says
}

void TestAttempts::enginesThatWriteTheSameRowsLoseNothing()
{
    constexpr int kEngines = 4;
    constexpr int kRounds = 40;
    constexpr int kNames = 60;
    const QByteArray deadlocks = "SELECT count FROM information_schema.innodb_metrics WHERE name = 'lock_deadlocks'";
    const quint64 deadlocksBefore = m_observer->value(deadlocks).toULongLong();
    std::atomic<int> next = 0;
    inThreads(kEngines, [&] {
        AttemptLog log;
        ReconnectingSession link(targetFor(*m_server));
        const int first = next++;
        for (int round = 0; round < kRounds; ++round) {
            for (int i = 0; i < kNames; ++i) // each in an order of its own
                log.count(QByteArray::number((i * 7 + first * 13) % kNames), CommitOutcome::Conflict, false);
            log.flush(link);
        }
        while (log.flush(link)) { }
    });
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_attempt").toInt(), kNames);
    QCOMPARE(m_observer->value("SELECT SUM(conflicts) FROM lock_attempt").toInt(), kEngines * kRounds * kNames);
    QCOMPARE(m_observer->value(deadlocks).toULongLong(), deadlocksBefore);
}

QTEST_GUILESS_MAIN(TestAttempts)
#include "tst_attempts.moc"
