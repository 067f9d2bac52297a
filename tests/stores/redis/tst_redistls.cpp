// SPDX-License-Identifier: MIT
// Redis over TCP: with a certificate that was verified, or not at all.
#include "redisfixture.h"

#include <QtNetwork/QTcpServer>
#include <QtTest/QTest>

#include <thread>

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

} // namespace

class TestRedisTls : public RedisTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { } // the node that initTestCase() starts

    void aVerifiedServerIsSpokenTo();
    void plainTextIsForThisMachine();
    void whatIsNotVerifiedIsRefused_data();
    void whatIsNotVerifiedIsRefused();

private:
    QTemporaryDir m_folder;
    int m_plainPort = 0;
    int m_tlsPort = 0;
};

void TestRedisTls::initTestCase()
{
    RedisTest::initTestCase();
    const auto make = [&](const QString &name, const QString &host) {
        QProcess openssl;
        openssl.start(u"openssl"_s,
                      {u"req"_s, u"-x509"_s, u"-newkey"_s, u"ec"_s, u"-pkeyopt"_s, u"ec_paramgen_curve:prime256v1"_s,
                       u"-nodes"_s, u"-keyout"_s, m_folder.filePath(name + u".key"_s), u"-out"_s,
                       m_folder.filePath(name + u".pem"_s), u"-days"_s, u"2"_s, u"-subj"_s, u"/CN="_s + host,
                       u"-addext"_s, u"subjectAltName=DNS:"_s + host});
        QVERIFY(openssl.waitForFinished() && openssl.exitCode() == 0);
    };
    make(u"server"_s, u"localhost"_s);
    make(u"stranger"_s, u"localhost"_s);
    m_plainPort = freePort();
    m_tlsPort = freePort();
    // The last one of an option counts.
    m_node = std::make_unique<TestRedis>(
        QStringList{u"--port"_s, QString::number(m_plainPort), u"--bind"_s, u"127.0.0.1"_s, u"--tls-port"_s,
                    QString::number(m_tlsPort), u"--tls-cert-file"_s, m_folder.filePath(u"server.pem"_s),
                    u"--tls-key-file"_s, m_folder.filePath(u"server.key"_s), u"--tls-ca-cert-file"_s,
                    m_folder.filePath(u"server.pem"_s), u"--tls-auth-clients"_s, u"no"_s});
}

void TestRedisTls::aVerifiedServerIsSpokenTo()
{
    RedisConfig config;
    config.server.host = u"localhost"_s;
    config.server.port = m_tlsPort;
    config.server.caFile = m_folder.filePath(u"server.pem"_s);
    QVERIFY(config.server.usesTls());
    LockEngine engine(engineOn(config));
    LockEngine other(engineOn(config));
    for (int i = 0; i < 20; ++i) {
        AcquireResult taken = engine.acquire(leaseRequest("r"));
        QCOMPARE(textOf(taken), QByteArray("granted"));
        QByteArray text;
        std::thread waiter([&] { text = textOf(other.acquire(leaseRequest("r", 1min))); });
        QVERIFY(eventually([&] { return m_node->waiters("r") == 1; }));
        QCOMPARE(taken.handle.release(), ReleaseOutcome::Released);
        waiter.join();
        QCOMPARE(text, QByteArray("granted"));
    }
    LockRequest large = leaseRequest("large");
    large.note = QByteArray(MaxNoteBytes, 'x');
    const AcquireResult taken = engine.acquire(large);
    QCOMPARE(other.heldLeases({"large"}).leases.value(0).note, large.note);
}

void TestRedisTls::plainTextIsForThisMachine()
{
    RedisConfig config;
    config.server.host = u"127.0.0.1"_s;
    config.server.port = m_plainPort;
    LockEngine engine(engineOn(config));
    QCOMPARE(textOf(engine.acquire(leaseRequest("r"))), QByteArray("granted"));
}

void TestRedisTls::whatIsNotVerifiedIsRefused_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("authority");
    QTest::addColumn<bool>("toTlsPort");

    QTest::newRow("unknown authority") << u"localhost"_s << QString() << true;
    QTest::newRow("another authority") << u"localhost"_s << u"stranger.pem"_s << true;
    QTest::newRow("no authority") << u"localhost"_s << u"server.key"_s << true;
    QTest::newRow("another name") << u"127.0.0.1"_s << u"server.pem"_s << true;
    QTest::newRow("plain text") << u"localhost"_s << u"server.pem"_s << false;
}

void TestRedisTls::whatIsNotVerifiedIsRefused()
{
    QFETCH(QString, host);
    QFETCH(QString, authority);
    QFETCH(bool, toTlsPort);
    RedisConfig config;
    config.server.host = host;
    config.server.tls = RedisUrl::Tls::On;
    config.server.port = toTlsPort ? m_tlsPort : m_plainPort;
    config.connectTimeout = 2s;
    if (!authority.isEmpty())
        config.server.caFile = m_folder.filePath(authority);
    LockEngine engine(engineOn(config));
    const auto error = engine.connectToServer();
    QVERIFY(error);
    QVERIFY2(error->kind == LockError::Kind::Unavailable, qPrintable(error->toString()));
    QVERIFY2(error->message.contains(u"certificate"_s), qPrintable(error->toString()));
}

QTEST_GUILESS_MAIN(TestRedisTls)
#include "tst_redistls.moc"
