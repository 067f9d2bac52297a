// SPDX-License-Identifier: MIT
// Whose program listens at an address of this machine, by what the kernel says of it.
#include "session/trustedsocket.h"
#include "strangersport.h"

#include <QtCore/QBuffer>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace lockscope;
using namespace Qt::StringLiterals;

namespace {

constexpr uid_t kMysql = 106;
constexpr uid_t kOurs = 1000;
constexpr uid_t kStranger = 1001;

constexpr char kHead[] =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

/// A line of /proc/net/tcp, as Linux writes it.
QByteArray line(const char *local, const char *state, uid_t account)
{
    return "   0: " + QByteArray(local) + " 00000000:0000 " + state + " 00000000:00000000 00:00000000 00000000 "
        + QByteArray::number(account).rightJustified(5) + "        0 31337 1 0000000000000000 100 0 0 10 0\n";
}

const QByteArray kLoopback6 = "00000000000000000000000001000000";
const QByteArray kAny6 = "00000000000000000000000000000000";
const QByteArray kMapped = "0000000000000000FFFF00000100007F";

QList<uid_t> listening(const QByteArray &tcp, const QByteArray &tcp6, const QString &host, int port)
{
    QByteArray text4 = kHead + tcp;
    QByteArray text6 = kHead + tcp6;
    QBuffer file4(&text4);
    QBuffer file6(&text6);
    file4.open(QIODevice::ReadOnly);
    file6.open(QIODevice::ReadOnly);
    const auto found = accountsListening(file4, file6, host, port);
    return {found.begin(), found.end()};
}

} // namespace

class TestListener : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void accountsOfTheSystemAndOwnAreTrusted();
    void whoeverTakesTheConnectionIsFound_data();
    void whoeverTakesTheConnectionIsFound();
    void aConnectionIsNotTakenForAListener();
    void aPortOfThisMachineIsJudgedByWhoListens_data();
    void aPortOfThisMachineIsJudgedByWhoListens();
    void aStrangersPortIsNotTrusted();
    void aSocketIsTrustedWhereNobodyElseCanPutIt();
    void aLinkIsFollowedOnce();
};

void TestListener::accountsOfTheSystemAndOwnAreTrusted()
{
    QVERIFY(isTrustedAccount(0, kOurs));
    QVERIFY(isTrustedAccount(kMysql, kOurs));
    QVERIFY(isTrustedAccount(kOurs, kOurs));
    QVERIFY(!isTrustedAccount(kStranger, kOurs));
    QVERIFY(!isTrustedAccount(65534, kOurs));
    QVERIFY(!isTrustedAccount(kStranger, 0)); // root is not everybody's friend
}

void TestListener::whoeverTakesTheConnectionIsFound_data()
{
    QTest::addColumn<QByteArray>("tcp");
    QTest::addColumn<QByteArray>("tcp6");
    QTest::addColumn<QString>("host");
    QTest::addColumn<QList<uid_t>>("accounts");
    const QString host = u"127.0.0.1"_s;
    const QByteArray none;
    const auto one = [](const QByteArray &address, uid_t account) { return line(address + ":0CEA", "0A", account); };
    QTest::newRow("nobody") << none << none << host << QList<uid_t>();
    QTest::newRow("the address") << one("0100007F", kMysql) << none << host << QList<uid_t>{kMysql};
    QTest::newRow("all addresses") << one("00000000", kStranger) << none << host << QList<uid_t>{kStranger};
    QTest::newRow("all of IPv6 too") << none << one(kAny6, 0) << host << QList<uid_t>{0};
    QTest::newRow("as IPv6 writes it") << none << one(kMapped, 7) << host << QList<uid_t>{7};
    QTest::newRow("IPv6") << one("0100007F", 1) << one(kLoopback6, 2) << u"::1"_s << QList<uid_t>{2};
    QTest::newRow("IPv6 written out") << none << one(kLoopback6, 2) << u"0:0:0:0:0:0:0:1"_s << QList<uid_t>{2};
    QTest::newRow("another address") << one("0200007F", 1) << one(kLoopback6, 2) << host << QList<uid_t>();
    QTest::newRow("another port") << line("0100007F:0CEB", "0A", 1) << none << host << QList<uid_t>();
    QTest::newRow("several") << one("0100007F", kMysql) << one(kAny6, kStranger) << host
                             << QList<uid_t>{kMysql, kStranger};
    QTest::newRow("nonsense") << QByteArray("   0: 0100007F:0CEA\nx\n") << QByteArray("\n\n") << host << QList<uid_t>();
    QTest::newRow("either of localhost") << one("0100007F", 1) << one(kLoopback6, kStranger) << u"localhost"_s
                                         << QList<uid_t>{1, kStranger};
    QTest::newRow("a name") << one("00000000", 0) << none << u"db1"_s << QList<uid_t>();
}

