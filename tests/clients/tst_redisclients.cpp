// SPDX-License-Identifier: MIT
// A program that locks by a key of Redis takes its lock, Lockscope sees it and releases it, and the program goes on
// unharmed.
#include "keyclient.h"
#include "keylocks/conventionlibrary.h"
#include "sources/redissource.h"
#include "strict.h"
#include "testredis.h"

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class RedisClientsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { failOnWarnings(); }
    void aClientGoesOnAfterItsLockWasReleased_data();
    void aClientGoesOnAfterItsLockWasReleased();

private:
    TestRedis m_node;
};

void RedisClientsTest::aClientGoesOnAfterItsLockWasReleased_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QString>("convention");
    QTest::addColumn<QByteArrayList>("said");
    const QByteArrayList released{"another takes it: yes", "the holder is told: yes", "the other has it: yes", "done"};
    QTest::newRow("redis-py") << u"redispy.py"_s << QByteArray("orders-lock") << u"redis-py"_s << released;
    QTest::newRow("node-redlock") << u"redlock.js"_s << QByteArray("locks:account:322456") << u"redlock"_s << released;
    QTest::newRow("redis-semaphore") << u"semaphore.js"_s << QByteArray("mutex:orders") << u"redis-semaphore"_s
                                     << released;
    QTest::newRow("BullMQ") << u"bullmq.js"_s << QByteArray("bull:mail:1:lock") << u"bullmq"_s
                            << QByteArrayList{"the job ran: once", "done"};
}

void RedisClientsTest::aClientGoesOnAfterItsLockWasReleased()
{
    QFETCH(QString, script);
    QFETCH(QByteArray, name);
    QFETCH(QString, convention);
    QFETCH(QByteArrayList, said);
    KeyClient client(script, u"CLIENT_SOCKET"_s, m_node.url().socket);
    QCOMPARE(client.line(), QByteArray("held"));
    RedisSource source({.server = m_node.url(), .password = {}});
    source.useConventions(conventionsFor(builtInConventions(), KeyStore::Redis, source.server(), false));
    KeyLocks found;
    QVERIFY(!source.keyLocks({100}, {}, &found));
    QCOMPARE(found.rows.size(), 1);
    const LockRow lock = found.rows.first();
    QCOMPARE(lock.key.resource, name);
    QCOMPARE(lock.keyLock->convention.id, convention);
    if (lock.keyLock->convention.release.isOffered)
        QCOMPARE(source.endKey(*lock.keyLock, lock.keyLock->holders.first()).outcome, ForcedRelease::Outcome::Released);
    client.goOn();
    for (const QByteArray &line : said)
        QCOMPARE(client.line(), line);
    m_node.ask({"FLUSHALL"});
}

QTEST_GUILESS_MAIN(RedisClientsTest)
#include "tst_redisclients.moc"
