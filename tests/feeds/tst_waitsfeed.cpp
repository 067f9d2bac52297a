// SPDX-License-Identifier: MIT
// What the console does beside its looks: on servers that never heard of it, that are full, slow or frozen.
#include "deadlockmaker.h"
#include "enginetest.h"

#include "feeds/waitsfeed.h"

#include <QtCore/QScopeGuard>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatience = 30'000;

} // namespace

class TestWaitsFeed : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();

    void aServerThatNeverHeardOfUsIsWatched_data();
    void aServerThatNeverHeardOfUsIsWatched();
    void aSessionIsEndedOnAServerThatIsFull();
    void theServerItselfEndsASlowLook();
    void aFrozenServerIsTold();
    void undoingIsFollowedOnTheConnectionThatLooks();
    void deadlocksAreToldAsTheyCome();
    void whoMayNotReadDeadlocksIsToldOnceAndWatchesTheRest();

private:
    SessionTarget userTarget(const QString &user, const QString &schema = {}) const;
    KillOrder orderFor(const ServerWaits &waits, const Actor &actor) const;
    /// A look that saw somebody wait, and not the first: InnoDB's lists of that one may be of different moments.
    ServerWaitsPtr steadyWaits(QSignalSpy *updated);
};

void TestWaitsFeed::initTestCase()
{
    EngineTest::initTestCase();
    Observer observer(*m_server);
    observer.run("CREATE USER IF NOT EXISTS 'ops'@'localhost'");
    const QByteArray mayKill = m_server->family() == Family::MariaDb ? "CONNECTION ADMIN" : "CONNECTION_ADMIN";
    observer.run("GRANT PROCESS, " + mayKill + " ON *.* TO 'ops'@'localhost'");
    observer.run("GRANT SELECT ON performance_schema.* TO 'ops'@'localhost'");
    observer.run("CREATE USER IF NOT EXISTS 'app'@'localhost' WITH MAX_USER_CONNECTIONS 3");
    observer.run("GRANT PROCESS ON *.* TO 'app'@'localhost'");
    observer.run("GRANT SELECT ON performance_schema.* TO 'app'@'localhost'");
    observer.run("GRANT ALL ON shop.* TO 'app'@'localhost'");
}

void TestWaitsFeed::init()
{
    EngineTest::init();
    const QByteArray left = "SELECT COUNT(*) FROM information_schema.processlist WHERE user = 'app'";
    QVERIFY(eventually([&] { return m_observer->value(left) == 0; })); // it may have few connections at a time
    m_observer->run("DROP DATABASE IF EXISTS shop");
    m_observer->run("CREATE DATABASE shop");
    m_observer->run("CREATE TABLE shop.stock (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB");
    m_observer->run("INSERT INTO shop.stock VALUES (1,0),(2,0),(3,0)");
}

SessionTarget TestWaitsFeed::userTarget(const QString &user, const QString &schema) const
{
    SessionTarget target = targetFor(*m_server);
    target.url.user = user;
    target.url.schema = schema;
    return target;
}

KillOrder TestWaitsFeed::orderFor(const ServerWaits &waits, const Actor &actor) const
{
    return {KillTarget::of(waits, actor.id()), KillKind::Connection, u"test"_s, u"stuck"_s};
}

ServerWaitsPtr TestWaitsFeed::steadyWaits(QSignalSpy *updated)
{
    ServerWaitsPtr waits;
    const auto isSteady = [&] {
        int seen = 0;
        for (const auto &arguments : std::as_const(*updated)) {
            waits = arguments.first().value<ServerWaitsPtr>();
            seen += waits->edges.isEmpty() ? 0 : 1;
        }
        return seen > 1;
    };
    if (!QTest::qWaitFor(isSteady, kPatience))
        qFatal("Nobody was seen to wait.");
    return waits;
}

void TestWaitsFeed::aServerThatNeverHeardOfUsIsWatched_data()
{
    QTest::addColumn<QString>("schema");

    QTest::newRow("no such schema, and no right to one") << u"absent"_s;
    QTest::newRow("a schema that it may not use") << u"shop"_s;
}

