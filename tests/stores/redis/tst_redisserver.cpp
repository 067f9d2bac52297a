// SPDX-License-Identifier: MIT
// Which Redis an engine works with: signing in, rights, settings, and what is no Redis.
#include "redisfixture.h"
#include "strangersport.h"

#include <QtCore/QFile>
#include <QtCore/QLoggingCategory>
#include <QtCore/QTemporaryDir>
#include <QtNetwork/QLocalServer>
#include <QtNetwork/QLocalSocket>
#include <QtTest/QTest>

#include <future>
#include <thread>

#include <sys/stat.h>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;
using Kind = LockError::Kind;

namespace {

/// Everything that an engine does.
std::optional<LockError> useAll(const EngineConfig &config)
{
    LockEngine engine(config);
    AcquireResult taken = engine.acquire(leaseRequest("r", 0s, Forever));
    if (taken.error)
        return taken.error;
    auto waiting = engine.acquireAsync(leaseRequest("r", 1min));
    if (taken.handle.renew(30s) != RenewOutcome::Renewed)
        return taken.handle.lastError();
    if (const auto asked = engine.requestRelease("r", u"why"_s); asked.error)
        return asked.error;
    const HeldLeases held = engine.heldLeases({"r"});
    if (held.error)
        return held.error;
    const ForcedReleases ended = engine.forceRelease(held.leases, u"me"_s, u"why"_s);
    if (ended.firstError)
        return ended.firstError;
    LockRequest kept = leaseRequest("s");
    kept.holdAtLeast = 10ms;
    AcquireResult other = engine.acquire(kept);
    other.handle.release();
    return waiting.takeResult().error;
}

} // namespace

class TestRedisServer : public RedisTest
{
    Q_OBJECT

private Q_SLOTS:
    void aWrongPasswordIsRefused_data();
    void aWrongPasswordIsRefused();
    void aPasswordGoesToNoStrangerOfThisMachine();
    void aPasswordGoesToNoSocketThatAnybodyMayExchange();
    void theGrantedRightsAreEnough();
    void aMissingRightIsNamed_data();
    void aMissingRightIsNamed();
    void aServerThatEvictsIsRefused();
    void aReplicaIsRefused();
    void aServerThatBecomesAReplicaIsRefused();
    void whatACrashForgetsIsSaid();
    void anotherDatabaseIsAnotherWorld();
    void whatIsNoRedisIsRefused_data();
    void whatIsNoRedisIsRefused();
    void whatIsSilentIsUnavailable();
    void aConfigurationWithoutAServerIsRefused();

private:
    EngineConfig as(const QString &user, const QString &password)
    {
        RedisConfig config = redisConfigFor(*m_node);
        config.server.user = user;
        config.password = password;
        return engineOn(config);
    }
};

void TestRedisServer::aWrongPasswordIsRefused_data()
{
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("password");
    QTest::addColumn<bool>("enters");

    QTest::newRow("right") << u"app"_s << u"sécret \n1"_s << true;
    QTest::newRow("wrong") << u"app"_s << u"guess"_s << false;
    QTest::newRow("none") << u"app"_s << QString() << false;
    QTest::newRow("nobody") << u"nobody"_s << u"guess"_s << false;
    QTest::newRow("default without") << QString() << QString() << false;
    QTest::newRow("default") << QString() << u"master"_s << true;
}

void TestRedisServer::aWrongPasswordIsRefused()
{
    QFETCH(QString, user);
    QFETCH(QString, password);
    m_node->ask({"ACL", "SETUSER", "app", "on",
                 QByteArray(">s\xc3\xa9"
                            "cret \n1"),
                 "~*", "&*", "+@all"});
    m_node->ask({"CONFIG", "SET", "requirepass", "master"});
    LockEngine engine(as(user, password));
    const auto error = engine.connectToServer();
    m_node->ask({"AUTH", "master"});
    m_node->ask({"CONFIG", "SET", "requirepass", ""});
    QTEST(!error.has_value(), "enters");
    if (error) {
        QCOMPARE(error->kind, Kind::AccessDenied);
        QVERIFY(!error->toString().contains(u"guess"_s));
    }
}

