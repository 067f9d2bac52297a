// SPDX-License-Identifier: MIT
// The last statement of who blocks is often a harmless one; the one that took the lock came before it.
#include "waitstest.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;

class TestStatementHistory : public WaitsTest
{
    Q_OBJECT

private Q_SLOTS:
    void theStatementThatLockedARowIsMarked();
    void ofSeveralThatMayHaveLockedARowNoneIsMarked_data();
    void ofSeveralThatMayHaveLockedARowNoneIsMarked();
    void whatWasBeforeADistributedTransactionIsNotOfIt();
    void withoutTransactionEventsOnlyWhatFollowedABeginIsListed_data();
    void withoutTransactionEventsOnlyWhatFollowedABeginIsListed();
    void theStatementThatLockedADefinitionIsMarked();
    void whatItRanLastIsNoOtherCulprit();
    void ofLocksOfSeveralStatementsNoneIsTheCulprit();
    void aRowThatNoOtherMayHaveTakenIsTheCulpritsToo_data();
    void aRowThatNoOtherMayHaveTakenIsTheCulpritsToo();
    void aRowThatAnotherMayHaveTakenIsNot_data();
    void aRowThatAnotherMayHaveTakenIsNot();

private:
    void keepHistory();
    static QByteArrayList textsOf(const ServerSession *session);
};

/// MariaDB's default is not to.
void TestStatementHistory::keepHistory()
{
    Actor owner(*m_used);
    QVERIFY(owner.run("UPDATE performance_schema.setup_consumers SET enabled = 'YES' "
                      "WHERE name = 'events_statements_history'"));
    m_reader->probeSoon();
}

QByteArrayList TestStatementHistory::textsOf(const ServerSession *session)
{
    QByteArrayList texts;
    if (session) {
        for (const PastStatement &one : session->history)
            texts.append(one.text);
    }
    return texts;
}

/// MariaDB does not tell when a row was locked.
void TestStatementHistory::theStatementThatLockedARowIsMarked()
{
    keepHistory();
    Actor holder(*m_used);
    for (const char *statement :
         {"BEGIN", "UPDATE shop.stock SET n = 7 WHERE id = 7", "COMMIT", "BEGIN",
          "UPDATE shop.stock SET n = 1 WHERE id = 5", "SET @a = 1", "SHOW STATUS", "SELECT 'harmless'"})
        QVERIFY(holder.run(statement));
    Actor waiter(*m_used);
    waiter.start("UPDATE shop.stock SET n = 2 WHERE id = 5");
    const ServerWaits waits = lookUntilBlocked(waiter, holder);
    const ServerSession *session = waits.session(holder.id());
    QCOMPARE(textsOf(session), QByteArrayList({"UPDATE shop.stock SET n = 1 WHERE id = 5", "SELECT 'harmless'"}));
    QCOMPARE(session->statement.text, "SELECT 'harmless'");
    QCOMPARE(session->culprit() != nullptr, m_used->family() == Family::MySql);
    if (session->culprit())
        QCOMPARE(session->culprit()->text, "UPDATE shop.stock SET n = 1 WHERE id = 5");
    QVERIFY(waits.session(waiter.id())->history.isEmpty());
    QVERIFY(holder.run("ROLLBACK"));
    QVERIFY(waiter.finish());
}

void TestStatementHistory::ofSeveralThatMayHaveLockedARowNoneIsMarked_data()
{
    QTest::addColumn<QByteArray>("later");
    QTest::addColumn<bool>("isTold");
    QTest::newRow("another row") << QByteArray("UPDATE shop.stock SET n = 1 WHERE id = 5") << false;
    QTest::newRow("locking read") << QByteArray("SELECT * FROM shop.stock WHERE id = 5 FOR UPDATE") << false;
    QTest::newRow("plain read") << QByteArray("SELECT * FROM shop.stock WHERE id = 5") << true;
}

