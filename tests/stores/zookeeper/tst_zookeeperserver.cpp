// SPDX-License-Identifier: MIT
// What a ZooKeeper must be like, whom it lets in, and what others keep in it.
#include "lockscope/serverurl.h"
#include "stores/zookeeper/zookeeperprobe.h"
#include "stranger.h"
#include "strangersport.h"
#include "zookeeperfixture.h"

#include <QtTest/QTest>

#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class TestZooKeeperServer : public ZooKeeperTest
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsNoZooKeeperIsUnavailable_data();
    void whatIsNoZooKeeperIsUnavailable();
    void whatIsNoZooKeeperIsSaid();
    void aKeeperOfClickHouseIsNoStranger();
    void aNameWithoutAnAddressIsUnavailable();
    void aSessionTimeThatTheServerDoesNotGiveIsRefused_data();
    void aSessionTimeThatTheServerDoesNotGiveIsRefused();
    void aWrongConfigurationIsRefusedBeforeAnything_data();
    void aWrongConfigurationIsRefusedBeforeAnything();
    void severalHostsAreTried();
    void IPv6AddressesAreUnderstood();
    void aUsersLocksAreItsOwn();
    void aUserWithoutAPasswordIsRefusedBeforeAnything();
    void aPasswordGoesToNoStrangerOfThisMachine();
    void whatElseLiesInTheFolderIsLeftAlone();
    void aStrangersNodeIsWaitedForAndListed();
    void aNodeInThePlaceOfAFolderIsSaid();
    void foldersThatNoResourceHasAreLeftOut();
    void hostileDataDisturbsNobody_data();
    void hostileDataDisturbsNobody();
};

void TestZooKeeperServer::whatIsNoZooKeeperIsUnavailable_data()
{
    QTest::addColumn<QByteArray>("greeting");

    QTest::newRow("silent") << QByteArray();
    QTest::newRow("Redis") << QByteArray("-ERR unknown command\r\n");
    QTest::newRow("MySQL") << QByteArray("\x5b\x00\x00\x00\x0a"
                                         "9.7.4\x00",
                                         11)
            + QByteArray(85, 'x');
    // Which reads as the grant of a session of nine days.
    QTest::newRow("MariaDB") << QByteArray("\x5b\x00\x00\x00\x0a", 5) + QByteArray("5.5.5-10.11.14-MariaDB-0+deb12u2")
            + QByteArray(7, '\0');
    QTest::newRow("HTTP") << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n");
    QTest::newRow("a negative length") << QByteArray("\xff\xff\xff\xff", 4) + QByteArray(100, '\xff');
    QTest::newRow("zeros") << QByteArray(1000, '\0');
    // The grant of a session and an answer that nobody asked for, on which the client library ends the program.
    QTest::newRow("a grant and an answer")
        << QByteArray::fromHex("00000025 00000000 00002710 0000000000000001 00000010") + QByteArray(17, '\0')
            + QByteArray::fromHex("00000010 00000007 0000000000000001 00000000");
}

void TestZooKeeperServer::whatIsNoZooKeeperIsUnavailable()
{
    QFETCH(QByteArray, greeting);
    const Stranger stranger(greeting);
    ZooKeeperConfig wrong = config();
    wrong.server.hosts.first().port = stranger.port();
    wrong.connectTimeout = 1s;
    wrong.answerTimeout = 1s;
    LockEngine engine(engineOn(std::make_shared<ZooKeeperStore>(wrong)));
    const auto error = engine.connectToServer();
    QVERIFY(error);
    QCOMPARE(error->kind, LockError::Kind::Unavailable);
    QVERIFY2(error->message.contains(wrong.server.toString()), qPrintable(error->message));
}

void TestZooKeeperServer::whatIsNoZooKeeperIsSaid()
{
    const Stranger stranger("[ 5.5.5-MySQL");
    m_url.hosts.append({u"127.0.0.1"_s, stranger.port()}); // behind one that is one
    const auto error = newEngine()->connectToServer();
    QVERIFY(error);
    QCOMPARE(error->kind, LockError::Kind::Unavailable);
    QVERIFY2(error->message.contains(u"127.0.0.1:%1"_s.arg(stranger.port())), qPrintable(error->message));
    QVERIFY2(error->message.contains(u"is no ZooKeeper"_s), qPrintable(error->message));
}

