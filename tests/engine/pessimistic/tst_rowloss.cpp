// SPDX-License-Identifier: MIT
// What becomes of work in a row lock's transaction when the lock is lost on the way, and when the loss is told.
#include "actor.h"
#include "enginetest.h"

#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>
#include <QtTest/QTest>

#include <atomic>

using namespace lockscope;
using namespace lockscope::test;
using Kind = LockError::Kind;

namespace {

/// The server's error number; empty when there was none.
QString run(const QSqlDatabase &database, const char *sql)
{
    QSqlQuery query(database);
    return query.exec(QString::fromUtf8(sql)) ? QString() : query.lastError().nativeErrorCode();
}

} // namespace

class TestRowLoss : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { m_observer->run("SET GLOBAL general_log = 0"); }
    void init()
    {
        EngineTest::init();
        makeStock(*m_observer);
    }

    void workAfterTheCallersOwnEndIsUndone_data();
    void workAfterTheCallersOwnEndIsUndone();
    void workAfterADeadlockIsUndone();
    void workAfterATimeOutThatUndoesTheTransactionIsUndone();
    void aSessionThatHeldARowCommitsByItselfAgain_data();
    void aSessionThatHeldARowCommitsByItselfAgain();
    void aLossIsToldAsSoonAsItIsKnown();

private:
    static void makeStock(Observer &observer)
    {
        observer.run("DROP TABLE IF EXISTS stock; CREATE TABLE stock (id INT PRIMARY KEY, left_over INT) ENGINE = "
                     "InnoDB; INSERT INTO stock VALUES (1, 10), (2, 10), (3, 10); TRUNCATE TABLE lock_row");
    }
    static int leftOver(Observer &observer, int id)
    {
        return observer.value("SELECT left_over FROM stock WHERE id = " + QByteArray::number(id)).toInt();
    }
};

void TestRowLoss::workAfterTheCallersOwnEndIsUndone_data()
{
    QTest::addColumn<QByteArray>("end");
    QTest::addColumn<int>("before"); // what becomes of what was written before
    QTest::newRow("COMMIT") << QByteArray("COMMIT") << 100;
    QTest::newRow("COMMIT AND CHAIN") << QByteArray("COMMIT AND CHAIN") << 100;
    QTest::newRow("ROLLBACK") << QByteArray("ROLLBACK") << 10;
    QTest::newRow("DDL") << QByteArray("CREATE TABLE IF NOT EXISTS other (id INT)") << 100;
}

void TestRowLoss::workAfterTheCallersOwnEndIsUndone()
{
    QFETCH(QByteArray, end);
    LockEngine engine(configFor(*m_server));
    auto held = engine.acquire(rowRequest("a"));
    const auto error = held.handle.inTransaction([&](QSqlDatabase &database) {
        QCOMPARE(run(database, "UPDATE stock SET left_over = 100 WHERE id = 1"), QString());
        QCOMPARE(run(database, end.constData()), QString());
        QCOMPARE(run(database, "UPDATE stock SET left_over = 777 WHERE id = 3"), QString());
    });
    QVERIFY(error);
    QCOMPARE(error->kind, Kind::LockLost);
    QCOMPARE(held.handle.release(), ReleaseOutcome::NotHeld);
    QTEST(leftOver(*m_observer, 1), "before");
    QCOMPARE(leftOver(*m_observer, 3), 10);
}

void TestRowLoss::workAfterADeadlockIsUndone()
{
    LockEngine engine(configFor(*m_server));
    Actor other(*m_server);
    // What has written most wins, so the call is the one that is undone.
    QVERIFY(other.run("BEGIN; UPDATE stock SET left_over = 20 WHERE id = 2; INSERT INTO stock "
                      "SELECT a.id * 1000 + b.id * 100 + c.id * 10 + d.id, 0 FROM stock a, stock b, stock c, stock d"));
    auto held = engine.acquire(rowRequest("a"));
    const auto error = held.handle.inTransaction([&](QSqlDatabase &database) {
        QCOMPARE(run(database, "UPDATE stock SET left_over = 100 WHERE id = 1"), QString());
        other.start("UPDATE stock SET left_over = 20 WHERE id = 1");
        QVERIFY(eventually([&] {
            m_observer->run("DO SLEEP(0.2)"); // the server keeps its list while it is asked for more often
            return m_observer->value("SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'")
                .toBool();
        }));
        QCOMPARE(run(database, "UPDATE stock SET left_over = 100 WHERE id = 2"), QStringLiteral("1213"));
        QCOMPARE(run(database, "UPDATE stock SET left_over = 777 WHERE id = 3"), QString());
    });
    QVERIFY(other.finish());
    QVERIFY(other.run("COMMIT"));
    QVERIFY(error);
    QCOMPARE(error->kind, Kind::LockLost);
    QCOMPARE(leftOver(*m_observer, 1), 20);
    QCOMPARE(leftOver(*m_observer, 3), 10);
}