/// InnoDB adds a row to the lock that the transaction has on the row's page.
void TestStatementHistory::ofSeveralThatMayHaveLockedARowNoneIsMarked()
{
    QFETCH(QByteArray, later);
    QFETCH(bool, isTold);
    keepHistory();
    Actor holder(*m_used);
    const QByteArray row = isTold ? "5" : "6";
    for (const QByteArray &statement :
         {QByteArray("BEGIN"), "UPDATE shop.stock SET n = 1 WHERE id = " + row, later, QByteArray("SELECT 'harmless'")})
        QVERIFY(holder.run(statement));
    Actor waiter(*m_used);
    waiter.start("UPDATE shop.stock SET n = 2 WHERE id = 5");
    const ServerWaits waits = lookUntilBlocked(waiter, holder);
    const ServerSession *session = waits.session(holder.id());
    QCOMPARE(session->history.size(), 3);
    QCOMPARE(session->history.first().tookLock, isTold && m_used->family() == Family::MySql);
    QVERIFY(!session->history[1].tookLock);
    QVERIFY(holder.run("ROLLBACK"));
    QVERIFY(waiter.finish());
}

void TestStatementHistory::whatWasBeforeADistributedTransactionIsNotOfIt()
{
    keepHistory();
    Actor holder(*m_used);
    for (const char *statement :
         {"UPDATE shop.stock SET n = 7 WHERE id = 7", "XA START 'history'", "UPDATE shop.stock SET n = 1 WHERE id = 5"})
        QVERIFY(holder.run(statement));
    Actor waiter(*m_used);
    waiter.start("UPDATE shop.stock SET n = 2 WHERE id = 5");
    const ServerWaits waits = lookUntilBlocked(waiter, holder);
    QCOMPARE(textsOf(waits.session(holder.id())), QByteArrayList{"UPDATE shop.stock SET n = 1 WHERE id = 5"});
    QVERIFY(holder.run("XA END 'history'"));
    QVERIFY(holder.run("XA ROLLBACK 'history'"));
    QVERIFY(waiter.finish());
}

void TestStatementHistory::withoutTransactionEventsOnlyWhatFollowedABeginIsListed_data()
{
    QTest::addColumn<QByteArrayList>("before");
    QTest::addColumn<QByteArrayList>("listed");
    const QByteArray other = "UPDATE shop.stock SET n = 7 WHERE id = 7";
    const QByteArray commits = "CREATE TABLE IF NOT EXISTS shop.unrelated (id INT)";
    QTest::newRow("autocommit") << QByteArrayList{other} << QByteArrayList();
    QTest::newRow("in a transaction") << QByteArrayList{"BEGIN", other} << QByteArrayList{other};
    QTest::newRow("in one that was committed unasked")
        << QByteArrayList{"BEGIN", other, commits, other} << QByteArrayList();
}

void TestStatementHistory::withoutTransactionEventsOnlyWhatFollowedABeginIsListed()
{
    QFETCH(QByteArrayList, before);
    keepHistory();
    const QByteArray events = "UPDATE performance_schema.setup_consumers SET enabled = '%1' "
                              "WHERE name = 'events_transactions_current'";
    Actor owner(*m_used);
    QVERIFY(owner.run(QByteArray(events).replace("%1", "NO")));
    Actor holder(*m_used);
    for (const QByteArray &statement : before)
        QVERIFY(holder.run(statement));
    holder.start("UPDATE shop.stock SET n = SLEEP(1000) WHERE id = 5");
    QVERIFY(seenAsleep(holder)); // it has the row
    Actor waiter(*m_used);
    waiter.start("UPDATE shop.stock SET n = 2 WHERE id = 5");
    const ServerWaits waits = lookUntilBlocked(waiter, holder);
    QTEST(textsOf(waits.session(holder.id())), "listed");
    QVERIFY(owner.run("KILL QUERY " + QByteArray::number(holder.id())));
    holder.finish();
    QVERIFY(holder.run("ROLLBACK"));
    QVERIFY(waiter.finish());
    QVERIFY(owner.run(QByteArray(events).replace("%1", "YES")));
}