void TestZooKeeperServer::aKeeperOfClickHouseIsNoStranger()
{
    const Stranger keeper("ClickHouse Keeper version: v24.8.4.13-altinity\nLatency min/avg/max: 0/0/0\n");
    ZooKeeperUrl url = m_url;
    url.hosts = {{u"127.0.0.1"_s, keeper.port()}};
    const auto error = detail::findStranger(url, 1s);
    QVERIFY2(!error, error ? qPrintable(error->message) : "");
}

void TestZooKeeperServer::aNameWithoutAnAddressIsUnavailable()
{
    ZooKeeperConfig wrong = config();
    wrong.server.hosts = {{u"nowhere.invalid"_s, 2181}};
    wrong.server.isPlainTextAgreed = true;
    LockEngine engine(engineOn(std::make_shared<ZooKeeperStore>(wrong)));
    const auto error = engine.connectToServer();
    QVERIFY(error);
    QCOMPARE(error->kind, LockError::Kind::Unavailable);
    QVERIFY2(error->message.contains(u"No address is known"_s), qPrintable(error->message));
}

void TestZooKeeperServer::aSessionTimeThatTheServerDoesNotGiveIsRefused_data()
{
    QTest::addColumn<std::chrono::milliseconds>("session");
    QTest::addColumn<QString>("given");

    QTest::newRow("too short") << std::chrono::milliseconds(999) << u"1000 ms"_s;
    const std::chrono::milliseconds longest = ZooKeeperNode::LongestSession;
    QTest::newRow("too long") << longest + 1ms << u"%1 ms"_s.arg(longest.count());
}

void TestZooKeeperServer::aSessionTimeThatTheServerDoesNotGiveIsRefused()
{
    QFETCH(std::chrono::milliseconds, session);
    QFETCH(QString, given);
    const auto error = newEngine(session)->connectToServer();
    QVERIFY(error);
    QCOMPARE(error->kind, LockError::Kind::UnsafeServer);
    QVERIFY2(error->message.contains(u"time-out of %1, not"_s.arg(given)), qPrintable(error->message));
}

void TestZooKeeperServer::aWrongConfigurationIsRefusedBeforeAnything_data()
{
    QTest::addColumn<std::function<void(ZooKeeperConfig &)>>("change");

    using Change = std::function<void(ZooKeeperConfig &)>;
    QTest::newRow("no host") << Change([](ZooKeeperConfig &config) { config.server.hosts.clear(); });
    QTest::newRow("another machine") << Change([](ZooKeeperConfig &config) {
        config.server.hosts.append({u"db1"_s, 2181});
    });
    QTest::newRow("a password of nobody") << Change([](ZooKeeperConfig &config) { config.password = u"x"_s; });
    QTest::newRow("no session") << Change([](ZooKeeperConfig &config) { config.sessionTimeout = 0ms; });
    QTest::newRow("a session for ever") << Change([](ZooKeeperConfig &config) { config.sessionTimeout = 24h; });
    QTest::newRow("no time to connect") << Change([](ZooKeeperConfig &config) { config.connectTimeout = 0ms; });
    QTest::newRow("no time to answer") << Change([](ZooKeeperConfig &config) { config.answerTimeout = -1ms; });
}

void TestZooKeeperServer::aWrongConfigurationIsRefusedBeforeAnything()
{
    QFETCH(std::function<void(ZooKeeperConfig &)>, change);
    ZooKeeperConfig wrong = config();
    change(wrong);
    const auto error = LockEngine(engineOn(std::make_shared<ZooKeeperStore>(wrong))).connectToServer();
    QVERIFY(error);
    QCOMPARE(error->kind, LockError::Kind::BadRequest);
}

