// SPDX-License-Identifier: MIT
// Transactions that XA PREPARE has made outlive their sessions: who waits for them, and what a kill would change.
#include "waitstest.h"

#include "actions/killaftermath.h"
#include "waits/heldlocks.h"

#include <QtCore/QScopeGuard>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;

class TestPreparedTransactions : public WaitsTest
{
    Q_OBJECT

private Q_SLOTS:
    void oneWithoutASessionIsARoot_data();
    void oneWithoutASessionIsARoot();
    void theEndOfItsSessionFreesNobody_data();
    void theEndOfItsSessionFreesNobody();
    void ofSeveralNoneIsNamedAtRandom();
    void theSessionThatGaveItTellsItsName();
    void aNameThatLooksLikeDigitsIsNoOther();
    void aRefusedPrepareNamesNothing();
    void whoWaitsForItsTableStandsBelowIt();
    void whoMayNotKnowNamesIsToldSo();
    void nothingKillsWhatStandsForOne();
    void afterACrashTheyAreThere();

protected Q_SLOTS:
    void cleanup();

private:
    /// On MySQL still its session's, as on MariaDB.
    std::unique_ptr<Actor> prepare(const QByteArray &xid, int row, bool isAttached = true);
    void leave(std::unique_ptr<Actor> owner);
    bool isMySql() const { return m_used->family() == Family::MySql; }
};

void TestPreparedTransactions::cleanup()
{
    WaitsTest::cleanup();
    Actor cleaner(*m_used);
    const bool isClean = eventually([&] {
        for (const char *xid : {"'one'", "'two'", "'0x6F6E65'", "'not\\'so',X'00ff',9"})
            cleaner.run(QByteArray("XA ROLLBACK ") + xid); // refused while its session is ending
        return cleaner.run("XA RECOVER").set(-1).rows.isEmpty();
    });
    QVERIFY(isClean);
}

std::unique_ptr<Actor> TestPreparedTransactions::prepare(const QByteArray &xid, int row, bool isAttached)
{
    auto owner = std::make_unique<Actor>(*m_used);
    const QByteArray update = "UPDATE shop.stock SET n = n + 1 WHERE id = " + QByteArray::number(row);
    bool isDone = !isMySql() || owner->run(isAttached ? "SET xa_detach_on_prepare = OFF" : "DO 0");
    for (const QByteArray &sql : {"XA START " + xid, update, "XA END " + xid, "XA PREPARE " + xid})
        isDone = isDone && owner->run(sql);
    if (!isDone)
        qFatal("The transaction is not prepared.");
    return owner;
}

void TestPreparedTransactions::leave(std::unique_ptr<Actor> owner)
{
    const QByteArray isConnected =
        "SELECT COUNT(*) FROM information_schema.processlist WHERE id = " + QByteArray::number(owner->id());
    owner.reset();
    if (!eventually([&] { return m_observer->value(isConnected).toInt() == 0; }))
        qFatal("The session does not end.");
}

void TestPreparedTransactions::oneWithoutASessionIsARoot_data()
{
    QTest::addColumn<bool>("tellsMost");
    QTest::newRow("as it is by default") << false;
    QTest::newRow("with all it can tell") << true;
}

