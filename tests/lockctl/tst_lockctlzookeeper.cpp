// SPDX-License-Identifier: MIT
// lockctl where the locks are on ZooKeeper.
#include "stores/common/storectltest.h"
#include "stranger.h"
#include "zookeeperfixture.h"

#include <QtTest/QtTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class LockctlZooKeeperTest : public StoreCtlTest
{
    Q_OBJECT

public:
    LockctlZooKeeperTest()
        : StoreCtlTest(m_zookeeper, "cZxid = 0x", 16)
    {
    }

private Q_SLOTS:
    void aCuratorsLockIsListed();
    void aCuratorsHolderIsSaidToWorkOn();
    void whoWaitsForAKazooLockIsMentionedToMonitoring();
    void whatTheStoreCannotDoIsRefused_data();
    void aWrongAddressIsToldBeforeAnythingIsRun_data();
    void whatIsNoZooKeeperIsSaid();

private:
    QString url() const override { return m_zookeeper.m_url.toString(); }

    ZooKeeperBench m_zookeeper;
};

void LockctlZooKeeperTest::aCuratorsLockIsListed()
{
    const QByteArray node = m_zookeeper.folder("curators") + "/_c_1-lock-0000000000";
    QCOMPARE(m_zookeeper.m_eye->make(node, "10.0.0.7"), 0);
    const QJsonValue lock = locks()[0];
    QCOMPARE(lock[u"resource"_s].toString(), u"curators"_s);
    QCOMPARE(lock[u"owner"_s][u"host"_s].toString(), u"10.0.0.7"_s);
    QVERIFY(lock[u"remainingMs"_s].isNull());
}

void LockctlZooKeeperTest::aCuratorsHolderIsSaidToWorkOn()
{
    const QByteArray node = m_zookeeper.folder("curators") + "/_c_1-lock-0000000000";
    QCOMPARE(m_zookeeper.m_eye->make(node, "10.0.0.7"), 0);
    const QString token = QString::number(locks()[0][u"token"_s].toInteger());
    const auto shown =
        m_ctl->run({u"release"_s, u"curators"_s, u"--token"_s, token, u"--reason"_s, u"it hangs"_s, u"--dry-run"_s});
    QVERIFY2(shown.exitCode == 0 && shown.out.contains("told nothing") && !shown.out.contains("next renewal"),
             shown.text());
}

void LockctlZooKeeperTest::whoWaitsForAKazooLockIsMentionedToMonitoring()
{
    ZooKeeperConfig config = m_zookeeper.config();
    const QByteArray folder = config.server.chroot.toUtf8() + "/app/invoices";
    QCOMPARE(m_zookeeper.m_eye->make(folder), 0);
    config.server.chroot.clear();
    LockError error;
    const auto kazoo = detail::ZooKeeperSession::open(config, {[] {}, [](const QByteArray &, bool) {}}, &error);
    QVERIFY2(kazoo && kazoo->waitConnected(30s), qPrintable(error.toString()));
    for (int i = 0; i < 2; ++i) {
        detail::ZooKeeperFlight flight(*kazoo);
        flight.create(folder + "/0f8fad5bd9cb469fa16570867728950e__lock__", "a7",
                      detail::ZooKeeperFlight::Node::EphemeralSequential);
        flight.wait();
        QCOMPARE(flight[0].code, 0);
    }
    const auto old = m_ctl->run({u"check"_s, u"--max-wait"_s, u"1h"_s, u"--max-held"_s, u"1ms"_s});
    QVERIFY2(old.exitCode == 2
                 && old.out.startsWith("CRITICAL - nobody waits for a lease; " + folder + " has been held"),
             old.text());
    QVERIFY2(old.out.contains("; 1 request that waits for a lock of another program is not judged|")
                 && old.out.contains(" queue=0;"),
             old.text());
}

void LockctlZooKeeperTest::whatTheStoreCannotDoIsRefused_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("told");
    QTest::newRow("a row") << QStringList{u"--mode"_s, u"pessimistic"_s}
                           << QByteArray("pessimistic is for MySQL and MariaDB");
    QTest::newRow("a minimum") << QStringList{u"--hold-at-least"_s, u"1s"_s} << QByteArray("A minimum hold time");
    QTest::newRow("a short TTL") << QStringList{u"--ttl"_s, u"1s"_s} << QByteArray("The TTL must be at least 10 s");
}

void LockctlZooKeeperTest::aWrongAddressIsToldBeforeAnythingIsRun_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QByteArray>("told");
    QTest::newRow("no server there") << u"zookeeper://localhost:1"_s << QByteArray("No ZooKeeper answers");
    QTest::newRow("a password in it") << u"zookeeper://ada:secret@localhost"_s << QByteArray("password");
    QTest::newRow("a user without one") << u"zookeeper://ada@localhost"_s << QByteArray("user ada has no password");
    QTest::newRow("another machine") << u"zookeeper://db1"_s << QByteArray("tls=off");
}

void LockctlZooKeeperTest::whatIsNoZooKeeperIsSaid()
{
    const Stranger mysql("[ 5.5.5-10.11.14-MariaDB");
    const auto listed = CtlRunner(u"zookeeper://127.0.0.1:%1"_s.arg(mysql.port())).run({u"list"_s});
    QVERIFY2(listed.exitCode > 0 && listed.err.contains("is no ZooKeeper"), listed.text());
}

QTEST_GUILESS_MAIN(LockctlZooKeeperTest)
#include "tst_lockctlzookeeper.moc"