void TestWaitsFeed::aServerThatNeverHeardOfUsIsWatched()
{
    QFETCH(QString, schema);
    Actor holder(userTarget(u"app"_s));
    Actor waiter(userTarget(u"app"_s));
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    waiter.start("UPDATE shop.stock SET n = 2 WHERE id = 1");
    WaitsFeed feed(userTarget(u"ops"_s, schema));
    QSignalSpy updated(&feed, &WaitsFeed::updated);
    QSignalSpy failed(&feed, &WaitsFeed::failed);
    QSignalSpy killed(&feed, &WaitsFeed::killed);
    feed.start();
    const ServerWaitsPtr waits = steadyWaits(&updated);
    feed.kill(orderFor(*waits, holder), ServerAccess::toAct());
    QVERIFY(waiter.finish());
    QTRY_COMPARE_WITH_TIMEOUT(killed.size(), 1, kPatience);
    QCOMPARE(killed[0][1].value<KillReport>().outcome, KillReport::Outcome::Ended);
    QCOMPARE(failed.size(), 0);
}

/// Everybody waits for one lock until there is no connection left: when the console is needed most.
void TestWaitsFeed::aSessionIsEndedOnAServerThatIsFull()
{
    Actor holder(userTarget(u"app"_s));
    Actor waiter(userTarget(u"app"_s));
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.stock SET n = 1 WHERE id = 1"));
    waiter.start("UPDATE shop.stock SET n = 2 WHERE id = 1");
    WaitsFeed feed(userTarget(u"app"_s));
    QSignalSpy updated(&feed, &WaitsFeed::updated);
    QSignalSpy killed(&feed, &WaitsFeed::killed);
    feed.start();
    const ServerWaitsPtr waits = steadyWaits(&updated);
    LockError full;
    QVERIFY(!Session::open(userTarget(u"app"_s), &full));
    feed.kill(orderFor(*waits, holder), ServerAccess::toAct());
    QTRY_COMPARE_WITH_TIMEOUT(killed.size(), 1, kPatience);
    const auto report = killed[0][1].value<KillReport>();
    QVERIFY2(!report.error, report.error ? qPrintable(report.error->toString()) : "");
    QCOMPARE(report.outcome, KillReport::Outcome::Ended);
    QVERIFY(waiter.finish());
}

void TestWaitsFeed::theServerItselfEndsASlowLook()
{
    SessionTarget target = forWatching(targetFor(*m_server));
    QVERIFY(target.statementLimit < target.readTimeout);
    target.statementLimit = std::chrono::seconds(1);
    LockError error;
    const auto session = Session::open(target, &error);
    QVERIFY2(session, qPrintable(error.toString()));
    // MySQL's SLEEP() returns 1 when it is broken off by the limit, MariaDB's ends with an error.
    const Reply reply = session->run("SELECT SLEEP(600)", "slow");
    QVERIFY(reply.error ? reply.error->kind == LockError::Kind::Interrupted : reply.value().toInt() == 1);
    QVERIFY(!session->isGone());
    QVERIFY(session->run("SELECT 1", "after"));
}

void TestWaitsFeed::aFrozenServerIsTold()
{
    WaitsFeed feed(targetFor(*m_server));
    QSignalSpy updated(&feed, &WaitsFeed::updated);
    QSignalSpy failed(&feed, &WaitsFeed::failed);
    feed.start();
    QTRY_VERIFY_WITH_TIMEOUT(!updated.isEmpty(), kPatience);
    m_server->freeze();
    const auto thaw = qScopeGuard([this] { m_server->thaw(); });
    const auto isGone = [](const QList<QVariant> &told) { return told.first().value<LockError>().connectionGone; };
    QTRY_VERIFY_WITH_TIMEOUT(std::any_of(failed.cbegin(), failed.cend(), isGone),
                             kPatience); // it may have been slow first
    m_server->thaw();
    updated.clear();
    QTRY_VERIFY_WITH_TIMEOUT(!updated.isEmpty(), kPatience);
}

