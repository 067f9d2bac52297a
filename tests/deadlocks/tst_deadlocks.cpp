// SPDX-License-Identifier: MIT
// Deadlocks of a real server, read again and again.
#include "deadlockmaker.h"
#include "deadlocks/deadlockinbox.h"
#include "logreading.h"
#include "waitstest.h"

#include <QtTest/QTest>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::test;

namespace {

/// The lock that a side waits for, in words.
QString wanted(const Deadlock &deadlock, const Actor &actor)
{
    for (const DeadlockEdge &edge : edgesOf(deadlock)) {
        if (deadlock.side(edge.waiter)->session == actor.id())
            return edge.lock.table + u' ' + edge.lock.index + u' ' + deadlock.keyOf(edge.lock);
    }
    return {};
}

} // namespace

class TestDeadlocks : public WaitsTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void whoWaitedForWhomAndWhyIsRead_data();
    void whoWaitedForWhomAndWhyIsRead();
    void aDeadlockIsNewsOnceAndTheUnseenAreCounted();
    void aRestartedServerHasItsOwnCount();
    void whoMayNotReadIsTold();
    void anInboxThatIsHandedOnCountsNothingTwice();
    void theTextIsReadOnlyWhenThereIsOneMore();
    void theErrorLogHasThemAll_data();
    void theErrorLogHasThemAll();

private:
    void makeDeadlock();
    DeadlockNews read();

    DeadlockFeed m_feed;
};

void TestDeadlocks::init()
{
    WaitsTest::init();
    m_feed = DeadlockFeed();
    m_observer->run("CREATE TABLE IF NOT EXISTS shop.orders (id INT PRIMARY KEY, no VARCHAR(20) NOT NULL, "
                    "total INT NOT NULL, KEY (no)) ENGINE = InnoDB");
    m_observer->run("REPLACE INTO shop.orders VALUES (-1, 'a', 1), (2, 'b', 1), (5, 'e', 1)");
    DeadlockNews before;
    QVERIFY(!m_feed.read(*m_session, &before)); // what other tests left
}

void TestDeadlocks::makeDeadlock()
{
    Actor one(*m_used);
    Actor other(*m_used);
    QVERIFY(test::makeDeadlock(
        *m_observer, one, other,
        {"UPDATE shop.orders SET total = 2 WHERE id = 2", "UPDATE shop.orders SET total = 3 WHERE id = 5",
         "UPDATE shop.orders SET total = 4 WHERE id = 5", "UPDATE shop.orders SET total = 5 WHERE id = 2"}));
}

DeadlockNews TestDeadlocks::read()
{
    DeadlockNews news;
    const auto error = m_feed.read(*m_session, &news);
    if (error)
        qFatal("%s", qUtf8Printable(error->toString()));
    return news;
}

void TestDeadlocks::whoWaitedForWhomAndWhyIsRead_data()
{
    QTest::addColumn<QList<QByteArray>>("statements");
    QTest::addColumn<QString>("one");
    QTest::addColumn<QString>("other");
    QTest::addColumn<QString>("cause");
    QTest::newRow("two orders") << QList<QByteArray>{"UPDATE shop.orders SET total = 2 WHERE id = -1",
                                                     "UPDATE shop.orders SET total = 3 WHERE id = 5",
                                                     "UPDATE shop.orders SET total = 4 WHERE id = 5",
                                                     "UPDATE shop.orders SET total = 5 WHERE id = -1"}
                                << QStringLiteral("orders PRIMARY 5") << QStringLiteral("orders PRIMARY -1")
                                << QStringLiteral("order");
    QTest::newRow("shared, then alone")
        << QList<QByteArray>{"SELECT * FROM shop.orders WHERE id = 2 LOCK IN SHARE MODE",
                             "SELECT * FROM shop.orders WHERE id = 2 LOCK IN SHARE MODE",
                             "UPDATE shop.orders SET total = 4 WHERE id = 2",
                             "UPDATE shop.orders SET total = 5 WHERE id = 2"}
        << QStringLiteral("orders PRIMARY 2") << QStringLiteral("orders PRIMARY 2") << QStringLiteral("upgrade");
    QTest::newRow("two tables") << QList<QByteArray>{"UPDATE shop.stock SET n = n + 1 WHERE id = 1",
                                                     "UPDATE shop.orders SET total = 3 WHERE id = 5",
                                                     "UPDATE shop.orders SET total = 4 WHERE id = 5",
                                                     "UPDATE shop.stock SET n = n + 1 WHERE id = 1"}
                                << QStringLiteral("orders PRIMARY 5") << QStringLiteral("stock PRIMARY 1")
                                << QStringLiteral("tables");
}

