// SPDX-License-Identifier: MIT
// Leases on Redis when processes die or freeze, and when the server does.
#include "engine/core/wait_p.h"
#include "locknews.h"
#include "packetproxy.h"
#include "redisfixture.h"
#include "stores/redis/redisconnection.h"
#include "stores/redis/redisrequest.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtNetwork/QTcpServer>
#include <QtTest/QTest>

#include <atomic>
#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

/// With time-outs that a test can wait for.
RedisConfig impatient(const TestRedis &node)
{
    RedisConfig config = redisConfigFor(node);
    config.connectTimeout = 300ms;
    config.answerTimeout = 300ms;
    return config;
}

int freePort()
{
    QTcpServer server;
    server.listen(QHostAddress::LocalHost);
    return server.serverPort();
}

/// An address that leads to one server, and later to another one.
class MovedAddress
{
public:
    void leadTo(const TestRedis &node)
    {
        leadNowhere();
        if (!QFile::link(node.url().socket, m_path))
            qFatal("no link at %s", qPrintable(m_path));
    }
    void leadNowhere() { QFile::remove(m_path); }
    RedisConfig config() const
    {
        RedisConfig config;
        config.server.socket = m_path;
        return config;
    }

private:
    const QTemporaryDir m_folder;
    const QString m_path = m_folder.filePath(u"master"_s);
};

/// Requests as a store makes them, without what it does when they have ended.
class BareRequests
{
public:
    explicit BareRequests(const RedisConfig &config)
        : m_pool(config)
        , m_scripts(m_pool)
        , m_mail(config)
    {
        const auto hasConnected = [this] { return !m_pool.use([](detail::RedisConnection & /*idle*/) {}); };
        if (!eventually(hasConnected) || !eventually([this] { return !m_mail.start("bare", {}); }))
            qFatal("no connection with Redis");
    }
    ~BareRequests()
    {
        m_mail.stop();
        m_pool.close();
    }
    BareRequests(const BareRequests &) = delete;
    BareRequests &operator=(const BareRequests &) = delete;

    LockStore::Grant acquire(const QByteArray &resource, Duration wait)
    {
        StoreWait asked(std::make_shared<detail::Wait>(detail::Wait::endOf(wait)), wait == Duration::zero());
        const LockStore::Ask ask{resource, "{}", {}, 30s};
        return detail::RedisRequest(m_scripts, m_mail, {"bare", m_counter}, ask, asked).run();
    }

private:
    detail::RedisPool m_pool;
    const detail::RedisScripts m_scripts;
    detail::RedisMail m_mail;
    std::atomic<quint64> m_counter = 0;
};

/// A master and its replica, in step, and the address of whichever of them is the master.
class RedisPair
{
public:
    RedisPair()
    {
        if (!eventually([&] { return next.ask({"INFO", "replication"}).contains("master_link_status:up"); }))
            qFatal("the replica is not in step");
        address.leadTo(old);
    }

    /// As REPLICAOF does by hand: the old master goes on answering, and no connection breaks.
    void switchOver()
    {
        next.ask({"REPLICAOF", "NO", "ONE"});
        old.ask({"REPLICAOF", "127.0.0.1", "1"});
        address.leadTo(next);
    }

private:
    const QString m_port = QString::number(freePort());

public:
    MovedAddress address;
    TestRedis old{{u"--port"_s, m_port, u"--bind"_s, u"127.0.0.1"_s, u"--repl-diskless-sync-delay"_s, u"0"_s}};
    TestRedis next{{u"--replicaof"_s, u"127.0.0.1 "_s + m_port}};
};

} // namespace

