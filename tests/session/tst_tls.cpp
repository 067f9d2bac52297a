// SPDX-License-Identifier: MIT
// A server that is not this machine is known by its certificate before it learns who asks: chain and host name.
#include "enginefixture.h"
#include "session/session.h"
#include "strict.h"

#include <QtCore/QProcess>
#include <QtTest/QTest>

#include <future>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

/// This machine, by an address that does not count as this machine: Linux takes it for 127.0.0.1.
const auto kRemote = u"0.0.0.0"_s;
const auto kUser = u"tls"_s;
const auto kPassword = u"Very secret"_s;
const auto kLater = u"20991231000000Z"_s; ///< when what is valid ends

void openssl(const QString &folder, const QStringList &arguments)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(u"openssl"_s, arguments);
    if (!process.waitForFinished() || process.exitCode() != 0)
        qFatal("openssl (see resources/packages.txt): %s", process.readAllStandardError().constData());
}

QStringList newKey(const QString &name)
{
    return {u"req"_s,    u"-newkey"_s, u"ec"_s,          u"-pkeyopt"_s, u"ec_paramgen_curve:prime256v1"_s,
            u"-nodes"_s, u"-keyout"_s, name + "-key"_L1, u"-subj"_s,    u"/CN="_s + name};
}

void makeAuthority(const QString &folder, const QString &name)
{
    openssl(folder, newKey(name) + QStringList{u"-x509"_s, u"-days"_s, u"2"_s, u"-out"_s, name});
}

/// How the authority "ca" signs: as it is asked to.
constexpr auto kSigning = R"(
[ca]
default_ca = own
[own]
certificate = ca
private_key = ca-key
database = signed
new_certs_dir = .
policy = any
copy_extensions = copy
default_md = sha256
rand_serial = yes
[any]
commonName = supplied
)";

void writeFile(const QString &path, const QByteArray &content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("Cannot write %ls", qUtf16Printable(path));
}

/// Signed by the authority "ca", from 2020 to `end`. OpenSSL refuses an end by days that lies before its start.
void makeCertificate(const QString &folder, const QString &name, const QString &server, const QString &end)
{
    openssl(folder, newKey(name) + QStringList{u"-addext"_s, u"subjectAltName="_s + server, u"-out"_s, u"request"_s});
    openssl(folder,
            {u"ca"_s, u"-batch"_s, u"-notext"_s, u"-config"_s, u"signing"_s, u"-in"_s, u"request"_s, u"-startdate"_s,
             u"20200101000000Z"_s, u"-enddate"_s, end, u"-out"_s, name});
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("Cannot read %ls", qUtf16Printable(path));
    return file.readAll();
}

/// Listens at any free port of 127.0.0.1, which is written to `*port`.
int listenSomewhere(int *port)
{
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto *plain = reinterpret_cast<sockaddr *>(&address);
    if (::bind(fd, plain, size) != 0 || ::listen(fd, 1) != 0 || ::getsockname(fd, plain, &size) != 0)
        qFatal("Cannot listen at 127.0.0.1");
    *port = ntohs(address.sin_port);
    return fd;
}

/// As if a person of this machine who is nobody here listened there. False: only root can do that.
bool giveToStranger(int listener, const QString &socket)
{
    constexpr uid_t stranger = 54321;
    return socket.isEmpty() ? ::fchown(listener, stranger, gid_t(-1)) == 0
                            : ::chown(socket.toLocal8Bit().constData(), stranger, gid_t(-1)) == 0;
}

int freePort()
{
    int port = 0;
    ::close(listenSomewhere(&port));
    return port;
}

/// What a server says first that has no TLS: protocol 10, a version, a random number, what it can do.
QByteArray greetingWithoutTls()
{
    constexpr char text[] = "\x0a"
                            "8.0.36\0"
                            "\1\0\0\0"
                            "abcdefgh\0"
                            "\x0f\xa2\xff\2\0\x0b\0\x15" // capabilities, without 0x0800 of the first two bytes
                            "\0\0\0\0\0\0\0\0\0\0"
                            "ijklmnopqrst\0"
                            "mysql_native_password";
    QByteArray packet = QByteArray::fromRawData(text, sizeof text); // with the last zero
    return QByteArray(1, char(packet.size())) + QByteArray(3, '\0') + packet;
}

/// Sends `packet`, and returns what comes next.
QByteArray say(int client, const QByteArray &packet)
{
    [[maybe_unused]] const auto written = ::write(client, packet.constData(), std::size_t(packet.size()));
    QByteArray heard(4096, Qt::Uninitialized);
    heard.truncate(std::max<ssize_t>(0, ::read(client, heard.data(), std::size_t(heard.size()))));
    return heard;
}