void TestZooKeeperServer::severalHostsAreTried()
{
    m_url.hosts.prepend({u"127.0.0.1"_s, 1});
    m_url.hosts.append({u"127.0.0.1"_s, 2});
    for (int i = 0; i < 5; ++i) // the client begins with any of them
        QCOMPARE(textOf(newEngine()->acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestZooKeeperServer::IPv6AddressesAreUnderstood()
{
    m_url.hosts.prepend({u"::1"_s, m_url.hosts.first().port}); // nobody is there
    QCOMPARE(textOf(newEngine()->acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestZooKeeperServer::aUsersLocksAreItsOwn()
{
    ZooKeeperConfig with = config();
    with.server.user = u"locks"_s;
    with.password = u"secret"_s;
    LockEngine engine(engineOn(std::make_shared<ZooKeeperStore>(with)));
    AcquireResult taken = engine.acquire(leaseRequest("r"));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    const AcquireResult refused = newEngine()->acquire(leaseRequest("r"));
    QCOMPARE(refused.outcome, Outcome::Failed);
    QCOMPARE(refused.error->kind, LockError::Kind::NoPermission);
    with.password = u"wrong"_s;
    LockEngine stranger(engineOn(std::make_shared<ZooKeeperStore>(with)));
    const AcquireResult alsoRefused = stranger.acquire(leaseRequest("r"));
    QCOMPARE(alsoRefused.error->kind, LockError::Kind::NoPermission);
    QVERIFY(!alsoRefused.error->toString().contains(u"wrong"_s));
    with.password = u"secret"_s;
    LockEngine same(engineOn(std::make_shared<ZooKeeperStore>(with)));
    QCOMPARE(textOf(same.acquire(leaseRequest("r"))), QByteArray("busy"));
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(textOf(same.acquire(leaseRequest("r", 1s))), QByteArray("granted"));
}

/// ZooKeeper would let it in, and the folders would be nobody's who has the password.
void TestZooKeeperServer::aUserWithoutAPasswordIsRefusedBeforeAnything()
{
    ZooKeeperConfig without = config();
    without.server.user = u"locks"_s;
    LockEngine engine(engineOn(std::make_shared<ZooKeeperStore>(without)));
    const AcquireResult refused = engine.acquire(leaseRequest("r"));
    QCOMPARE(refused.outcome, Outcome::Failed);
    QCOMPARE(refused.error->kind, LockError::Kind::AccessDenied);
    QVERIFY2(refused.error->message.contains(u"user locks has no password"_s), qPrintable(refused.error->message));
    QVERIFY(m_eye->node(m_url.chroot.toUtf8()).code != 0);
}

void TestZooKeeperServer::aPasswordGoesToNoStrangerOfThisMachine()
{
    if (!StrangersPort::isPossible())
        QSKIP("Only root can give a port away");
    const StrangersPort stranger;
    ZooKeeperConfig with = config();
    with.server.hosts = {{u"localhost"_s, stranger.number()}};
    with.server.user = u"locks"_s;
    with.password = u"secret"_s;
    LockEngine engine(engineOn(std::make_shared<ZooKeeperStore>(with)));
    const auto refused = engine.connectToServer();
    QVERIFY(refused && refused->kind == LockError::Kind::Unavailable);
    QVERIFY2(refused->message.contains(u"tls=off"_s), qPrintable(refused->message));
    QCOMPARE(stranger.clients(), 0);
}

void TestZooKeeperServer::whatElseLiesInTheFolderIsLeftAlone()
{
    const QList<QByteArray> strangers{
        "0", "stranger", "lock-", "lock-00000000zz", "0000000000", "lock-0000000000-x", "__READ__0000000000"};
    for (const QByteArray &name : strangers)
        QCOMPARE(m_eye->make(folder("r") + '/' + name), 0);
    const auto engine = newEngine();
    AcquireResult taken = engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    QCOMPARE(engine->heldLeases({"r"}).leases.size(), 1);
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(m_eye->children(folder("r")).size(), strangers.size());
    QVERIFY(engine->heldLeases({"r"}).leases.isEmpty());
}

void TestZooKeeperServer::aStrangersNodeIsWaitedForAndListed()
{
    const QByteArray node = folder("r") + "/_c_c0ffee00-0000-4000-8000-000000000000-lock-0000000000";
    QCOMPARE(m_eye->make(node, "10.0.0.7"), 0);
    QCOMPARE(m_eye->make(folder("r") + "/x"), 0); // so that our number is larger
    const auto engine = newEngine();
    QCOMPARE(textOf(engine->acquire(leaseRequest("r"))), QByteArray("busy"));
    const HeldLeases held = engine->heldLeases({"r"});
    QCOMPARE(held.leases.size(), 1);
    QCOMPARE(held.leases.first().owner.host, u"10.0.0.7"_s);
    const RequestResult asked = engine->requestRelease("r", u"please"_s);
    QCOMPARE(asked.outcome, RequestOutcome::Failed);
    QVERIFY2(asked.error->message.contains(u"another program (10.0.0.7)"_s), qPrintable(asked.error->message));
    QCOMPARE(m_eye->node(node).text, QByteArray("10.0.0.7"));
    AcquireResult taken;
    std::thread waiter([&] { taken = engine->acquire(leaseRequest("r", 1min)); });
    QVERIFY(haveJoined(1));
    QCOMPARE(engine->forceRelease(held.leases, u"janitor"_s, u"dead"_s).released, 1);
    waiter.join();
    QCOMPARE(textOf(taken), QByteArray("granted"));
}

void TestZooKeeperServer::aNodeInThePlaceOfAFolderIsSaid()
{
    const auto holder = newEngine();
    const AcquireResult taken = holder->acquire(leaseRequest("r"));
    m_url.chroot += u"/r/"_s + QString::fromUtf8(queue("r").first()); // below an ephemeral node
    const AcquireResult refused = newEngine()->acquire(leaseRequest("s"));
    QCOMPARE(refused.outcome, Outcome::Failed);
    QVERIFY2(refused.error->message.contains(u"where the lock's folder should be"_s), textOf(refused));
}

void TestZooKeeperServer::foldersThatNoResourceHasAreLeftOut()
{
    const QByteArray root = m_url.chroot.toUtf8();
    for (const QByteArray &part : {QByteArray("a%2fb"), QByteArray("%61"), QByteArray("\xc3\xa9")})
        QCOMPARE(m_eye->make(root + '/' + part + "/lock-0000000000"), 0);
    QCOMPARE(m_eye->make(root + "/a%2Fb/lock-0000000000"), 0);
    const HeldLeases held = newEngine()->heldLeases({"a"});
    QVERIFY(!held.error);
    QCOMPARE(held.leases.size(), 1);
    QCOMPARE(held.leases.first().resource, QByteArray("a/b"));
}

void TestZooKeeperServer::hostileDataDisturbsNobody_data()
{
    QTest::addColumn<QByteArray>("data");

    QTest::newRow("empty") << QByteArray();
    QTest::newRow("binary") << QByteArray("\x00\xff\x1b[2J", 7);
    QTest::newRow("large") << QByteArray(1'000'000, '{');
    QTest::newRow("no owner") << QByteArray(R"({"owner":[],"asked":7})");
}

void TestZooKeeperServer::hostileDataDisturbsNobody()
{
    QFETCH(QByteArray, data);
    const auto engine = newEngine(ShortSession);
    AcquireResult taken = engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    const QByteArray node = folder("r") + '/' + queue("r").first();
    QCOMPARE(m_eye->set(node, data), 0);
    QCOMPARE(taken.handle.renew(30s), RenewOutcome::Renewed);
    QCOMPARE(m_eye->set(node, data), 0); // now it watches
    const auto other = newEngine();
    QCOMPARE(other->heldLeases({"r"}).leases.value(0).token, taken.handle.token());
    AcquireResult next;
    std::thread waiter([&] { next = other->acquire(leaseRequest("r", 1min)); });
    QVERIFY(haveJoined(1));
    QCOMPARE(m_eye->set(node, data), 0);
    QVERIFY(taken.handle.isHeld());
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    waiter.join();
    QCOMPARE(textOf(next), QByteArray("granted"));
}

QTEST_GUILESS_MAIN(TestZooKeeperServer)
#include "tst_zookeeperserver.moc"