void TestDeadlocks::whoWaitedForWhomAndWhyIsRead()
{
    QFETCH(QList<QByteArray>, statements);
    Actor one(*m_used);
    Actor other(*m_used);
    QVERIFY(test::makeDeadlock(*m_observer, one, other, statements));
    const DeadlockNews news = read();
    QVERIFY(news.latest);
    QCOMPARE(news.latest->sides.size(), 2);
    QVERIFY(news.latest->victim > 0);
    QVERIFY(!news.latest->isCut);
    QTEST(wanted(*news.latest, one), "one");
    QTEST(wanted(*news.latest, other), "other");
    QTEST(causeName(causeOf(*news.latest)), "cause");
    QCOMPARE(news.notCaptured, std::optional<quint64>(0));
}

void TestDeadlocks::aDeadlockIsNewsOnceAndTheUnseenAreCounted()
{
    makeDeadlock();
    const DeadlockNews first = read();
    QVERIFY(first.latest);
    QCOMPARE(first.notCaptured, std::optional<quint64>(0));
    const DeadlockNews nothing = read();
    QVERIFY(!nothing.latest);
    QCOMPARE(nothing.notCaptured, std::optional<quint64>(0));
    for (int i = 0; i < 3; ++i)
        makeDeadlock();
    const DeadlockNews second = read();
    QVERIFY(second.latest);
    QCOMPARE(second.notCaptured, std::optional<quint64>(2));
    QCOMPARE(shapeOf(*second.latest), shapeOf(*first.latest));
}

void TestDeadlocks::aRestartedServerHasItsOwnCount()
{
    makeDeadlock();
    read();
    m_used->restart();
    use(*m_used);
    const DeadlockNews news = read();
    QVERIFY(!news.latest);
    QVERIFY(news.isRestarted);
    QCOMPARE(news.notCaptured, std::optional<quint64>(0));
}

void TestDeadlocks::whoMayNotReadIsTold()
{
    lookAs(userWith("blind", {}));
    DeadlockNews news;
    const auto error = m_feed.read(*m_session, &news);
    QVERIFY(error);
    QCOMPARE(error->code, 1227);
}

void TestDeadlocks::anInboxThatIsHandedOnCountsNothingTwice()
{
    DeadlockInbox inbox;
    bool isChanged = false;
    QVERIFY(!inbox.read(*m_session, &isChanged));
    QVERIFY(isChanged);
    const quint64 before = inbox.missedBefore();
    makeDeadlock();
    QVERIFY(!inbox.read(*m_session, &isChanged));
    QVERIFY(isChanged);
    QCOMPARE(inbox.shapes()[0].count, quint64(1));
    QCOMPARE(inbox.shapes()[0].tables, QStringList{QStringLiteral("shop.orders")});
    QCOMPARE(inbox.arrived(), quint64(1));

    DeadlockInbox next = inbox;
    makeDeadlock();
    makeDeadlock();
    use(*m_used); // another session
    QVERIFY(!next.read(*m_session, &isChanged));
    QVERIFY(isChanged);
    QCOMPARE(next.shapes()[0].count, quint64(2));
    QCOMPARE(next.missedSince(), quint64(1));
    QCOMPARE(next.missedBefore(), before);
    QVERIFY(!next.read(*m_session, &isChanged));
    QVERIFY(!isChanged);
}

void TestDeadlocks::theTextIsReadOnlyWhenThereIsOneMore()
{
    Observer observer(*m_used);
    read();
    observer.startLog();
    read();
    QVERIFY(observer.logged().filter(QStringLiteral("INNODB STATUS")).isEmpty());
    makeDeadlock();
    observer.startLog();
    read();
    QVERIFY(!observer.logged().filter(QStringLiteral("INNODB STATUS")).isEmpty());
}

void TestDeadlocks::theErrorLogHasThemAll_data()
{
    QTest::addColumn<bool>("isVerbose");
    QTest::newRow("as it is by default") << false;
    QTest::newRow("with all it can tell") << true;
}

void TestDeadlocks::theErrorLogHasThemAll()
{
    QFETCH(bool, isVerbose);
    m_observer->run("SET GLOBAL innodb_print_all_deadlocks = ON");
    if (isVerbose && m_used->family() == Family::MySql)
        m_observer->run("SET GLOBAL log_error_verbosity = 3");
    const qsizetype before = m_used->log().size();
    constexpr int many = 3;
    for (int i = 0; i < many; ++i)
        makeDeadlock();
    const DeadlockNews latest = read();
    m_observer->run("SET GLOBAL innodb_print_all_deadlocks = OFF");
    const QList<Deadlock> found = deadlocksIn(m_used->log().mid(before).toUtf8());
    QCOMPARE(found.size(), many);
    for (const Deadlock &deadlock : found)
        QCOMPARE(shapeOf(deadlock), shapeOf(*latest.latest));
    QCOMPARE(edgesOf(found.last()).size(), edgesOf(*latest.latest).size());
    const bool isToldAll = isVerbose || m_used->family() == Family::MariaDb;
    QCOMPARE(found.last().victim, isToldAll ? latest.latest->victim : 0);
    QCOMPARE(found.last().at.isEmpty(), !isToldAll);
}

QTEST_GUILESS_MAIN(TestDeadlocks)
#include "tst_deadlocks.moc"