/// Pretends to be a server without TLS to one client, and returns all that this sent.
QByteArray listenAsServerWithoutTls(int listener)
{
    const int client = ::accept(listener, nullptr, nullptr);
    const QByteArray heard = say(client, greetingWithoutTls());
    ::close(client);
    return heard;
}

/// The same, asks the client to sign in another way, then for all of the password, and returns what it sent to that.
QByteArray listenAndAskFor(int listener, const QByteArray &way)
{
    const int client = ::accept(listener, nullptr, nullptr);
    say(client, greetingWithoutTls());
    const QByteArray question = '\xfe' + way + '\0' + "abcdefghijklmnopqrst" + '\0';
    QByteArray heard = say(client, char(question.size()) + QByteArray("\0\0\2", 3) + question);
    if (!heard.isEmpty())
        heard += say(client, QByteArray("\2\0\0\4\1\4", 6));
    ::close(client);
    return heard;
}

} // namespace

class TestTls : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { failOnWarnings(); }

    void onlyLoopbackIsThisMachine_data();
    void onlyLoopbackIsThisMachine();
    void theRightServerIsConnectedTo();
    void aConnectionThatBreaksIsLostAndCostsAReconnect();
    void aServerThatCannotBeTrustedLearnsNothing_data();
    void aServerThatCannotBeTrustedLearnsNothing();
    void aServerWithoutTlsIsSentNothing();
    void noServerIsShownThePasswordAsItIs_data();
    void noServerIsShownThePasswordAsItIs();
    void aServerOfThisUserMayBeShownIt();
    void aNamedAuthorityIsAskedForAlsoOnThisMachine();

private:
    SessionTarget target(const QString &authority) const;
    int listenAtPort(SessionTarget *to) const;
    int listenAtSocket(SessionTarget *to) const;
    void runWith(const QString &certificate);
    /// Whoever told the server a name since the log was started.
    QStringList whoConnected();

    QTemporaryDir m_folder;
    std::unique_ptr<TestServer> m_server;
    std::unique_ptr<Observer> m_observer;
    QString m_certificate; ///< that the server runs with
    int m_port = 0;
};

void TestTls::initTestCase()
{
    const QString folder = m_folder.path();
    makeAuthority(folder, u"ca"_s);
    makeAuthority(folder, u"stranger"_s);
    writeFile(folder + u"/signing"_s, kSigning);
    writeFile(folder + u"/signed"_s, {});
    makeCertificate(folder, u"right"_s, u"IP:"_s + kRemote, kLater);
    makeCertificate(folder, u"elsewhere"_s, u"DNS:elsewhere.example"_s, kLater);
    makeCertificate(folder, u"expired"_s, u"IP:"_s + kRemote, u"20210101000000Z"_s);
    m_port = freePort();
    m_server = std::make_unique<TestServer>();
    Observer(*m_server).run(
        "CREATE USER tls@'127.0.0.1' IDENTIFIED BY 'Very secret'; GRANT ALL ON lockscope.* TO tls@'127.0.0.1'");
}

SessionTarget TestTls::target(const QString &authority) const
{
    SessionTarget target;
    target.url.user = kUser;
    target.url.host = kRemote;
    target.url.port = m_port;
    target.url.schema = u"lockscope"_s;
    if (!authority.isEmpty())
        target.url.caFile = m_folder.filePath(authority);
    target.password = kPassword;
    return target;
}

int TestTls::listenAtPort(SessionTarget *to) const
{
    to->url.host = u"127.0.0.1"_s;
    return listenSomewhere(&to->url.port);
}