void TestPreparedTransactions::oneWithoutASessionIsARoot()
{
    QFETCH(bool, tellsMost);
    useServer(tellsMost);
    leave(prepare("'not\\'so',X'00ff',9", 5));
    Actor first(*m_used);
    first.start("UPDATE shop.stock SET n = 0 WHERE id = 5");
    Actor second(*m_used);
    second.start("UPDATE shop.stock SET n = 0 WHERE id = 5");
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return now.edges.size() == 3; });
    QCOMPARE(waitersDrawnAsRoots(waits), QList<quint64>());
    QVERIFY(waits.lost.isEmpty());

    QCOMPARE(waits.prepared.size(), 1);
    const quint64 number = waits.prepared.constBegin().key();
    const PreparedTransaction &prepared = *waits.prepared.constBegin();
    QVERIFY(isPreparedNumber(number));
    QVERIFY(prepared.isTold && !prepared.isAttached);
    QCOMPARE(prepared.session, quint64(0));
    QCOMPARE(prepared.xids.first().toSql(), QByteArray("X'6e6f7427736f',X'00ff',9"));
    QCOMPARE(prepared.transaction.rowsChanged, quint64(1));

    const WaitGraph graph = buildWaitGraph(waits, waits.clock.server);
    QCOMPARE(graph.roots.size(), 1);
    const WaitNode &root = graph.nodes[graph.roots.first()];
    QCOMPARE(root.session, number);
    QCOMPARE(root.direct, 2);
    QCOMPARE(root.frees, 2);
    QCOMPARE(graph.waiting(), 2);
    QVERIFY(!waits.session(number));

    const auto held = heldLocks(waits);
    const auto one = std::find_if(held.cbegin(), held.cend(), [&](const HeldLock &lock) {
        return lock.lock.session == number && lock.isOfTransaction();
    });
    QVERIFY(one != held.cend());
    QCOMPARE(one->queue.size(), 2);
    QCOMPARE(one->lock.object.toString(), QStringLiteral("shop.stock PRIMARY (5)"));
}

void TestPreparedTransactions::theEndOfItsSessionFreesNobody_data()
{
    oneWithoutASessionIsARoot_data();
}

void TestPreparedTransactions::theEndOfItsSessionFreesNobody()
{
    QFETCH(bool, tellsMost);
    useServer(tellsMost);
    const auto owner = prepare("'one'", 5);
    Actor other(*m_used); // an ordinary one
    QVERIFY(other.run("BEGIN"));
    QVERIFY(other.run("UPDATE shop.stock SET n = 0 WHERE id = 6"));
    Actor waiter(*m_used);
    waiter.start("UPDATE shop.stock SET n = 0 WHERE id = 5");
    WaitOptions options;
    options.sessions = {owner->id(), other.id()};
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return now.edges.size() == 1; }, options);
    const PreparedTransaction *prepared = waits.preparedBy(owner->id());
    QVERIFY(prepared && prepared->isAttached && prepared->isTold);
    QCOMPARE(prepared->xids.first().toSql(), QByteArray("'one'"));
    QCOMPARE(waits.prepared.size(), 1);
    const quint64 number = waits.prepared.constBegin().key();
    QCOMPARE(waits.edges.first().blocker, number);

    const KillPreview preview = previewKill(waits, m_reader->capabilities(), owner->id(), KillKind::Connection);
    QVERIFY(preview.session && preview.refusal.isEmpty());
    QCOMPARE(preview.forecast.goesOn(), QList<quint64>());
    QCOMPARE(preview.forecast.stay, QList<quint64>{waiter.id()});
    QCOMPARE(preview.rowsToRollBack, quint64(0));
    QVERIFY(isAccepted(act(orderFor(waits, *owner))));

    const ServerWaits after = lookUntil([&](const ServerWaits &now) {
        const PreparedTransaction *left = now.preparedTransaction(number);
        return left && !left->isAttached && now.edges.size() == 1;
    });
    const auto aftermath = aftermathOf(preview.forecast, after);
    QVERIFY(aftermath);
    QCOMPARE(aftermath->wentOn, 0);
    QCOMPARE(aftermath->waiting, 1);
    QCOMPARE(aftermath->blockedBy, QList<quint64>{number});
}

/// No server tells which name belongs to which transaction.
void TestPreparedTransactions::ofSeveralNoneIsNamedAtRandom()
{
    leave(prepare("'one'", 5));
    leave(prepare("'two'", 6));
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return now.prepared.size() == 2; });
    for (const PreparedTransaction &one : waits.prepared) {
        QVERIFY(!one.isTold);
        QCOMPARE(one.xids.size(), 2);
    }
}

void TestPreparedTransactions::theSessionThatGaveItTellsItsName()
{
    const auto first = prepare("'one'", 5, false);
    const auto second = prepare("'two'", 6, false);
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return now.prepared.size() == 2; });
    for (const auto &[owner, name] : {std::pair(first->id(), "'one'"), std::pair(second->id(), "'two'")}) {
        const PreparedTransaction *prepared = waits.preparedBy(owner);
        QVERIFY(prepared && prepared->isTold);
        QCOMPARE(prepared->isAttached, !isMySql());
        QCOMPARE(prepared->xids.first().toSql(), QByteArray(name));
    }
}