class TestRedisFaults : public RedisTest
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void aDeadHoldersLeaseEndsWithItsTime();
    void aHolderThatFrozePastItsTimeLosesIt();
    void aServerInMemoryForgetsItsLeases();
    void aDurableServerKeepsItsLeases();
    void aWaiterOutlivesTheServersRestart();
    void aServerWithoutScriptsIsGivenThem();
    void aGrantIsConfirmedByAServerThatForgotTheScripts();
    void aGrantIsConfirmedWhoseConnectionsBroke();
    void brokenConnectionsAreOpenedAgain();
    void aReleaseWhoseConnectionBrokeIsDone();
    void aLostAnswerIsAskedFor();
    void aServerThatStaysSilentLeavesItUnknown_data();
    void aServerThatStaysSilentLeavesItUnknown();
    void whatStayedUnknownIsEndedOnceTheServerAnswers();
    void aRenewalThatArrivesLateChangesNothing();
    void whoCutsItShortDoesNotBelieveInItForLonger();
    void aSecondTryThatIsRefusedSaysNothingOfTheFirst();
    void aServerThatFallsSilentIsNotAskedAgainAfterTheWait();
    void aDemotedMasterIsLeftForTheNewOne();
    void whereCommandsGoIsListenedTo();
    void aHolderIsAskedWhileGrantsAreGivenBack();
    void aServerThatIsAwayIsUnavailable();
    void withoutMemoryNobodyJoinsAQueue();
    void anEngineComesToAFullServer();
    void aLeaseThatWasEvictedIsLostToTheNext();
    void whatIsNoLeaseIsSaid();
    void aLeaseThatDoesNotSaySinceWhenIsListed();
    void anEngineThatEndedHasNoConnections();

private:
    static qsizetype listeners(TestRedis &node) { return node.ask({"CLIENT", "LIST", "TYPE", "pubsub"}).count('\n'); }
    /// That the server has accepted since its start. Asked over one more, which is behind all that wait to be accepted.
    qint64 connections()
    {
        LockError error;
        const auto one = detail::RedisConnection::openAny(redisConfigFor(*m_node), "test", &error);
        return one ? one->info().value("total_connections_received").toLongLong() : 0;
    }

    std::unique_ptr<LockEngine> m_engine;
};

void TestRedisFaults::init()
{
    RedisTest::init();
    m_engine = std::make_unique<LockEngine>(engineOn(*m_node));
}

void TestRedisFaults::aDeadHoldersLeaseEndsWithItsTime()
{
    RedisWorker worker(*m_node);
    const QString answer = worker.ask("acquire r 600 0");
    worker.kill9();
    const AcquireResult next = m_engine->acquire(leaseRequest("r", 1min));
    QCOMPARE(textOf(next), QByteArray("granted"));
    QVERIFY(next.handle.token() > answer.section(u' ', 1).toULongLong());
}

void TestRedisFaults::aHolderThatFrozePastItsTimeLosesIt()
{
    RedisWorker worker(*m_node);
    const QString answer = worker.ask("acquire r 600 0");
    worker.freeze();
    const AcquireResult next = m_engine->acquire(leaseRequest("r", 1min));
    QCOMPARE(textOf(next), QByteArray("granted"));
    QVERIFY(next.handle.token() > answer.section(u' ', 1).toULongLong());
    worker.thaw();
    const QString lost = worker.ask("lost");
    QVERIFY2(lost == u"expired" || lost == u"taken over", qPrintable(lost));
    QCOMPARE(worker.ask("held"), u"no"_s);
    QCOMPARE(worker.ask("release"), u"not held"_s);
    QVERIFY(next.handle.isHeld());
}

void TestRedisFaults::aServerInMemoryForgetsItsLeases()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    const quint64 before = taken.handle.token();
    m_node->kill9();
    m_node->start();
    QCOMPARE(taken.handle.renew(30s), RenewOutcome::NotHeld);
    const AcquireResult next = m_engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(next), QByteArray("granted"));
    QVERIFY(next.handle.token() > before);
}