void TestListener::whoeverTakesTheConnectionIsFound()
{
    QFETCH(QByteArray, tcp);
    QFETCH(QByteArray, tcp6);
    QFETCH(QString, host);
    QFETCH(QList<uid_t>, accounts);
    QCOMPARE(listening(tcp, tcp6, host, 3306), accounts);
}

/// A client may have the port too, from which it connects.
void TestListener::aConnectionIsNotTakenForAListener()
{
    QCOMPARE(listening(line("0100007F:0CEA", "01", 0), {}, u"127.0.0.1"_s, 3306), QList<uid_t>());
}

void TestListener::aPortOfThisMachineIsJudgedByWhoListens_data()
{
    QTest::addColumn<QString>("host");
    QTest::newRow("an address") << u"127.0.0.1"_s;
    QTest::newRow("a name") << u"localhost"_s;
}

void TestListener::aPortOfThisMachineIsJudgedByWhoListens()
{
    QFETCH(QString, host);
    int number = 0;
    {
        const test::LocalPort own([](int /*client*/) {});
        number = own.number();
        QCOMPARE(listenerAt(host, number), LoopbackListener::Trusted);
    }
    QCOMPARE(listenerAt(host, number), LoopbackListener::None);
}

void TestListener::aStrangersPortIsNotTrusted()
{
    if (!test::StrangersPort::isPossible())
        QSKIP("Only root can give a port away");
    const test::StrangersPort stranger;
    QCOMPARE(listenerAt(u"127.0.0.1"_s, stranger.number()), LoopbackListener::Anybody);
    QCOMPARE(listenerAt(u"localhost"_s, stranger.number()), LoopbackListener::Anybody);
    QCOMPARE(stranger.clients(), 0);
}

void TestListener::aSocketIsTrustedWhereNobodyElseCanPutIt()
{
    const QTemporaryDir folder;
    const QString path = QFileInfo(folder.path()).canonicalFilePath() + u"/sub/a"_s;
    QVERIFY(QDir(folder.path()).mkdir(u"sub"_s));
    QCOMPARE(trustedSocket(path, ::geteuid()), QString()); // not there
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(trustedSocket(path, ::geteuid()), path);
    const QByteArray parent = folder.filePath(u"sub"_s).toLocal8Bit();
    QCOMPARE(::chmod(parent.constData(), 0777), 0);
    QCOMPARE(trustedSocket(path, ::geteuid()), QString()); // anybody can put another one in its place
    QCOMPARE(::chmod(parent.constData(), 01777), 0);
    QCOMPARE(trustedSocket(path, ::geteuid()), path);
    if (::geteuid() != 0)
        QSKIP("Only root can give a file away");
    QCOMPARE(::chown(parent.constData(), kStranger, gid_t(-1)), 0);
    QCOMPARE(trustedSocket(path, 0), QString());
    QCOMPARE(trustedSocket(path, kStranger), path);
    QCOMPARE(::chown(parent.constData(), 0, gid_t(-1)), 0);
    QCOMPARE(::chown(path.toLocal8Bit().constData(), kStranger, gid_t(-1)), 0);
    QCOMPARE(trustedSocket(path, 0), QString());
}

/// Whoever made the link can let it lead elsewhere a moment later.
void TestListener::aLinkIsFollowedOnce()
{
    const QTemporaryDir folder;
    const QString path = QFileInfo(folder.path()).canonicalFilePath() + u"/a"_s;
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(QFile::link(path, folder.filePath(u"link"_s)));
    QCOMPARE(trustedSocket(folder.filePath(u"link"_s), ::geteuid()), path);
}

QTEST_GUILESS_MAIN(TestListener)
#include "tst_listener.moc"
