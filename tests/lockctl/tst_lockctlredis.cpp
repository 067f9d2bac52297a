// SPDX-License-Identifier: MIT
// lockctl where the locks are on Redis.
#include "redisfixture.h"
#include "stores/common/storectltest.h"

#include <QtTest/QtTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class LockctlRedisTest : public StoreCtlTest
{
    Q_OBJECT

public:
    LockctlRedisTest()
        : StoreCtlTest(m_redis, "\"")
    {
    }

private Q_SLOTS:
    void whatTheStoreCannotDoIsRefused_data();
    void aWrongAddressIsToldBeforeAnythingIsRun_data();
    void aRunWhoseLeaseIsDeletedIs76();
    void aWrongPasswordIsTold();
    void aQueueIsReadOnce();

private:
    QString url() const override { return m_redis.m_node->url().toString(); }

    RedisBench m_redis;
};

void LockctlRedisTest::whatTheStoreCannotDoIsRefused_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("told");
    QTest::newRow("a row") << QStringList{u"--mode"_s, u"pessimistic"_s}
                           << QByteArray("pessimistic is for MySQL and MariaDB");
}

void LockctlRedisTest::aWrongAddressIsToldBeforeAnythingIsRun_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QByteArray>("told");
    QTest::newRow("no server there") << u"redis:///?socket=/nowhere/s"_s << QByteArray("/nowhere/s");
    QTest::newRow("a password in it") << u"redis://ada:secret@localhost"_s << QByteArray("password");
    QTest::newRow("a password with a slash in it") << u"redis://ada:1/secret@localhost"_s << QByteArray("password");
    QTest::newRow("no port") << u"redis://localhost:nowhere"_s << QByteArray("redis://");
}

void LockctlRedisTest::aRunWhoseLeaseIsDeletedIs76()
{
    const auto holder = hold();
    m_redis.m_node->ask({"DEL", "lockscope:{nightly}"}); // as somebody in a hurry would
    const auto ended = end(*holder);
    QVERIFY2(ended.exitCode == 76, ended.text());
}

void LockctlRedisTest::aWrongPasswordIsTold()
{
    m_redis.m_node->ask({"CONFIG", "SET", "requirepass", "right"});
    CtlRunner wrong(url());
    wrong.set("LOCKSCOPE_PASSWORD", u"wrong-one"_s);
    const auto refused = wrong.run({u"run"_s, u"nightly"_s, u"--"_s, u"echo"_s, u"ran"_s});
    wrong.set("LOCKSCOPE_PASSWORD", u"right"_s);
    const auto taken =
        wrong.run({u"run"_s, u"nightly"_s, u"--"_s, u"sh"_s, u"-c"_s, u"echo ran $LOCKSCOPE_PASSWORD"_s});
    m_redis.m_node->ask({"CONFIG", "SET", "requirepass", ""});
    QVERIFY2(refused.exitCode > 0 && refused.out.isEmpty() && !refused.err.contains("wrong-one"), refused.text());
    QVERIFY2(taken.exitCode == 0 && taken.out == "ran\n", taken.text());
}

void LockctlRedisTest::aQueueIsReadOnce()
{
    const auto holder = hold();
    const auto waiting = m_ctl->start({u"run"_s, u"nightly"_s, u"--"_s, u"true"_s});
    QVERIFY(eventually([this] { return m_redis.waiters("nightly") == 1; }));
    m_redis.m_node->ask({"CONFIG", "RESETSTAT"});
    const auto waiters = m_ctl->run({u"waiters"_s, u"nightly"_s, u"--json"_s});
    QVERIFY2(waiters.array().size() == 1 && waiters.err.isEmpty(), waiters.text());
    QCOMPARE(m_redis.m_node->calls("zrange"), 1); // of queue.lua alone
    end(*holder);
    QCOMPARE(CtlRunner::finish(*waiting).exitCode, 0);
}

QTEST_GUILESS_MAIN(LockctlRedisTest)
#include "tst_lockctlredis.moc"