void TestWaitsFeed::undoingIsFollowedOnTheConnectionThatLooks()
{
    m_observer->run("CREATE TABLE shop.big (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB");
    m_observer->run("INSERT INTO shop.big "
                    "WITH d (i) AS (SELECT 0 UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL "
                    "SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7) "
                    "SELECT a.i + 8 * b.i + 64 * c.i + 512 * e.i + 4096 * f.i + 32768 * g.i, 0 "
                    "FROM d a, d b, d c, d e, d f, d g");
    Actor holder(*m_server);
    QVERIFY(holder.run("BEGIN"));
    QVERIFY(holder.run("UPDATE shop.big SET n = n + 1"));
    WaitsFeed feed(targetFor(*m_server));
    QSignalSpy updated(&feed, &WaitsFeed::updated);
    QSignalSpy killed(&feed, &WaitsFeed::killed);
    feed.start();
    ServerWaitsPtr waits;
    QTRY_VERIFY_WITH_TIMEOUT(
        !updated.isEmpty() && (waits = updated.last()[0].value<ServerWaitsPtr>())->session(holder.id()), kPatience);
    const QByteArray place = m_server->family() == Family::MariaDb ? "information_schema" : "performance_schema";
    const auto connects = [&] {
        return m_observer
            ->value("SELECT variable_value FROM " + place + ".global_status WHERE variable_name = 'Connections'")
            .toInt();
    };
    const int before = connects();
    feed.kill(orderFor(*waits, holder), ServerAccess::toAct());
    QTRY_COMPARE_WITH_TIMEOUT(killed.size(), 1, kPatience);
    QCOMPARE(killed[0][1].value<KillReport>().outcome, KillReport::Outcome::Ended);
    QVERIFY(connects() - before <= 1);
}

void TestWaitsFeed::deadlocksAreToldAsTheyCome()
{
    DeadlockInboxPtr inbox;
    {
        WaitsFeed feed(userTarget(u"ops"_s));
        QSignalSpy read(&feed, &WaitsFeed::deadlocksRead);
        feed.setInterval(std::chrono::milliseconds(0)); // its shortest
        feed.start();
        QVERIFY(read.count() > 0 || read.wait(kPatience));
        QVERIFY(makeDeadlock(*m_observer, *m_server, 1, 2));
        const auto hasCome = [&] {
            inbox = read.last().first().value<DeadlockInboxPtr>();
            return inbox->arrived() == 1;
        };
        QVERIFY(QTest::qWaitFor(hasCome, kPatience));
        QCOMPARE(inbox->shapes().first().tables, QStringList{u"shop.stock"_s});
    }
    // Another one goes on where this one ended.
    QVERIFY(makeDeadlock(*m_observer, *m_server, 2, 3));
    WaitsFeed feed(userTarget(u"ops"_s));
    QSignalSpy read(&feed, &WaitsFeed::deadlocksRead);
    feed.setDeadlocks(inbox);
    feed.start();
    QVERIFY(read.count() > 0 || read.wait(kPatience));
    const auto next = read.first().first().value<DeadlockInboxPtr>();
    QCOMPARE(next->arrived(), quint64(2));
    QCOMPARE(next->shapes().first().count, quint64(2));
    QCOMPARE(next->missedSince(), quint64(0));
}

void TestWaitsFeed::whoMayNotReadDeadlocksIsToldOnceAndWatchesTheRest()
{
    m_observer->run("CREATE USER IF NOT EXISTS 'blind'@'localhost'");
    WaitsFeed feed(userTarget(u"blind"_s));
    QSignalSpy updated(&feed, &WaitsFeed::updated);
    QSignalSpy failed(&feed, &WaitsFeed::failed);
    QSignalSpy refused(&feed, &WaitsFeed::deadlocksFailed);
    feed.setInterval(std::chrono::milliseconds(0));
    feed.start();
    QVERIFY(QTest::qWaitFor([&] { return updated.count() > 3; }, kPatience));
    QCOMPARE(refused.count(), 1);
    QCOMPARE(refused.first().first().value<LockError>().kind, LockError::Kind::NoPermission);
    feed.refresh();
    QVERIFY(QTest::qWaitFor([&] { return refused.count() == 2; }, kPatience));
    QCOMPARE(failed.count(), 0);
}

QTEST_GUILESS_MAIN(TestWaitsFeed)
#include "tst_waitsfeed.moc"