int TestTls::listenAtSocket(SessionTarget *to) const
{
    to->url.host.clear();
    to->url.socket = m_folder.filePath(u"listener"_s);
    const QByteArray path = to->url.socket.toLocal8Bit();
    ::unlink(path.constData());
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    qstrncpy(address.sun_path, path.constData(), sizeof address.sun_path);
    if (::bind(fd, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0 || ::listen(fd, 1) != 0)
        qFatal("Cannot listen at %s", path.constData());
    return fd;
}

/// Empty: without TLS.
void TestTls::runWith(const QString &certificate)
{
    if (!m_observer || m_certificate != certificate) {
        QStringList options{u"--skip-networking=0"_s, u"--bind-address=127.0.0.1"_s, u"--port=%1"_s.arg(m_port)};
        if (!certificate.isEmpty()) {
            const QByteArray key = contentOf(m_folder.filePath(certificate + "-key"_L1));
            options += u"--ssl-cert="_s + m_server->put(u"cert"_s, contentOf(m_folder.filePath(certificate)));
            options += u"--ssl-key="_s + m_server->put(u"key"_s, key);
        } else {
            // Else it makes a certificate for itself: MySQL, and MariaDB from 11.4 on.
            options += m_server->family() == Family::MySql ? u"--tls-version="_s : u"--skip-ssl"_s;
        }
        m_server->setOptions(options);
        m_server->restart();
        m_certificate = certificate;
        m_observer = std::make_unique<Observer>(*m_server);
    }
    m_observer->startLog();
}

QStringList TestTls::whoConnected()
{
    QStringList who;
    for (const QVariantList &row : m_observer->rows("SELECT CONVERT(argument USING utf8mb4) FROM mysql.general_log "
                                                    "WHERE command_type = 'Connect'"))
        who += row.value(0).toString();
    return who;
}

void TestTls::onlyLoopbackIsThisMachine_data()
{
    QTest::addColumn<bool>("isLocal");
    for (const char *host : {"localhost", "127.0.0.1", "127.1.2.3", "::1", "0:0:0:0:0:0:0:1"})
        QTest::newRow(host) << true;
    for (const char *host : {"0.0.0.0", "db1", "127.example.com", "127.0.0.1.example.com", "localhost.example.com",
                             "10.127.0.1", "1127.0.0.1", "127.0.0.300", "127.1", "::2"})
        QTest::newRow(host) << false;
}

void TestTls::onlyLoopbackIsThisMachine()
{
    QFETCH(bool, isLocal);
    ServerUrl url;
    url.host = QString::fromLatin1(QTest::currentDataTag());
    QCOMPARE(url.isLocal(), isLocal);
}

void TestTls::theRightServerIsConnectedTo()
{
    runWith(u"right"_s);
    LockError error;
    const auto session = Session::open(target(u"ca"_s), &error);
    QVERIFY2(session, qPrintable(error.toString()));
    const Reply reply = session->run("SHOW STATUS LIKE 'Ssl_cipher'", "cipher");
    QVERIFY(!reply.set(0).rows.value(0).value(1).toString().isEmpty());
    const QStringList who = whoConnected();
    QVERIFY2(who.size() == 1 && who.first().startsWith(u"tls@"), qPrintable(who.join(u'\n')));
}

/// The client library has one number for a secure connection that broke and for one that was refused.
void TestTls::aConnectionThatBreaksIsLostAndCostsAReconnect()
{
    runWith(u"right"_s);
    LockError error;
    auto session = Session::open(target(u"ca"_s), &error);
    QVERIFY2(session, qPrintable(error.toString()));
    m_observer->run("KILL " + QByteArray::number(session->connectionId()));
    const Reply idle = session->run("SELECT 1", "idle");
    QVERIFY(idle.error);
    QCOMPARE(idle.error->kind, LockError::Kind::ConnectionLost);
    QVERIFY(session->isGone());

    resetTables(*m_server);
    EngineConfig config = configFor(*m_server);
    config.server = target(u"ca"_s).url;
    config.password = kPassword;
    LockEngine engine(config);
    for (const Mode mode : {Mode::Unique, Mode::Pessimistic}) {
        LockRequest request = requestFor("a", Patience);
        request.mode = mode;
        QCOMPARE(engine.acquire(request).handle.release(), ReleaseOutcome::Released);
        for (const QVariantList &row :
             m_observer->rows("SELECT id FROM information_schema.processlist WHERE user = 'tls'"))
            m_observer->kill(row.value(0).toByteArray());
        auto again = engine.acquire(request);
        QVERIFY2(again.outcome == Outcome::Granted, again.error ? qPrintable(again.error->toString()) : "");
        QCOMPARE(again.handle.release(), ReleaseOutcome::Released);
    }
}

void TestTls::aServerThatCannotBeTrustedLearnsNothing_data()
{
    QTest::addColumn<QString>("certificate");
    QTest::addColumn<QString>("authority");
    QTest::addColumn<QString>("says");
    QTest::newRow("another authority") << "right"
                                       << "stranger"
                                       << "not signed by a trusted authority";
    QTest::newRow("none but the system's authorities") << "right" << QString() << "not signed by a trusted authority";
    QTest::newRow("no file of that name") << "right"
                                          << "nothing here"
                                          << "CA file cannot be read";
    QTest::newRow("another name") << "elsewhere"
                                  << "ca"
                                  << "for another name";
    QTest::newRow("expired") << "expired"
                             << "ca"
                             << "has expired";
    QTest::newRow("without TLS") << QString() << "ca"
                                 << "does not offer TLS";
    QTest::newRow("without TLS, the system's authorities") << QString() << QString() << "does not offer TLS";
}

void TestTls::aServerThatCannotBeTrustedLearnsNothing()
{
    QFETCH(QString, certificate);
    QFETCH(QString, authority);
    QFETCH(QString, says);
    runWith(certificate);
    LockError error;
    QVERIFY(!Session::open(target(authority), &error));
    QCOMPARE(error.kind, LockError::Kind::Unavailable);
    QVERIFY2(error.message.contains(says), qPrintable(error.toString()));
    QVERIFY(!error.toString().contains(kPassword));
    // User and password travel in one packet, and the server logs whoever names itself.
    QCOMPARE(whoConnected(), QStringList());
}

void TestTls::aServerWithoutTlsIsSentNothing()
{
    int port = 0;
    const int listener = listenSomewhere(&port);
    const auto heardFrom = [&](const QString &host) {
        auto heard = std::async(std::launch::async, listenAsServerWithoutTls, listener);
        SessionTarget to = target({});
        to.url.host = host;
        to.url.port = port;
        LockError error;
        Session::open(to, &error);
        return heard.get();
    };
    QVERIFY(heardFrom(u"127.0.0.1"_s).contains("tls")); // this machine needs no TLS, and the trap works
    QCOMPARE(heardFrom(kRemote), QByteArray());
    ::close(listener);
}

void TestTls::noServerIsShownThePasswordAsItIs_data()
{
    QTest::addColumn<QByteArray>("way");
    QTest::addColumn<bool>("isStrangers");
    QTest::addColumn<bool>("hasSocket");
    const QByteArray question("dialog\0\4Password: ", 18);
    QTest::newRow("clear text") << QByteArray("mysql_clear_password") << false << false;
    QTest::newRow("a question of its own") << question << false << false;
    QTest::newRow("a question of its own, socket") << question << false << true;
    for (const char *way : {"sha256_password", "caching_sha2_password"}) {
        QTest::addRow("%s to a stranger", way) << QByteArray(way) << true << false;
        QTest::addRow("%s to a stranger's socket", way) << QByteArray(way) << true << true;
    }
}

/// Whatever listens at an address of this machine may be anybody's.
void TestTls::noServerIsShownThePasswordAsItIs()
{
    QFETCH(QByteArray, way);
    QFETCH(bool, isStrangers);
    QFETCH(bool, hasSocket);
    SessionTarget to = target({});
    const int listener = hasSocket ? listenAtSocket(&to) : listenAtPort(&to);
    if (isStrangers && !giveToStranger(listener, to.url.socket))
        QSKIP("Only root can listen as somebody else");
    auto heard = std::async(std::launch::async, listenAndAskFor, listener, way);
    LockError error;
    QVERIFY(!Session::open(to, &error));
    QCOMPARE(heard.get(), QByteArray());
    QCOMPARE(error.kind, LockError::Kind::AccessDenied);
    QVERIFY2(error.message.contains(isStrangers ? u"may be anybody's"_s : u"not safe"_s), qPrintable(error.toString()));
    QCOMPARE(error.message.contains(u"ssl-ca"_s), isStrangers);
    ::close(listener);
}

/// A MySQL that this user started is not asked for a certificate.
void TestTls::aServerOfThisUserMayBeShownIt()
{
    for (const bool hasSocket : {false, true}) {
        SessionTarget to = target({});
        const int listener = hasSocket ? listenAtSocket(&to) : listenAtPort(&to);
        auto heard = std::async(std::launch::async, listenAndAskFor, listener, QByteArray("caching_sha2_password"));
        LockError error;
        QVERIFY(!Session::open(to, &error));
        const QByteArray all = heard.get();
        QVERIFY2(all.contains(hasSocket ? kPassword.toUtf8() : QByteArray("\1\0\0\5\2", 5)),
                 all.toHex()); // or for a key of its own
        ::close(listener);
    }
}

void TestTls::aNamedAuthorityIsAskedForAlsoOnThisMachine()
{
    runWith(u"elsewhere"_s);
    SessionTarget to = target(u"ca"_s);
    to.url.host = u"127.0.0.1"_s;
    LockError error;
    QVERIFY(!Session::open(to, &error));
    QVERIFY2(error.message.contains(u"for another name"), qPrintable(error.toString()));
    QCOMPARE(whoConnected(), QStringList());
    to.url.caFile.clear();
    QVERIFY2(Session::open(to, &error), qPrintable(error.toString()));
}

QTEST_GUILESS_MAIN(TestTls)
#include "tst_tls.moc"
