// SPDX-License-Identifier: MIT
// What an etcd must be like, whom it lets in, and what others keep in it.
#include "etcdbench.h"
#include "lockscope/serverurl.h"
#include "stranger.h"
#include "strangersport.h"

#include <QtCore/QFileInfo>
#include <QtNetwork/QLocalServer>
#include <QtNetwork/QTcpServer>
#include <QtTest/QTest>

#include <thread>

#include <sys/stat.h>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

int freePort()
{
    QTcpServer server;
    server.listen(QHostAddress::LocalHost);
    return server.serverPort();
}

QString base64(const QByteArray &bytes)
{
    return QString::fromLatin1(bytes.toBase64());
}

QString messageOf(const std::optional<LockError> &error)
{
    return error ? error->message : QString();
}

} // namespace

class TestEtcdServer : public EtcdTest
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsNoEtcdIsUnavailable_data();
    void whatIsNoEtcdIsUnavailable();
    void aWrongConfigurationIsRefusedBeforeAnything_data();
    void aWrongConfigurationIsRefusedBeforeAnything();
    void severalMembersAreTried();
    void aFullServerIsSaid();
    void aUserNeedsItsPasswordAndItsRole();
    void aPasswordGoesToNoStrangerOfThisMachine();
    void aPasswordGoesToNoSocketThatAnybodyMayExchange();
    void aTlsServerIsVerified();
    void hostileDataDisturbsNobody_data();
    void hostileDataDisturbsNobody();
    void aLongerElectionWantsALongerTtl();

private:
    std::optional<LockError> connectTo(const EtcdConfig &config)
    {
        return LockEngine(engineOn(std::make_shared<EtcdStore>(config))).connectToServer();
    }
};

void TestEtcdServer::whatIsNoEtcdIsUnavailable_data()
{
    QTest::addColumn<QByteArray>("greeting");
    QTest::addColumn<QString>("why");

    QTest::newRow("MySQL") << QByteArray("\x4a\x00\x00\x00\x0a"
                                         "8.0.36\x00",
                                         12)
                           << u"is no etcd"_s;
    QTest::newRow("Redis") << QByteArray("-ERR unknown command\r\n") << u"is no etcd"_s;
    QTest::newRow("a page") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello") << u"is no etcd"_s;
    QTest::newRow("JSON") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}") << u"is no etcd"_s;
    QTest::newRow("silence") << QByteArray() << u"etcd"_s;
}

void TestEtcdServer::whatIsNoEtcdIsUnavailable()
{
    QFETCH(QByteArray, greeting);
    QFETCH(QString, why);
    const Stranger stranger(greeting);
    EtcdConfig config;
    config.server.hosts = {{u"127.0.0.1"_s, stranger.port()}};
    // Only silence is waited for to its end.
    config.answerTimeout = greeting.isEmpty() ? 500ms : 20s;
    config.connectTimeout = config.answerTimeout;
    const auto error = connectTo(config);
    QVERIFY(error);
    QVERIFY2(error->kind == LockError::Kind::Unavailable || error->kind == LockError::Kind::ConnectionLost,
             qPrintable(error->toString()));
    QVERIFY2(error->message.contains(why), qPrintable(error->toString()));
}

void TestEtcdServer::aWrongConfigurationIsRefusedBeforeAnything_data()
{
    QTest::addColumn<std::function<void(EtcdConfig &)>>("change");

    using Change = std::function<void(EtcdConfig &)>;
    QTest::newRow("nowhere") << Change([](EtcdConfig &config) { config.server.sockets.clear(); });
    QTest::newRow("a host and a socket") << Change([](EtcdConfig &config) {
        config.server.hosts.append({u"localhost"_s, 2379});
    });
    QTest::newRow("a key without a certificate")
        << Change([](EtcdConfig &config) { config.server.keyFile = u"/k.pem"_s; });
    QTest::newRow("a password of nobody") << Change([](EtcdConfig &config) { config.password = u"x"_s; });
    QTest::newRow("no time to connect") << Change([](EtcdConfig &config) { config.connectTimeout = 0ms; });
    QTest::newRow("no time to answer") << Change([](EtcdConfig &config) { config.answerTimeout = -1ms; });
}

