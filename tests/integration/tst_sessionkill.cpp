// The session that was chosen ends, and no other: whatever its number means by then.
#include "actor.h"
#include "enginetest.h"

#include "waits/waitsfeed.h"
#include "waits/waitsreader.h"

#include <QtCore/QThread>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;

namespace {

using Result = KillReport::Outcome;

/// InnoDB tells nothing new to who asks more often, in milliseconds.
constexpr int kInnoDbKeeps = 120;
constexpr int kPatience = 30'000;

} // namespace

class TestSessionKill : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void theChosenSessionEndsAndNoOther();
    void aStatementAloneIsEnded_data();
    void aStatementAloneIsEnded();
    void anIdleSessionsStatementCannotBeEnded();
    void anotherTransactionOfTheSameSessionIsLeftAlone();
    void anotherAccountWithTheSameNumberIsLeftAlone();
    void whoGaveTheUserLockBackIsLeftAlone();
    void whoIsGoneIsAlreadyGone();
    void aNumberFromBeforeARestartIsNotBelieved();
    void theOwnConnectionIsRefused();
    void anOrderWithoutReasonIsRefused();
    void aMissingPrivilegeIsNamed();
    void aHostedServersProcedureIsTried();
    void thePreviewTellsWhoGoesOn();
    void thePreviewExpectsTheDeadlockOfAnInsert();
    void theUndoingIsFollowedToItsEnd();

private:
    ServerWaits look();
    ServerWaits lookUntil(const std::function<bool(const ServerWaits &)> &condition);
    KillOrder orderFor(const ServerWaits &waits, const Actor &actor, KillKind kind = KillKind::Connection);
    KillReport act(const KillOrder &order);
    bool isAlive(const Actor &actor);

    std::unique_ptr<Session> m_session;
    std::unique_ptr<WaitsReader> m_reader;
};

void TestSessionKill::init()
{
    EngineTest::init();
    QThread::msleep(kInnoDbKeeps); // the test before has looked too
    m_observer->run("DROP DATABASE IF EXISTS shop");
    m_observer->run("CREATE DATABASE shop");
    m_observer->run("CREATE TABLE shop.stock (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB");
    m_observer->run("INSERT INTO shop.stock VALUES (1,0),(2,0),(3,0)");
    LockError error;
    m_session = Session::open(targetFor(*m_server), &error);
    QVERIFY2(m_session, qPrintable(error.toString()));
    m_reader = std::make_unique<WaitsReader>(*m_session);
}

void TestSessionKill::cleanup()
{
    m_reader.reset();
    m_session.reset();
}

ServerWaits TestSessionKill::look()
{
    ServerWaits waits;
    if (const auto error = m_reader->read(&waits))
        qFatal("%s", qPrintable(error->toString()));
    return waits;
}

ServerWaits TestSessionKill::lookUntil(const std::function<bool(const ServerWaits &)> &condition)
{
    ServerWaits waits;
    for (int i = 0; i < kPatience / kInnoDbKeeps; ++i) {
        waits = look();
        if (condition(waits))
            return waits;
        QThread::msleep(kInnoDbKeeps);
    }
    qWarning("What was waited for was not seen.");
    return waits;
}

KillOrder TestSessionKill::orderFor(const ServerWaits &waits, const Actor &actor, KillKind kind)
{
    KillOrder order;
    order.target = KillTarget::of(waits, actor.id());
    order.kind = kind;
    order.operatorName = QStringLiteral("test");
    order.reason = QStringLiteral("stuck");
    return order;
}

KillReport TestSessionKill::act(const KillOrder &order)
{
    return SessionKill(*m_session, m_reader->capabilities()).act(order);
}

bool TestSessionKill::isAlive(const Actor &actor)
{
    return m_observer
               ->value("SELECT COUNT(*) FROM information_schema.processlist WHERE id = "
                       + QByteArray::number(actor.id()))
               .toInt()
        == 1;
}

void TestSessionKill::theChosenSessionEndsAndNoOther()
{
    Actor bystander(*m_server);
    Actor holder(*m_server);
    Actor waiter(*m_server);
    QVERIFY(bystander.run("BEGIN"));
    QVERIFY(bystander.run("UPDATE shop.stock SET n = 1 WHERE id = 2"));
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    waiter.start("UPDATE shop.stock SET n = 2 WHERE id = 1");
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return !now.edges.isEmpty(); });
    const KillReport report = act(orderFor(waits, holder));
    QVERIFY2(!report.error, report.error ? qPrintable(report.error->toString()) : "");
    QVERIFY(report.outcome == Result::Ended || report.outcome == Result::RollingBack);
    QVERIFY2(report.statement.contains("KILL CONNECTION @lockscope_victim"), report.statement.constData());
    QVERIFY(waiter.finish());
    QVERIFY(eventually([&] { return !isAlive(holder); }));
    QVERIFY(!holder.run("SELECT 1"));
    QVERIFY(isAlive(bystander) && isAlive(waiter));
    QVERIFY(bystander.run("COMMIT"));
    QCOMPARE(m_observer->value("SELECT n FROM shop.stock WHERE id = 1").toInt(), 2);
    QCOMPARE(m_observer->value("SELECT n FROM shop.stock WHERE id = 2").toInt(), 1);
}