void TestRedisServer::aPasswordGoesToNoStrangerOfThisMachine()
{
    if (!StrangersPort::isPossible())
        QSKIP("Only root can give a port away");
    const StrangersPort stranger;
    RedisConfig config;
    config.server.host = u"localhost"_s;
    config.server.port = stranger.number();
    config.server.user = u"app"_s;
    config.password = u"secret"_s;
    const auto refused = LockEngine(engineOn(config)).connectToServer();
    QVERIFY(refused && refused->kind == Kind::Unavailable);
    QVERIFY2(refused->message.contains(u"tls=off"_s), qPrintable(refused->message));
    QCOMPARE(stranger.clients(), 0);
    config.server.tls = RedisUrl::Tls::Off;
    const auto agreed = LockEngine(engineOn(config)).connectToServer();
    QVERIFY(agreed && agreed->kind == Kind::Unavailable);
    QVERIFY(stranger.clients() > 0);
}

void TestRedisServer::aPasswordGoesToNoSocketThatAnybodyMayExchange()
{
    const QTemporaryDir folder;
    QLocalServer server;
    QVERIFY(server.listen(folder.filePath(u"s"_s)));
    QVERIFY(QFile::link(server.serverName(), folder.filePath(u"link"_s)));
    RedisConfig config;
    config.server.socket = folder.filePath(u"link"_s);
    config.server.user = u"app"_s;
    config.password = u"secret"_s;
    config.connectTimeout = 100ms;
    QCOMPARE(::chmod(folder.path().toLocal8Bit().constData(), 0777), 0);
    const auto refused = LockEngine(engineOn(config)).connectToServer();
    QVERIFY(refused && refused->kind == Kind::Unavailable);
    QVERIFY2(refused->message.contains(u"may be anybody's"_s), qPrintable(refused->message));
    QVERIFY(!server.waitForNewConnection(0));
    QCOMPARE(::chmod(folder.path().toLocal8Bit().constData(), 0700), 0);
    QVERIFY(LockEngine(engineOn(config)).connectToServer()); // which says nothing
    QVERIFY(server.waitForNewConnection(0));
}

void TestRedisServer::theGrantedRightsAreEnough()
{
    m_node->ask({"ACL", "DELUSER", "locks"});
    QCOMPARE(m_node->ask(TestRedis::rightsOf("locks")), QByteArray("OK"));
    const auto error = useAll(as(u"locks"_s, u"password"_s));
    QVERIFY2(!error, error ? qPrintable(error->toString()) : "");
}

void TestRedisServer::aMissingRightIsNamed_data()
{
    QTest::addColumn<QByteArray>("right");

    for (const char *right : {"info", "evalsha", "subscribe", "zpopmin", "xadd", "persist", "publish", "zscan"})
        QTest::newRow(right) << QByteArray(right);
}

void TestRedisServer::aMissingRightIsNamed()
{
    QFETCH(QByteArray, right);
    m_node->ask({"ACL", "DELUSER", "few"});
    m_node->ask({"ACL", "SETUSER", "few", "on", ">secret", "~*", "&*", "+@all", "-" + right});
    const auto error = useAll(as(u"few"_s, u"secret"_s));
    QVERIFY(error);
    QVERIFY2(error->kind == Kind::NoPermission, qPrintable(error->toString()));
    QVERIFY2(error->message.contains(QString::fromLatin1(right), Qt::CaseInsensitive), qPrintable(error->toString()));
}

void TestRedisServer::aServerThatEvictsIsRefused()
{
    m_node->ask({"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"});
    LockEngine engine(engineOn(*m_node));
    const auto error = engine.connectToServer();
    m_node->ask({"CONFIG", "SET", "maxmemory-policy", "noeviction"});
    QVERIFY(error);
    QCOMPARE(error->kind, Kind::UnsafeServer);
    QVERIFY2(error->message.contains(u"maxmemory-policy noeviction"_s), qPrintable(error->message));
    QVERIFY(!engine.connectToServer()); // mended, and asked again
}

void TestRedisServer::aReplicaIsRefused()
{
    TestRedis replica({u"--replicaof"_s, u"127.0.0.1 1"_s});
    LockEngine engine(engineOn(replica));
    const auto error = engine.connectToServer();
    QVERIFY(error);
    QCOMPARE(error->kind, Kind::UnsafeServer);
    QVERIFY2(error->message.contains(u"replica"_s), qPrintable(error->message));
}