void TestEtcdServer::aWrongConfigurationIsRefusedBeforeAnything()
{
    QFETCH(std::function<void(EtcdConfig &)>, change);
    EtcdConfig wrong = m_bench.config();
    change(wrong);
    const auto error = connectTo(wrong);
    QVERIFY(error);
    QCOMPARE(error->kind, LockError::Kind::BadRequest);
}

void TestEtcdServer::severalMembersAreTried()
{
    EtcdConfig config = m_bench.config();
    config.server.sockets.prepend(u"/nowhere/c:1"_s);
    config.server.sockets.append(u"/nowhere/c:2"_s);
    LockEngine engine(engineOn(std::make_shared<EtcdStore>(config)));
    QCOMPARE(textOf(engine.acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestEtcdServer::aFullServerIsSaid()
{
    const auto engine = m_bench.newEngine();
    AcquireResult taken = engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    const QJsonObject status = m_bench.eye().call("maintenance/status", {});
    const QString member = status["header"_L1].toObject()["member_id"_L1].toString();
    const auto alarm = [&](const QByteArray &action) {
        m_bench.http(u"/v3/maintenance/alarm"_s,
                     "{\"action\":\"" + action + "\",\"alarm\":\"NOSPACE\",\"memberID\":\"" + member.toLatin1()
                         + "\"}");
    };
    alarm("ACTIVATE");
    const AcquireResult refused = engine->acquire(leaseRequest("s"));
    const auto unconnected = connectTo(m_bench.config());
    QCOMPARE(taken.handle.renew(30s), RenewOutcome::Renewed); // which needs no space
    QCOMPARE(taken.handle.renew(1min), RenewOutcome::Failed); // which writes
    QCOMPARE(taken.handle.renew(30s), RenewOutcome::Renewed);
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    alarm("DEACTIVATE");
    QVERIFY2(refused.error && refused.error->kind == LockError::Kind::DiskFull, textOf(refused));
    QVERIFY2(refused.error->message.contains(u"alarm disarm"_s), textOf(refused));
    QVERIFY(unconnected && unconnected->kind == LockError::Kind::DiskFull);
    QCOMPARE(textOf(engine->acquire(leaseRequest("s"))), QByteArray("granted"));
}

void TestEtcdServer::aUserNeedsItsPasswordAndItsRole()
{
    EtcdEye &eye = m_bench.eye();
    EtcdConfig with = m_bench.config();
    with.server.user = u"locks"_s;
    with.password = u"se\"cret"_s;
    const QString noUsers = messageOf(connectTo(with));
    QVERIFY2(noUsers.contains(u"knows no users"_s), qPrintable(noUsers));

    const QByteArray prefix = m_bench.url().path.toUtf8() + '/';
    for (const QString &user : {u"root"_s, u"locks"_s, u"guest"_s})
        eye.call("auth/user/add", {{u"name"_s, user}, {u"password"_s, with.password}});
    for (const QString &role : {u"root"_s, u"locks"_s}) {
        eye.call("auth/role/add", {{u"name"_s, role}});
        eye.call("auth/user/grant", {{u"user"_s, role}, {u"role"_s, role}});
    }
    const QJsonObject all{{u"permType"_s, u"READWRITE"_s},
                          {u"key"_s, base64(prefix)},
                          {u"range_end"_s, base64(detail::endOfPrefix(prefix))}};
    eye.call("auth/role/grant", {{u"name"_s, u"locks"_s}, {u"perm"_s, all}});
    eye.call("auth/enable", {});

    const auto anonymous = connectTo(m_bench.config());
    EtcdConfig wrong = with;
    wrong.password = u"wrong"_s;
    const auto refused = connectTo(wrong);
    EtcdConfig guest = with;
    guest.server.user = u"guest"_s;
    const auto forbidden = connectTo(guest);
    EtcdUrl root = m_bench.node().url();
    root.user = u"root"_s;
    EtcdEye operatorsEye(root, with.password);
    const auto granted = [&] {
        LockEngine engine(engineOn(std::make_shared<EtcdStore>(with)));
        LockEngine other(engineOn(std::make_shared<EtcdStore>(with)));
        AcquireResult taken = engine.acquire(leaseRequest("r"));
        QByteArray next;
        std::thread waiter([&] { next = textOf(other.acquire(leaseRequest("r", 1min))); });
        const QByteArray queue = detail::queuePrefix(with.server, "r");
        const bool hasJoined = eventually([&] { return operatorsEye.keys(queue).size() == 2; });
        m_bench.node().kill9(); // which makes it forget who has signed in
        const auto error = m_bench.node().start();
        bool isRenewed = false;
        eventually([&] { return isRenewed = taken.handle.renew(30s) == RenewOutcome::Renewed; });
        taken.handle.release();
        waiter.join();
        return hasJoined && !error && isRenewed ? next : textOf(taken) + " not renewed";
    }();
    operatorsEye.call("auth/disable", {});

    QVERIFY2(anonymous && anonymous->kind == LockError::Kind::AccessDenied, qPrintable(messageOf(anonymous)));
    QVERIFY2(refused && refused->kind == LockError::Kind::AccessDenied, qPrintable(messageOf(refused)));
    QVERIFY(!refused->toString().contains(u"wrong"_s));
    QVERIFY2(forbidden && forbidden->kind == LockError::Kind::NoPermission, qPrintable(messageOf(forbidden)));
    QCOMPARE(granted, QByteArray("granted"));
}

void TestEtcdServer::aPasswordGoesToNoStrangerOfThisMachine()
{
    if (!StrangersPort::isPossible())
        QSKIP("Only root can give a port away");
    const StrangersPort stranger;
    EtcdConfig config;
    config.server.hosts = {{u"localhost"_s, stranger.number()}};
    config.server.user = u"locks"_s;
    config.password = u"secret"_s;
    const auto refused = connectTo(config);
    QVERIFY(refused && refused->kind == LockError::Kind::Unavailable);
    QVERIFY2(refused->message.contains(u"tls=off"_s), qPrintable(refused->message));
    QCOMPARE(stranger.clients(), 0);
    config.server.tls = EtcdUrl::Tls::Off;
    QVERIFY(connectTo(config));
    QVERIFY(stranger.clients() > 0);
}

void TestEtcdServer::aPasswordGoesToNoSocketThatAnybodyMayExchange()
{
    const QTemporaryDir folder;
    const QString path = QFileInfo(folder.path()).canonicalFilePath() + u"/s"_s;
    QLocalServer server;
    QVERIFY(server.listen(path));
    QVERIFY(QFile::link(path, folder.filePath(u"link"_s)));
    EtcdConfig config;
    config.server.user = u"locks"_s;
    config.password = u"secret"_s;
    const auto answerFor = [&](const QString &socket) {
        config.server.sockets = {socket};
        return messageOf(connectTo(config));
    };
    QVERIFY(answerFor(folder.filePath(u"link"_s)).contains(u"Write it without: "_s + path));
    QCOMPARE(::chmod(folder.path().toLocal8Bit().constData(), 0777), 0);
    QVERIFY(answerFor(path).contains(u"may be anybody's"_s));
    QVERIFY(!server.waitForNewConnection(0));
}

void TestEtcdServer::aTlsServerIsVerified()
{
    const QTemporaryDir folder;
    for (const QString &name : {u"server"_s, u"stranger"_s}) {
        QProcess openssl;
        openssl.start(u"openssl"_s,
                      {u"req"_s, u"-x509"_s, u"-newkey"_s, u"ec"_s, u"-pkeyopt"_s, u"ec_paramgen_curve:prime256v1"_s,
                       u"-nodes"_s, u"-keyout"_s, folder.filePath(name + u".key"_s), u"-out"_s,
                       folder.filePath(name + u".pem"_s), u"-days"_s, u"2"_s, u"-subj"_s, u"/CN=localhost"_s,
                       u"-addext"_s, u"subjectAltName=DNS:localhost"_s});
        QVERIFY(openssl.waitForFinished() && openssl.exitCode() == 0);
    }
    const int port = freePort();
    const QString address = u"https://localhost:%1"_s.arg(port);
    EtcdNode node(1,
                  {u"--listen-client-urls"_s, u"https://127.0.0.1:%1,unix://c0:1"_s.arg(port),
                   u"--advertise-client-urls"_s, address, u"--cert-file"_s, folder.filePath(u"server.pem"_s),
                   u"--key-file"_s, folder.filePath(u"server.key"_s)});
    const auto started = node.start();
    QVERIFY2(!started, qPrintable(messageOf(started)));
    EtcdConfig config;
    config.server.hosts = {{u"localhost"_s, port}};
    config.server.caFile = folder.filePath(u"server.pem"_s);
    LockEngine engine(engineOn(std::make_shared<EtcdStore>(config)));
    LockEngine other(engineOn(std::make_shared<EtcdStore>(config)));
    AcquireResult taken = engine.acquire(leaseRequest("r"));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    QByteArray next;
    std::thread waiter([&] { next = textOf(other.acquire(leaseRequest("r", 1min))); });
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    waiter.join();
    QCOMPARE(next, QByteArray("granted"));

    config.server.caFile = folder.filePath(u"stranger.pem"_s);
    QVERIFY(messageOf(connectTo(config)).contains(u"No trusted connection"_s));
    config.server.caFile = folder.filePath(u"server.pem"_s);
    config.server.hosts = {{u"127.0.0.1"_s, port}}; // a name that its certificate has not
    QVERIFY(messageOf(connectTo(config)).contains(u"No trusted connection"_s));
    config.server.hosts = {{u"localhost"_s, port}};
    config.server.caFile.clear();
    const QString plain = messageOf(connectTo(config));
    QVERIFY2(plain.contains(u"speaks TLS"_s), qPrintable(plain));
    config.server.tls = EtcdUrl::Tls::On; // by the system's authorities
    QVERIFY(messageOf(connectTo(config)).contains(u"No trusted connection"_s));
}

void TestEtcdServer::hostileDataDisturbsNobody_data()
{
    QTest::addColumn<QByteArray>("data");

    QTest::newRow("empty") << QByteArray();
    QTest::newRow("binary") << QByteArray("\x00\xff\x1b[2J", 6);
    QTest::newRow("large") << QByteArray(1'000'000, '{');
    QTest::newRow("no owner") << QByteArray(R"({"owner":[],"since":-7})");
}

void TestEtcdServer::hostileDataDisturbsNobody()
{
    QFETCH(QByteArray, data);
    const auto engine = m_bench.newEngine();
    AcquireResult taken = engine->acquire(leaseRequest("r"));
    QCOMPARE(textOf(taken), QByteArray("granted"));
    const auto key = m_bench.queue("r").first();
    m_bench.eye().put(key.key, data, key.lease);
    const QByteArray mail = detail::mailKey(m_bench.url(), engine->owner().session, taken.handle.token());
    m_bench.eye().put(mail, data, key.lease);
    QCOMPARE(taken.handle.renew(30s), RenewOutcome::Renewed);
    const auto other = m_bench.newEngine();
    QCOMPARE(other->heldLeases({"r"}).leases.value(0).token, taken.handle.token());
    AcquireResult next;
    std::thread waiter([&] { next = other->acquire(leaseRequest("r", 1min)); });
    QVERIFY(m_bench.haveJoined(1));
    m_bench.eye().put(key.key, data, key.lease);
    QVERIFY(taken.handle.isHeld());
    QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
    waiter.join();
    QCOMPARE(textOf(next), QByteArray("granted"));
}

void TestEtcdServer::aLongerElectionWantsALongerTtl()
{
    EtcdBench slow(1, {u"--election-timeout"_s, u"5000"_s, u"--heartbeat-interval"_s, u"500"_s});
    slow.begin();
    const auto engine = slow.newEngine();
    const AcquireResult refused = engine->acquire(leaseRequest("r", 0s, 3s));
    QVERIFY(refused.error);
    QCOMPARE(refused.error->kind, LockError::Kind::BadRequest);
    QVERIFY2(refused.error->message.contains(u"The TTL must be at least 8 s at this etcd"_s), textOf(refused));
    QCOMPARE(textOf(engine->acquire(leaseRequest("r", 0s, 8s))), QByteArray("granted"));
}

QTEST_GUILESS_MAIN(TestEtcdServer)
#include "tst_etcdserver.moc"