void TestStatementHistory::theStatementThatLockedADefinitionIsMarked()
{
    keepHistory();
    Actor holder(*m_used);
    for (const char *statement : {"BEGIN", "SELECT * FROM shop.stock WHERE id = 3", "SELECT 'harmless'"})
        QVERIFY(holder.run(statement));
    Actor waiter(*m_used);
    waiter.start("ALTER TABLE shop.stock ADD COLUMN note TEXT");
    const ServerWaits waits = lookUntilBlocked(waiter, holder);
    const PastStatement *culprit = waits.session(holder.id())->culprit();
    QVERIFY(culprit);
    QCOMPARE(culprit->text, "SELECT * FROM shop.stock WHERE id = 3");
    QVERIFY(holder.run("ROLLBACK"));
    QVERIFY(waiter.finish());
}

void TestStatementHistory::whatItRanLastIsNoOtherCulprit()
{
    keepHistory();
    Actor holder(*m_used);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("SELECT * FROM shop.stock WHERE id = 3"));
    Actor waiter(*m_used);
    waiter.start("ALTER TABLE shop.stock ADD COLUMN note TEXT");
    const ServerWaits waits = lookUntilBlocked(waiter, holder);
    const ServerSession *session = waits.session(holder.id());
    QCOMPARE(textsOf(session), QByteArrayList({"SELECT * FROM shop.stock WHERE id = 3"}));
    QVERIFY(session->history.first().tookLock && !session->culprit());
    QVERIFY(holder.run("ROLLBACK"));
    QVERIFY(waiter.finish());
}

/// Who reads it takes the statement for the one that took whatever lock is named beside it.
void TestStatementHistory::ofLocksOfSeveralStatementsNoneIsTheCulprit()
{
    keepHistory();
    Actor holder(*m_used);
    for (const char *statement :
         {"BEGIN", "UPDATE shop.stock SET n = 1 WHERE id = 5", "SELECT GET_LOCK('nightly', 0)", "SELECT 'harmless'"})
        QVERIFY(holder.run(statement));
    Actor first(*m_used);
    first.start("UPDATE shop.stock SET n = 2 WHERE id = 5");
    lookUntilBlocked(first, holder);
    Actor second(*m_used);
    second.start("DO GET_LOCK('nightly', 1000)");
    const ServerWaits waits = lookUntilBlocked(second, holder);
    const ServerSession *session = waits.session(holder.id());
    QCOMPARE(session->history.size(), 3);
    // MariaDB does not tell which took the row: the other is not to be taken for it.
    QCOMPARE(session->history[1].tookLock, m_used->family() == Family::MySql);
    QVERIFY(!session->culprit());
    QVERIFY(holder.run("DO RELEASE_LOCK('nightly')"));
    QVERIFY(second.finish());
    QVERIFY(holder.run("ROLLBACK"));
    QVERIFY(first.finish());
}

void TestStatementHistory::aRowThatNoOtherMayHaveTakenIsTheCulpritsToo_data()
{
    QTest::addColumn<QByteArrayList>("harmless");
    QTest::newRow("reads") << QByteArrayList{"SELECT 'harmless'"};
    QTest::newRow("a read after a comment") << QByteArrayList{"/* app */ -- billing\n SELECT 'harmless'"};
    QTest::newRow("a read with a part of its own")
        << QByteArrayList{"WITH one AS (SELECT 1) SELECT * FROM one", "SELECT 'delete'"};
    QTest::newRow("a savepoint") << QByteArrayList{"SAVEPOINT here", "RELEASE SAVEPOINT here"};
    QTest::newRow("a prepared read") << QByteArrayList{"PREPARE read_it FROM 'SELECT 1'", "DEALLOCATE PREPARE read_it",
                                                       "SELECT 'harmless'"};
}