void TestRowLoss::workAfterATimeOutThatUndoesTheTransactionIsUndone()
{
    TestServer server({QStringLiteral("--innodb-rollback-on-timeout=ON")});
    resetTables(server);
    Observer observer(server);
    makeStock(observer);
    LockEngine engine(configFor(server));
    Actor other(server);
    QVERIFY(other.run("BEGIN; UPDATE stock SET left_over = 20 WHERE id = 2"));
    auto held = engine.acquire(rowRequest("a"));
    const auto error = held.handle.inTransaction([&](QSqlDatabase &database) {
        QCOMPARE(run(database, "SET SESSION innodb_lock_wait_timeout = 1"), QString());
        QCOMPARE(run(database, "UPDATE stock SET left_over = 100 WHERE id = 1"), QString());
        QCOMPARE(run(database, "UPDATE stock SET left_over = 100 WHERE id = 2"), QStringLiteral("1205"));
        QCOMPARE(run(database, "UPDATE stock SET left_over = 777 WHERE id = 3"), QString());
    });
    QVERIFY(other.run("COMMIT"));
    QVERIFY(error);
    QCOMPARE(error->kind, Kind::LockLost);
    QCOMPARE(leftOver(observer, 1), 10);
    QCOMPARE(leftOver(observer, 3), 10);
}

void TestRowLoss::aSessionThatHeldARowCommitsByItselfAgain_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("after a release") << QByteArray("a");
    QTest::newRow("after a try that was busy") << QByteArray("taken");
}

/// The pool lends the connection to others, who rely on it.
void TestRowLoss::aSessionThatHeldARowCommitsByItselfAgain()
{
    QFETCH(QByteArray, name);
    LockEngine other(configFor(*m_server));
    const auto taken = other.acquire(rowRequest("taken"));
    LockEngine engine(smallConfigFor(*m_server)); // one connection for rows, and all else that waits
    auto held = engine.acquire(rowRequest(name));
    held.handle.release();
    for (int i = 0; i < 3; ++i) { // makes its row by a statement that nobody commits
        auto made = engine.acquire(rowRequest("new " + QByteArray::number(i)));
        QCOMPARE(made.outcome, Outcome::Granted);
        QCOMPARE(made.handle.release(), ReleaseOutcome::Released);
    }
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM lock_row WHERE resource LIKE 'new %'").toInt(), 3);
}

/// Of two rows the one whose session is killed is looked at after four seconds, and the other one every three.
void TestRowLoss::aLossIsToldAsSoonAsItIsKnown()
{
    LockEngine engine(configFor(*m_server));
    std::atomic<int> told = 0;
    LockRequest lost = rowRequest("lost", 0s, 30s);
    lost.onLost = [&](LossReason) { ++told; };
    m_observer->startLog();
    auto losing = engine.acquire(lost);
    const auto living = engine.acquire(rowRequest("living", 0s, 9s));
    const QByteArray id = m_observer->rowHolder("living");
    m_observer->kill(m_observer->rowHolder("lost"));
    const QByteArray checks =
        "SELECT COUNT(*) FROM mysql.general_log WHERE CONVERT(argument USING utf8mb4) LIKE 'RELEASE SAVEPOINT%' "
        "AND thread_id = "
        + id;
    QVERIFY(eventually([&] { return m_observer->value(checks).toInt() >= 2; }));
    QVERIFY(!losing.handle.isHeld());
    QVERIFY(eventually([&] { return told == 1; }));
    QVERIFY(living.handle.isHeld());
}

QTEST_GUILESS_MAIN(TestRowLoss)
#include "tst_rowloss.moc"