void TestSessionKill::aStatementAloneIsEnded_data()
{
    QTest::addColumn<QByteArray>("comment");
    QTest::newRow("short") << QByteArray("short");
    QTest::newRow("short, not ASCII") << QByteArray("f\xc3\xbcr \xe5\xba\x93\xe5\xad\x98");
    QTest::newRow("more than 1024 bytes") << QByteArray(3'000, 'a');
    QTest::newRow("more than 4096 bytes") << QByteArray(9'000, 'a');
    QTest::newRow("more than 1024 bytes, not ASCII") << QByteArray("\xc3\xa4").repeated(1'500);
    QTest::newRow("more than 4096 bytes, not ASCII") << 'a' + QByteArray("\xe5\xba\x93").repeated(3'000);
}

void TestSessionKill::aStatementAloneIsEnded()
{
    QFETCH(QByteArray, comment);
    Actor holder(*m_server);
    Actor waiter(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    waiter.start("UPDATE shop.stock SET n = 2 WHERE id = 1 /* " + comment + " */");
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        return !now.edges.isEmpty() && now.session(waiter.id())->statement.source == Statement::Source::Running;
    });
    const KillReport report = act(orderFor(waits, waiter, KillKind::Query));
    QVERIFY2(!report.error, report.error ? qPrintable(report.error->toString()) : "");
    QVERIFY(report.outcome == Result::Ended || report.outcome == Result::RollingBack);
    const Reply ended = waiter.finish();
    QVERIFY(ended.error);
    QCOMPARE(ended.error->kind, LockError::Kind::Interrupted);
    QVERIFY(waiter.run("SELECT 1"));
    QVERIFY(isAlive(holder));
}

void TestSessionKill::anIdleSessionsStatementCannotBeEnded()
{
    Actor holder(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) { return now.session(holder.id()) != nullptr; });
    const KillPreview preview = previewKill(waits, m_reader->capabilities(), holder.id(), KillKind::Query);
    QVERIFY(preview.refusal.contains(QLatin1String("free nothing")));
    QVERIFY(previewKill(waits, m_reader->capabilities(), holder.id(), KillKind::Connection).refusal.isEmpty());
}

/// A pooled connection serves somebody else by the time the operator presses the button.
void TestSessionKill::anotherTransactionOfTheSameSessionIsLeftAlone()
{
    Actor holder(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) { return now.session(holder.id()) != nullptr; });
    const KillOrder order = orderFor(waits, holder);
    QVERIFY(order.target.transaction);
    QVERIFY(holder.run("COMMIT"));
    QCOMPARE(act(order).outcome, Result::TargetChanged);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 2 WHERE id = 2"));
    QCOMPARE(act(order).outcome, Result::TargetChanged);
    QVERIFY(holder.run("COMMIT"));
}

void TestSessionKill::anotherAccountWithTheSameNumberIsLeftAlone()
{
    Actor holder(*m_server);
    QVERIFY(holder.run("SELECT GET_LOCK('job', 0)"));
    KillOrder order;
    order.target.session = holder.id();
    look();
    order.target.identity = m_reader->capabilities().identity;
    order.target.user = QStringLiteral("somebody");
    order.target.host = QStringLiteral("localhost");
    order.operatorName = order.reason = QStringLiteral("test");
    QCOMPARE(act(order).outcome, Result::TargetChanged);
    QVERIFY(holder.run("SELECT 1"));
}

void TestSessionKill::whoGaveTheUserLockBackIsLeftAlone()
{
    Actor holder(*m_server);
    Actor waiter(*m_server);
    QVERIFY(holder.run("SELECT GET_LOCK('job', 0)"));
    waiter.start("SELECT GET_LOCK('job', 600)");
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return !now.edges.isEmpty(); });
    const KillOrder order = orderFor(waits, holder);
    QVERIFY(!order.target.transaction);
    QVERIFY(order.target.lock);
    QCOMPARE(order.target.lock->object.name.toLower(), QByteArray("job"));
    QVERIFY(holder.run("DO RELEASE_LOCK('job')"));
    QVERIFY(waiter.finish());
    QCOMPARE(act(order).outcome, Result::TargetChanged);
    QVERIFY(holder.run("SELECT 1"));
    QVERIFY(waiter.run("SELECT 1"));
}