/// Rows first, then somebody's definition: so an incident grows.
void TestStatementHistory::aRowThatNoOtherMayHaveTakenIsTheCulpritsToo()
{
    QFETCH(QByteArrayList, harmless);
    keepHistory();
    Actor holder(*m_used);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 5"));
    for (const QByteArray &statement : std::as_const(harmless))
        QVERIFY(holder.run(statement));
    Actor first(*m_used);
    first.start("UPDATE shop.stock SET n = 2 WHERE id = 5");
    lookUntilBlocked(first, holder);
    Actor second(*m_used);
    second.start("ALTER TABLE shop.stock ADD COLUMN note TEXT");
    const ServerWaits waits = lookUntilBlocked(second, holder);
    const PastStatement *culprit = waits.session(holder.id())->culprit();
    QVERIFY(culprit);
    QCOMPARE(culprit->text, "UPDATE shop.stock SET n = 1 WHERE id = 5");
    QVERIFY(holder.run("ROLLBACK"));
    QVERIFY(first.finish());
    QVERIFY(second.finish());
}

void TestStatementHistory::aRowThatAnotherMayHaveTakenIsNot_data()
{
    QTest::addColumn<QByteArrayList>("statements"); // the first one has taken the definition
    QTest::addColumn<int>("row");                   // that the other one has taken
    QTest::newRow("by a trigger") << QByteArrayList{"UPDATE shop.stock SET n = 1 WHERE id = 5",
                                                    "UPDATE shop.busy SET n = 1 WHERE id = 1"}
                                  << 6;
    QTest::newRow("by a view") << QByteArrayList{"UPDATE shop.stock SET n = 1 WHERE id = 5",
                                                 "UPDATE shop.seen SET n = 1 WHERE id = 7"}
                               << 7;
    QTest::newRow("by a foreign key") << QByteArrayList{"SELECT * FROM shop.stock WHERE id = 5 LOCK IN SHARE MODE",
                                                        "INSERT INTO shop.child VALUES (1, 8)"}
                                      << 8;
    QTest::newRow("by a write after many comments")
        << QByteArrayList{"UPDATE shop.stock SET n = 1 WHERE id = 5",
                          QByteArray("/**/").repeated(200) + "UPDATE shop.busy SET n = 1 WHERE id = 1"}
        << 6;
    QTest::newRow("by a read that locks")
        << QByteArrayList{"UPDATE shop.stock SET n = 1 WHERE id = 5", "SELECT * FROM shop.stock WHERE id = 9"} << 9;
}

/// Its words do not tell it. MySQL's performance schema does, in most cases.
void TestStatementHistory::aRowThatAnotherMayHaveTakenIsNot()
{
    QFETCH(QByteArrayList, statements);
    QFETCH(int, row);
    keepHistory();
    for (const char *definition :
         {"CREATE TABLE shop.busy (id INT PRIMARY KEY, n INT)", "INSERT INTO shop.busy VALUES (1, 0)",
          "CREATE TRIGGER shop.t AFTER UPDATE ON shop.busy FOR EACH ROW UPDATE shop.stock SET n = 1 WHERE id = 6",
          "CREATE VIEW shop.seen AS SELECT * FROM shop.stock",
          "CREATE TABLE shop.child (id INT PRIMARY KEY, stock INT, FOREIGN KEY (stock) REFERENCES shop.stock (id))"})
        m_observer->run(definition);
    Actor holder(*m_used);
    QVERIFY(holder.run("SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE"));
    QVERIFY(holder.run("BEGIN"));
    for (const QByteArray &statement : std::as_const(statements))
        QVERIFY(holder.run(statement));
    Actor first(*m_used);
    first.start("UPDATE shop.stock SET n = 2 WHERE id = " + QByteArray::number(row));
    lookUntilBlocked(first, holder);
    Actor second(*m_used);
    second.start("ALTER TABLE shop.stock ADD COLUMN note TEXT");
    const ServerWaits waits = lookUntilBlocked(second, holder);
    const PastStatement *culprit = waits.session(holder.id())->culprit();
    QVERIFY2(!culprit, culprit ? culprit->text.constData() : "");
    QVERIFY(holder.run("ROLLBACK"));
    QVERIFY(first.finish());
    QVERIFY(second.finish());
    for (const char *name : {"TABLE shop.child", "VIEW shop.seen", "TABLE shop.busy"})
        m_observer->run(QByteArray("DROP ") + name);
}

QTEST_GUILESS_MAIN(TestStatementHistory)
#include "tst_statementhistory.moc"