void TestRedisFaults::aDurableServerKeepsItsLeases()
{
    TestRedis durable({}, TestRedis::Keeping::Durable);
    LockEngine engine(engineOn(durable));
    LockEngine other(engineOn(durable));
    AcquireResult taken = engine.acquire(leaseRequest("r"));
    durable.kill9();
    durable.start();
    QCOMPARE(taken.handle.renew(30s), RenewOutcome::Renewed);
    QCOMPARE(textOf(other.acquire(leaseRequest("r"))), QByteArray("busy"));
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(textOf(other.acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestRedisFaults::aWaiterOutlivesTheServersRestart()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    LockEngine other(engineOn(*m_node));
    QByteArray text;
    std::thread waiter([&] { text = textOf(other.acquire(leaseRequest("r", 1min))); });
    QVERIFY(eventually([&] { return m_node->waiters("r") == 1; }));
    m_node->stop();
    m_node->start();
    waiter.join(); // in memory: nobody holds it any more
    QCOMPARE(text, QByteArray("granted"));
    QCOMPARE(taken.handle.renew(30s), RenewOutcome::NotHeld);
}

void TestRedisFaults::aServerWithoutScriptsIsGivenThem()
{
    QVERIFY(!m_engine->connectToServer());
    m_node->ask({"SCRIPT", "FLUSH"});
    m_node->ask({"CONFIG", "RESETSTAT"});
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    m_node->ask({"SCRIPT", "FLUSH"});
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    m_engine->acquire(leaseRequest("r")).handle.release();
    QCOMPARE(m_node->calls("eval"), 3); // of acquire, and of both after the second time
}

/// Whoever hears of it sends the renewal, by its hash.
void TestRedisFaults::aGrantIsConfirmedByAServerThatForgotTheScripts()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    LockEngine other(engineOn(*m_node));
    QByteArray text;
    std::thread waiter([&] { text = textOf(other.acquire(leaseRequest("r", 1min))); });
    QVERIFY(eventually([&] { return m_node->waiters("r") == 1; }));
    m_node->ask({"SCRIPT", "FLUSH"});
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    waiter.join();
    QCOMPARE(text, QByteArray("granted"));
}

void TestRedisFaults::aGrantIsConfirmedWhoseConnectionsBroke()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    LockEngine other(engineOn(*m_node));
    QByteArray text;
    std::thread waiter([&] { text = textOf(other.acquire(leaseRequest("r", 1min))); });
    QVERIFY(eventually([&] { return m_node->waiters("r") == 1; }));
    m_node->ask({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"}); // not those that are subscribed
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    waiter.join();
    QCOMPARE(text, QByteArray("granted"));
}

void TestRedisFaults::brokenConnectionsAreOpenedAgain()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    m_node->ask({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    QCOMPARE(taken.handle.renew(20s), RenewOutcome::Renewed);
    m_node->ask({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("s"))), QByteArray("granted"));
    m_node->ask({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    QVERIFY(!m_engine->heldLeases({"r"}).leases.isEmpty());
}

void TestRedisFaults::aReleaseWhoseConnectionBrokeIsDone()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    m_node->ask({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(m_node->ask({"EXISTS", "lockscope:{r}"}), QByteArray("0"));
}

void TestRedisFaults::aLostAnswerIsAskedFor()
{
    LockEngine engine(engineOn(impatient(*m_node)));
    QVERIFY(eventually([&] { return !engine.connectToServer(); }));
    m_node->freeze();
    AcquireResult taken;
    std::thread request([&] { taken = engine.acquire(leaseRequest("r", 1min)); });
    std::this_thread::sleep_for(1s); // longer than it waits for an answer
    m_node->thaw();
    request.join();
    QCOMPARE(textOf(taken), QByteArray("granted"));
    QCOMPARE(m_node->waiters("r"), 0);
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r"))), QByteArray("granted")); // nothing was carried out later
}

void TestRedisFaults::aServerThatStaysSilentLeavesItUnknown_data()
{
    QTest::addColumn<Duration>("wait");
    QTest::newRow("tried") << Duration::zero();
    QTest::newRow("waited for") << Duration(100ms);
}

void TestRedisFaults::aServerThatStaysSilentLeavesItUnknown()
{
    QFETCH(Duration, wait);
    BareRequests requests(impatient(*m_node));
    const qint64 before = connections();
    m_node->freeze();
    const LockStore::Grant taken = requests.acquire("r", wait);
    m_node->thaw();
    QCOMPARE(taken.outcome, Outcome::Unknown);
    QCOMPARE(taken.error->kind, LockError::Kind::ConnectionLost);
    QCOMPARE(connections(), before + 2); // with that of the count: each try would take the time for one
}

void TestRedisFaults::whatStayedUnknownIsEndedOnceTheServerAnswers()
{
    LockEngine engine(engineOn(impatient(*m_node)));
    engine.acquire(leaseRequest("s")).handle.release(); // so that the server has the scripts
    m_node->freeze();
    const AcquireResult taken = engine.acquire(leaseRequest("r", 0s, Forever));
    m_node->thaw(); // and it carries out what it was sent
    QCOMPARE(taken.outcome, Outcome::Unknown);
    QCOMPARE(taken.error->kind, LockError::Kind::ConnectionLost);
    QCOMPARE(textOf(m_engine->acquire(leaseRequest("r", 1min))), QByteArray("granted"));
}

void TestRedisFaults::aRenewalThatArrivesLateChangesNothing()
{
    const QTemporaryDir folder;
    PacketProxy network(folder.filePath(u"s"_s), m_node->url().socket);
    RedisConfig config = redisConfigFor(*m_node);
    config.server.socket = folder.filePath(u"s"_s);
    LockEngine engine(engineOn(config));
    AcquireResult taken = engine.acquire(leaseRequest("r", 0s, 1h));
    network.keepBack("77777");                                     // a TTL that nothing else has
    QCOMPARE(taken.handle.renew(77'777ms), RenewOutcome::Renewed); // at the second try
    QVERIFY(network.hasKeptBack());
    QCOMPARE(taken.handle.renew(1h), RenewOutcome::Renewed);
    network.deliverLate();
    QVERIFY(m_node->ask({"PTTL", "lockscope:{r}"}).toLongLong() > 3'000'000);
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
}

/// The server may have done it long before its answer is there; so whoever waits for that is told of the end, too.
void TestRedisFaults::whoCutsItShortDoesNotBelieveInItForLonger()
{
    RedisConfig patient = redisConfigFor(*m_node);
    patient.answerTimeout = Patience;
    LockEngine engine(engineOn(patient));
    std::atomic<int> told = 0;
    LockRequest request = leaseRequest("r", 0s, 1h);
    request.onLost = [&](LossReason) { ++told; };
    AcquireResult taken = engine.acquire(request);
    QCOMPARE(textOf(taken), QByteArray("granted"));
    m_node->freeze();
    std::atomic<bool> isAnswered = false;
    RenewOutcome renewed = RenewOutcome::Renewed;
    std::thread renewal([&] {
        renewed = taken.handle.renew(1s);
        isAnswered = true;
    });
    const bool isOver = eventually([&] { return !taken.handle.isHeld(); }) && !isAnswered;
    const bool isTold = eventually([&] { return told == 1; }) && !isAnswered;
    m_node->thaw();
    renewal.join();
    QVERIFY(isOver);
    QVERIFY(isTold);
    QCOMPARE(renewed, RenewOutcome::NotHeld);
    QVERIFY(!taken.handle.isHeld());
    QCOMPARE(told.load(), 1);
}

void TestRedisFaults::aSecondTryThatIsRefusedSaysNothingOfTheFirst()
{
    MovedAddress address;
    address.leadTo(*m_node);
    RedisConfig config = address.config();
    config.answerTimeout = 300ms;
    LockEngine engine(engineOn(config));
    LockRequest request = leaseRequest("r", 0s, 1h);
    request.autoRenew = false;
    AcquireResult taken = engine.acquire(request);
    QCOMPARE(textOf(taken), QByteArray("granted"));
    m_node->freeze();
    address.leadNowhere();
    const RenewOutcome renewed = taken.handle.renew(1min);
    const std::optional<LockError> error = taken.handle.lastError();
    m_node->thaw(); // and it carries out what it was sent
    QCOMPARE(renewed, RenewOutcome::Failed);
    QVERIFY(error);
    QCOMPARE(error->kind, LockError::Kind::ConnectionLost);
    QVERIFY(taken.handle.remaining() <= 1min);
}

void TestRedisFaults::aServerThatFallsSilentIsNotAskedAgainAfterTheWait()
{
    BareRequests requests(impatient(*m_node));
    const AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    LockStore::Grant waited;
    std::thread waiter([&] { waited = requests.acquire("r", 1s); });
    QVERIFY(eventually([&] { return m_node->waiters("r") == 1; }));
    const qint64 before = connections();
    m_node->freeze();
    waiter.join();
    m_node->thaw();
    QCOMPARE(waited.outcome, Outcome::Unknown);
    QCOMPARE(connections(), before + 1);
}

void TestRedisFaults::aDemotedMasterIsLeftForTheNewOne()
{
    RedisPair servers;
    LockEngine engine(engineOn(servers.address.config()));
    LockEngine other(engineOn(servers.address.config()));
    AcquireResult taken = engine.acquire(leaseRequest("r"));
    QByteArray text;
    std::thread waiter([&] { text = textOf(other.acquire(leaseRequest("r", 1min))); });
    QVERIFY(eventually([&] { return servers.next.waiters("r") == 1; }));
    servers.switchOver();
    const RenewOutcome renewed = taken.handle.renew(20s);
    const AcquireResult another = engine.acquire(leaseRequest("s"));
    const bool areHeard = eventually([&] { return listeners(servers.next) == 2; });
    const ReleaseOutcome released = taken.handle.release();
    waiter.join();
    QCOMPARE(renewed, RenewOutcome::Renewed);
    QCOMPARE(textOf(another), QByteArray("granted"));
    QCOMPARE(servers.next.ask({"EXISTS", "lockscope:{s}"}), QByteArray("1"));
    QVERIFY(areHeard);
    QCOMPARE(released, ReleaseOutcome::Released);
    QCOMPARE(text, QByteArray("granted"));
}

/// As older Sentinels do, which end the connections for commands and leave those that listen.
void TestRedisFaults::whereCommandsGoIsListenedTo()
{
    RedisPair servers;
    LockEngine engine(engineOn(servers.address.config()));
    AcquireResult taken = engine.acquire(leaseRequest("r"));
    QVERIFY(eventually([&] { return servers.next.ask({"EXISTS", "lockscope:{r}"}) == "1"; }));
    servers.switchOver();
    servers.old.ask({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    QCOMPARE(taken.handle.renew(20s), RenewOutcome::Renewed);
    QCOMPARE(servers.next.ask({"EXISTS", "lockscope:{r}"}), QByteArray("1"));
    QVERIFY(eventually([&] { return listeners(servers.next) == 1; }));
    QCOMPARE(listeners(servers.old), 0);
}

/// Each of them waits for a server that does not answer.
void TestRedisFaults::aHolderIsAskedWhileGrantsAreGivenBack()
{
    MovedAddress address;
    address.leadTo(*m_node);
    LockEngine engine(engineOn(address.config()));
    std::atomic<bool> isAsked = false;
    LockRequest request = leaseRequest("r", 0ms, 10min);
    request.onReleaseRequested = [&](const QString &) { isAsked = true; };
    const AcquireResult taken = engine.acquire(request);
    QCOMPARE(textOf(taken), QByteArray("granted"));
    TestRedis silent;
    silent.freeze();
    address.leadTo(silent);
    m_node->ask({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    const QByteArray session = engine.owner().session;
    for (int i = 0; i < 30; ++i)
        m_node->ask({"PUBLISH", "lockscope:m:" + session, "grant " + session + "/past 7 s"});
    const QByteArray asked = "ask " + QByteArray::number(taken.handle.token()) + " 1 rplease";
    m_node->ask({"PUBLISH", "lockscope:m:" + session, asked});
    const bool isHeard = eventually([&] { return isAsked.load(); });
    silent.thaw();
    QVERIFY(isHeard);
}

void TestRedisFaults::aServerThatIsAwayIsUnavailable()
{
    m_node->stop();
    LockEngine engine(engineOn(*m_node));
    const AcquireResult refused = engine.acquire(leaseRequest("r", 1min));
    m_node->start();
    QCOMPARE(refused.outcome, Outcome::Failed);
    QCOMPARE(refused.error->kind, LockError::Kind::Unavailable);
    QVERIFY(refused.error->message.contains(m_node->url().socket));
    QCOMPARE(textOf(engine.acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestRedisFaults::withoutMemoryNobodyJoinsAQueue()
{
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    m_node->ask({"CONFIG", "SET", "maxmemory", "1"});
    LockEngine other(engineOn(*m_node));
    const AcquireResult refused = other.acquire(leaseRequest("r", 1min));
    const AcquireResult free = m_engine->acquire(leaseRequest("s"));
    const RenewOutcome renewed = taken.handle.renew(1min);
    const ReleaseOutcome released = taken.handle.release();
    m_node->ask({"CONFIG", "SET", "maxmemory", "0"});
    QVERIFY2(refused.error && refused.error->kind == LockError::Kind::DiskFull, textOf(refused));
    QCOMPARE(textOf(free), QByteArray("granted")); // a lease is small
    QCOMPARE(renewed, RenewOutcome::Renewed);
    QCOMPARE(released, ReleaseOutcome::Released);
}

void TestRedisFaults::anEngineComesToAFullServer()
{
    const AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    m_node->ask({"CONFIG", "SET", "maxmemory", "1"});
    LockEngine late(engineOn(*m_node));
    const HeldLeases held = late.heldLeases({"r"});
    const AcquireResult free = late.acquire(leaseRequest("s"));
    const ForcedReleases ended = late.forceRelease(held.leases, u"me"_s, u"why"_s);
    m_node->ask({"CONFIG", "SET", "maxmemory", "0"});
    QVERIFY2(!held.error, held.error ? qPrintable(held.error->toString()) : "");
    QCOMPARE(held.leases.size(), 1);
    QCOMPARE(textOf(free), QByteArray("granted"));
    QCOMPARE(ended.released, 1);
}

/// By a server whose policy was changed after the engines had looked at it.
void TestRedisFaults::aLeaseThatWasEvictedIsLostToTheNext()
{
    LockEngine other(engineOn(*m_node));
    QVERIFY(!other.connectToServer());
    AcquireResult taken = m_engine->acquire(leaseRequest("r"));
    const quint64 before = taken.handle.token();
    m_node->ask({"CONFIG", "SET", "maxmemory-policy", "volatile-ttl"}); // of all with an end the next to end
    m_node->ask({"CONFIG", "SET", "maxmemory", "1"});
    m_node->ask({"SET", "more", "than there is room for"});
    m_node->ask({"CONFIG", "SET", "maxmemory", "0"});
    QCOMPARE(m_node->ask({"EXISTS", "lockscope:{r}", "lockscope:{r}:t"}), QByteArray("0")); // its last token too
    const AcquireResult next = other.acquire(leaseRequest("r"));
    QCOMPARE(textOf(next), QByteArray("granted"));
    QVERIFY(next.handle.token() > before); // so a fence refuses the one that was evicted
    QCOMPARE(taken.handle.renew(30s), RenewOutcome::NotHeld);
    QVERIFY(!taken.handle.isHeld());
    QVERIFY(next.handle.isHeld());
    LockEngine late(engineOn(*m_node));
    const AcquireResult refused = late.acquire(leaseRequest("s"));
    m_node->ask({"CONFIG", "SET", "maxmemory-policy", "noeviction"});
    QVERIFY(refused.error);
    QCOMPARE(refused.error->kind, LockError::Kind::UnsafeServer);
}

/// Another program's key.
void TestRedisFaults::whatIsNoLeaseIsSaid()
{
    m_node->ask({"SET", "lockscope:{r}", "mine"});
    const AcquireResult tried = m_engine->acquire(leaseRequest("r"));
    QVERIFY2(tried.error && tried.error->kind == LockError::Kind::ServerFault, textOf(tried));
    QVERIFY2(tried.error->message.contains(u"another program"_s), textOf(tried));
    const AcquireResult waited = m_engine->acquire(leaseRequest("r", 10ms));
    QVERIFY2(waited.error && waited.error->message.contains(u"another program"_s), textOf(waited));
    QCOMPARE(m_node->ask({"GET", "lockscope:{r}"}), QByteArray("mine"));
}

void TestRedisFaults::aLeaseThatDoesNotSaySinceWhenIsListed()
{
    m_node->ask({"HSET", "lockscope:{r}", "token", "7", "owner", "{}"});
    m_node->ask({"ZADD", "lockscope:held", "+inf", "r"});
    const HeldLeases held = m_engine->heldLeases({"r"});
    QCOMPARE(held.leases.size(), 1);
    QVERIFY(!held.leases.first().acquiredAt);
}

void TestRedisFaults::anEngineThatEndedHasNoConnections()
{
    m_engine->acquire(leaseRequest("r"));
    m_engine.reset();
    QVERIFY(eventually([&] { return m_node->ask({"CLIENT", "LIST"}).count('\n') == 1; }));
}

QTEST_GUILESS_MAIN(TestRedisFaults)
#include "tst_redisfaults.moc"