void TestSessionKill::whoIsGoneIsAlreadyGone()
{
    auto holder = std::make_unique<Actor>(*m_server);
    QVERIFY(holder->run("BEGIN"));
    QVERIFY(holder->run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) { return now.session(holder->id()) != nullptr; });
    const KillOrder order = orderFor(waits, *holder);
    const quint64 id = holder->id();
    holder.reset();
    QVERIFY(eventually([&] {
        return m_observer->rows("SELECT id FROM information_schema.processlist WHERE id = " + QByteArray::number(id))
            .isEmpty();
    }));
    QCOMPARE(act(order).outcome, Result::AlreadyGone);
}

void TestSessionKill::aNumberFromBeforeARestartIsNotBelieved()
{
    Actor holder(*m_server);
    QVERIFY(holder.run("SELECT GET_LOCK('job', 0)"));
    ServerWaits waits = look();
    waits.identity = QStringLiteral("elsewhere:3306@1000000000");
    QCOMPARE(act(orderFor(waits, holder)).outcome, Result::TargetChanged);
    QVERIFY(holder.run("SELECT 1"));
}

void TestSessionKill::theOwnConnectionIsRefused()
{
    const ServerWaits waits = look();
    KillOrder order;
    order.target.session = m_session->connectionId();
    order.target.identity = waits.identity;
    order.target.user = QStringLiteral("root");
    order.operatorName = order.reason = QStringLiteral("test");
    const KillReport report = act(order);
    QCOMPARE(report.outcome, Result::Refused);
    QVERIFY(report.error->message.contains(QLatin1String("own connection")));
}

void TestSessionKill::anOrderWithoutReasonIsRefused()
{
    Actor holder(*m_server);
    QVERIFY(holder.run("SELECT GET_LOCK('job', 0)"));
    KillOrder order = orderFor(look(), holder);
    order.reason = QStringLiteral("  ");
    QCOMPARE(act(order).outcome, Result::Refused);
    order.reason = QStringLiteral("stuck");
    order.operatorName.clear();
    QCOMPARE(act(order).outcome, Result::Refused);
    QVERIFY(holder.run("SELECT 1"));
}

void TestSessionKill::aMissingPrivilegeIsNamed()
{
    Actor holder(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    m_observer->run("DROP USER IF EXISTS 'watcher'@'localhost'");
    m_observer->run("CREATE USER 'watcher'@'localhost'");
    m_observer->run("GRANT PROCESS ON *.* TO 'watcher'@'localhost'");
    m_observer->run("GRANT SELECT ON performance_schema.* TO 'watcher'@'localhost'");
    SessionTarget target = targetFor(*m_server);
    target.url.user = QStringLiteral("watcher");
    target.url.schema.clear();
    LockError error;
    m_reader.reset();
    m_session = Session::open(target, &error);
    QVERIFY2(m_session, qPrintable(error.toString()));
    m_reader = std::make_unique<WaitsReader>(*m_session);
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) { return now.session(holder.id()) != nullptr; });
    const KillReport report = act(orderFor(waits, holder));
    QCOMPARE(report.outcome, Result::Failed);
    QCOMPARE(report.error->kind, LockError::Kind::NoPermission);
    QVERIFY(report.error->message.contains(QLatin1String("CONNECTION ADMIN")));
    QVERIFY(report.error->message.contains(QLatin1String("SYSTEM_USER"))); // of root on MySQL
    QVERIFY(holder.run("COMMIT"));
}

/// A hosted server's procedure ends the session for a user who may not.
void TestSessionKill::aHostedServersProcedureIsTried()
{
    m_observer->run("DROP PROCEDURE IF EXISTS mysql.rds_kill");
    m_observer->run("CREATE PROCEDURE mysql.rds_kill(IN thread BIGINT) SQL SECURITY DEFINER KILL thread");
    m_observer->run("DROP USER IF EXISTS 'hosted'@'localhost'");
    m_observer->run("CREATE USER 'hosted'@'localhost'");
    m_observer->run("GRANT PROCESS ON *.* TO 'hosted'@'localhost'");
    m_observer->run("GRANT SELECT ON performance_schema.* TO 'hosted'@'localhost'");
    m_observer->run("GRANT EXECUTE ON PROCEDURE mysql.rds_kill TO 'hosted'@'localhost'");
    m_observer->run("DROP USER IF EXISTS 'shop'@'localhost'"); // nobody but a SYSTEM_USER may end root's on MySQL
    m_observer->run("CREATE USER 'shop'@'localhost'");
    m_observer->run("GRANT ALL ON shop.* TO 'shop'@'localhost'");
    SessionTarget shop = targetFor(*m_server);
    shop.url.user = shop.url.schema = QStringLiteral("shop");
    Actor holder(shop);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    SessionTarget target = targetFor(*m_server);
    target.url.user = QStringLiteral("hosted");
    target.url.schema.clear();
    LockError error;
    m_reader.reset();
    m_session = Session::open(target, &error);
    QVERIFY2(m_session, qPrintable(error.toString()));
    m_reader = std::make_unique<WaitsReader>(*m_session);
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) { return now.session(holder.id()) != nullptr; });
    QCOMPARE(m_reader->capabilities().hosting, QStringLiteral("Amazon RDS"));
    const KillReport report = act(orderFor(waits, holder));
    QVERIFY2(!report.error, report.error ? qPrintable(report.error->toString()) : "");
    QVERIFY2(report.statement.contains("CALL `mysql`.`rds_kill`"), report.statement.constData());
    QVERIFY(eventually([&] { return !isAlive(holder); }));
    m_observer->run("DROP PROCEDURE mysql.rds_kill");
}