/// "one" in hexadecimal digits.
void TestPreparedTransactions::aNameThatLooksLikeDigitsIsNoOther()
{
    const auto owner = prepare("'0x6F6E65'", 5, false);
    leave(prepare("'one'", 6));
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return now.prepared.size() == 2; });
    const PreparedTransaction *prepared = waits.preparedBy(owner->id());
    QVERIFY(prepared && prepared->isTold);
    QCOMPARE(prepared->xids.first().toSql(), QByteArray("'0x6F6E65'"));
}

void TestPreparedTransactions::aRefusedPrepareNamesNothing()
{
    leave(prepare("'two'", 6));
    const auto owner = prepare("'one'", 5);
    QVERIFY(!owner->run("XA PREPARE 'two'"));
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return now.prepared.size() == 2; });
    const PreparedTransaction *prepared = waits.preparedBy(owner->id());
    QVERIFY(prepared);
    QVERIFY(prepared->xids.contains(Xid{1, "one", {}}));
}

/// MySQL leaves its metadata lock without a session, MariaDB only InnoDB's locks.
void TestPreparedTransactions::whoWaitsForItsTableStandsBelowIt()
{
    leave(prepare("'one'", 5));
    Actor alter(*m_used);
    alter.start("ALTER TABLE shop.stock ADD COLUMN extra INT, ALGORITHM=COPY");
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return !now.edges.isEmpty(); });
    QCOMPARE(waits.edges.size(), 1);
    QCOMPARE(waits.edges.first().waiter, alter.id());
    QVERIFY(waits.preparedTransaction(waits.edges.first().blocker));
    const bool isMetadata = waits.edges.first().object.kind == ServerLockKind::Metadata;
    QCOMPARE(isMetadata, isMySql());
}

void TestPreparedTransactions::whoMayNotKnowNamesIsToldSo()
{
    if (!isMySql())
        QSKIP("On MariaDB everybody may know them.");
    leave(prepare("'one'", 5));
    lookAs(userWith("watcher", {"PROCESS ON *.*", "SELECT ON performance_schema.*"}));
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return now.prepared.size() == 1; });
    QVERIFY(waits.prepared.constBegin()->xids.isEmpty());
    const SourceStatus &status = statusOf(waits, WaitSource::Transactions);
    QCOMPARE(status.state, SourceStatus::State::Partial);
    QCOMPARE(status.remedy, QStringLiteral("GRANT XA_RECOVER_ADMIN ON *.* TO 'watcher'@'localhost'"));
}

void TestPreparedTransactions::nothingKillsWhatStandsForOne()
{
    leave(prepare("'one'", 5));
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return now.prepared.size() == 1; });
    const quint64 number = waits.prepared.constBegin().key();
    KillOrder order{KillTarget::of(waits, number), KillKind::Connection, QStringLiteral("ada"), QStringLiteral("x")};
    QCOMPARE(order.target.session, quint64(0));
    QVERIFY(!previewKill(waits, m_reader->capabilities(), number, KillKind::Connection).session);
    QCOMPARE(act(order).outcome, KillReport::Outcome::Refused);
    order.target.session = number;
    QCOMPARE(act(order).outcome, KillReport::Outcome::Refused);
}

void TestPreparedTransactions::afterACrashTheyAreThere()
{
    leave(prepare("'one'", 5));
    m_used->kill9();
    m_used->start();
    lookAs(targetFor(*m_used));
    m_observer = std::make_unique<Observer>(*m_used);
    Actor waiter(*m_used);
    waiter.start("UPDATE shop.stock SET n = 0 WHERE id = 5");
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return now.edges.size() == 1; });
    const PreparedTransaction *prepared = waits.preparedTransaction(waits.edges.first().blocker);
    QVERIFY(prepared && prepared->isTold);
    QCOMPARE(prepared->xids.first().toSql(), QByteArray("'one'"));
}

QTEST_GUILESS_MAIN(TestPreparedTransactions)
#include "tst_preparedtransactions.moc"