void TestRedisServer::aServerThatBecomesAReplicaIsRefused()
{
    LockEngine engine(engineOn(*m_node));
    AcquireResult taken = engine.acquire(leaseRequest("r"));
    m_node->ask({"REPLICAOF", "127.0.0.1", "1"});
    const AcquireResult refused = engine.acquire(leaseRequest("s"));
    m_node->ask({"REPLICAOF", "NO", "ONE"});
    QVERIFY2(refused.error && refused.error->kind == Kind::UnsafeServer, textOf(refused));
    QVERIFY2(refused.error->message.contains(u"replica of 127.0.0.1"_s), textOf(refused));
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
}

void TestRedisServer::whatACrashForgetsIsSaid()
{
    QLoggingCategory::setFilterRules(QString());
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(u"appendonly no"_s));
    LockEngine engine(engineOn(*m_node));
    QVERIFY(!engine.connectToServer());
    RedisTest::initTestCase();
}

void TestRedisServer::anotherDatabaseIsAnotherWorld()
{
    RedisConfig config = redisConfigFor(*m_node);
    config.server.database = 3;
    LockEngine third(engineOn(config));
    LockEngine first(engineOn(*m_node));
    const AcquireResult taken = third.acquire(leaseRequest("r"));
    QCOMPARE(textOf(first.acquire(leaseRequest("r"))), QByteArray("granted"));
    QCOMPARE(textOf(taken), QByteArray("granted"));
}

void TestRedisServer::whatIsNoRedisIsRefused_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<bool>("closes");
    QTest::addColumn<QString>("says"); // a pattern

    const auto row = [](const char *name, const QByteArray &answer, bool closes, const QString &says) {
        QTest::newRow(name) << answer << closes << says;
    };
    const QString protocol = u"does not speak Redis' protocol"_s;
    row("another protocol", "HTTP/1.1 400 Bad Request\r\n\r\n", false, protocol);
    row("bytes", QByteArray("\0\xff\x16\x03", 4), false, protocol);
    row("too many items", "*2000000\r\n", false, protocol);
    row("too deep", QByteArray("*1\r\n").repeated(50), false,
        protocol + u"|did not answer in time"_s); // hiredis 1.2 waits for the end of it
    row("a full server", "-ERR max number of clients reached\r\n", true, u"maxclients"_s);
    row("nothing", {}, true, u"closed the connection"_s);
    row("half an answer", "$1000\r\nabc", true, u"closed the connection"_s);
    row("answers without sense", QByteArray("+OK\r\n").repeated(5), false, u"not say that it is a Redis"_s);
}

void TestRedisServer::whatIsNoRedisIsRefused()
{
    QFETCH(QByteArray, answer);
    QFETCH(bool, closes);
    QFETCH(QString, says);
    QTemporaryDir folder;
    RedisConfig config;
    config.server.socket = folder.filePath(u"s"_s);
    QLocalServer server;
    QVERIFY(server.listen(config.server.socket));
    std::optional<LockError> error;
    std::thread client([&] {
        LockEngine engine(engineOn(config));
        error = engine.connectToServer();
    });
    QVERIFY(server.waitForNewConnection(int(std::chrono::milliseconds(Patience).count())));
    QLocalSocket *socket = server.nextPendingConnection();
    socket->waitForReadyRead(); // what it is asked, or closing would take the answer along
    socket->readAll();
    socket->write(answer);
    socket->waitForBytesWritten();
    if (closes)
        socket->disconnectFromServer();
    client.join();
    QVERIFY(error);
    QVERIFY(error->kind == Kind::Unavailable || error->kind == Kind::UnsafeServer);
    QVERIFY2(error->message.contains(QRegularExpression(says)), qPrintable(error->toString()));
}

void TestRedisServer::whatIsSilentIsUnavailable()
{
    QTemporaryDir folder;
    RedisConfig config;
    config.server.socket = folder.filePath(u"s"_s);
    config.connectTimeout = 100ms;
    QLocalServer server;
    QVERIFY(server.listen(config.server.socket));
    LockEngine engine(engineOn(config));
    const auto error = engine.connectToServer();
    QVERIFY(error);
    QCOMPARE(error->kind, Kind::Unavailable);
    QVERIFY2(error->message.contains(u"in time"_s), qPrintable(error->message));
}

void TestRedisServer::aConfigurationWithoutAServerIsRefused()
{
    LockEngine engine(engineOn(RedisConfig()));
    const auto error = engine.connectToServer();
    QVERIFY(error);
    QCOMPARE(error->kind, Kind::BadRequest);
}

QTEST_GUILESS_MAIN(TestRedisServer)
#include "tst_redisserver.moc"