void TestSessionKill::thePreviewTellsWhoGoesOn()
{
    Actor holder(*m_server);
    Actor one(*m_server);
    Actor two(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id <= 2"));
    one.start("UPDATE shop.stock SET n = 2 WHERE id = 1");
    lookUntil([](const ServerWaits &now) { return now.edges.size() == 1; });
    two.start("UPDATE shop.stock SET n = 2 WHERE id = 2");
    const ServerWaits waits = lookUntil([](const ServerWaits &now) { return now.edges.size() == 2; });
    const KillPreview preview = previewKill(waits, m_reader->capabilities(), holder.id(), KillKind::Connection);
    QCOMPARE(QSet<quint64>(preview.freed.cbegin(), preview.freed.cend()), QSet<quint64>({one.id(), two.id()}));
    QVERIFY(preview.stillBlocked.isEmpty());
    QCOMPARE(preview.rowsToRollBack, quint64(2));
    QCOMPARE(preview.deadlocks, 0);
    QVERIFY(preview.statement.contains(QByteArray::number(holder.id())));
    holder.run("ROLLBACK");
    QVERIFY(one.finish());
    QVERIFY(two.finish());
}

void TestSessionKill::thePreviewExpectsTheDeadlockOfAnInsert()
{
    Actor holder(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("INSERT INTO shop.stock VALUES (100, 0)"));
    Actor one(*m_server);
    Actor two(*m_server);
    one.start("INSERT INTO shop.stock VALUES (100, 1)");
    two.start("INSERT INTO shop.stock VALUES (100, 2)");
    const ServerWaits waits = lookUntil([&](const ServerWaits &now) {
        return std::count_if(now.edges.cbegin(), now.edges.cend(),
                             [&](const WaitEdge &edge) { return edge.blocker == holder.id(); })
            == 2;
    });
    const KillPreview preview = previewKill(waits, m_reader->capabilities(), holder.id(), KillKind::Connection);
    QCOMPARE(preview.deadlocks, 1);
    act(orderFor(waits, holder));
    const bool oneDone = bool(one.finish());
    const bool twoDone = bool(two.finish());
    QVERIFY(oneDone != twoDone); // as was predicted
}

void TestSessionKill::theUndoingIsFollowedToItsEnd()
{
    WaitsFeed feed(targetFor(*m_server));
    QSignalSpy killed(&feed, &WaitsFeed::killed);
    QSignalSpy updated(&feed, &WaitsFeed::updated);
    m_observer->run("CREATE TABLE shop.many (id INT PRIMARY KEY AUTO_INCREMENT, n INT) ENGINE=InnoDB");
    Actor holder(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("INSERT INTO shop.many (n) WITH d (i) AS (SELECT 0 UNION ALL SELECT 1 UNION ALL SELECT 2 UNION "
                       "ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION "
                       "ALL SELECT 8 UNION ALL SELECT 9) SELECT a.i FROM d AS a, d AS b, d AS c, d AS e, d AS f"));
    feed.setInterval(200ms);
    feed.start();
    ServerWaitsPtr waits;
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
            if (updated.isEmpty())
                return false;
            waits = updated.last()[0].value<ServerWaitsPtr>();
            const ServerSession *session = waits->session(holder.id());
            return session && session->transaction && session->transaction->rowsChanged >= 100'000;
        }(),
        kPatience);
    feed.kill(orderFor(*waits, holder));
    QTRY_COMPARE_WITH_TIMEOUT(killed.size(), 1, kPatience);
    const auto report = killed[0][1].value<KillReport>();
    QVERIFY2(!report.error, report.error ? qPrintable(report.error->toString()) : "");
    QCOMPARE(report.outcome, Result::Ended);
    QCOMPARE(report.rowsLeft, quint64(0));
    QVERIFY(!isAlive(holder));
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM shop.many").toInt(), 0);
}

QTEST_GUILESS_MAIN(TestSessionKill)
#include "tst_sessionkill.moc"
