// SPDX-License-Identifier: MIT
// Addresses of Redis: what they mean, and which are refused.
#include "lockscope/redisstore.h"

#include <QtTest/QTest>

using namespace lockscope;

class TestRedisUrl : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anAddressIsReadAndWrittenBack_data();
    void anAddressIsReadAndWrittenBack();
    void aWrongAddressIsRefused_data();
    void aWrongAddressIsRefused();
    void onlyThisMachineIsSpokenToInPlainText_data();
    void onlyThisMachineIsSpokenToInPlainText();
    void aPathMayHoldAnything();
};

void TestRedisUrl::anAddressIsReadAndWrittenBack_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    QTest::addColumn<int>("database");
    QTest::addColumn<QString>("written");

    QTest::newRow("host") << "redis://db1"
                          << "db1" << 6379 << 0 << "redis://db1/0";
    QTest::newRow("port and database") << "redis://db1:7000/3"
                                       << "db1" << 7000 << 3 << "redis://db1:7000/3";
    QTest::newRow("user") << "redis://app@db1/0"
                          << "db1" << 6379 << 0 << "redis://app@db1/0";
    QTest::newRow("no TLS") << "redis://db1/0?tls=off"
                            << "db1" << 6379 << 0 << "redis://db1/0?tls=off";
    QTest::newRow("authority") << "redis://db1/0?ssl-ca=%2Fca.pem"
                               << "db1" << 6379 << 0 << "redis://db1/0?ssl-ca=%2Fca.pem";
    QTest::newRow("socket") << "redis://localhost/2?socket=%2Frun%2Fredis.sock"
                            << "" << 0 << 2 << "redis://localhost/2?socket=%2Frun%2Fredis.sock";
    QTest::newRow("IPv6") << "redis://[::1]:7000/0"
                          << "::1" << 7000 << 0 << "redis://[::1]:7000/0";
}

void TestRedisUrl::anAddressIsReadAndWrittenBack()
{
    QFETCH(QString, text);
    QFETCH(QString, written);
    RedisUrl url;
    QString error;
    QVERIFY2(RedisUrl::parse(text, &url, &error), qPrintable(error));
    QTEST(url.host, "host");
    QTEST(url.port, "port");
    QTEST(url.database, "database");
    QCOMPARE(url.toString(), written);
    RedisUrl again;
    QVERIFY(RedisUrl::parse(written, &again, &error));
    QCOMPARE(again, url);
}

void TestRedisUrl::aWrongAddressIsRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");

    QTest::newRow("nothing") << ""
                             << "Not a Redis URL";
    QTest::newRow("another server") << "mysql://root@localhost/lockscope"
                                    << "Not a Redis URL";
    QTest::newRow("password") << "redis://app:secret@db1/0"
                              << "password";
    QTest::newRow("nowhere") << "redis:///0"
                             << "neither a host nor a socket";
    QTest::newRow("two places") << "redis://db1/0?socket=%2Fs"
                                << "only one of them";
    QTest::newRow("relative socket") << "redis://localhost/0?socket=s"
                                     << "absolute";
    QTest::newRow("long socket") << QStringLiteral("redis://localhost/0?socket=%2F") + QString(107, u'a')
                                 << "107 bytes";
    QTest::newRow("database") << "redis://db1/orders"
                              << "number";
    QTest::newRow("negative database") << "redis://db1/-1"
                                       << "number";
    QTest::newRow("option") << "redis://db1/0?timeout=3"
                            << "not known: timeout";
    QTest::newRow("TLS perhaps") << "redis://db1/0?tls=maybe"
                                 << "on or off";
    QTest::newRow("TLS for a socket") << "redis://localhost/0?socket=%2Fs&tls=on"
                                      << "needs no TLS";
    QTest::newRow("authority without TLS") << "redis://db1/0?tls=off&ssl-ca=%2Fca.pem"
                                           << "switches TLS off";
    QTest::newRow("control character") << "redis://a%0Ab@db1/0"
                                       << "control characters";
    QTest::newRow("password with a slash") << "redis://app:se/secret@db1/0"
                                           << "others can read it";
    QTest::newRow("password like a port") << "redis://app:12/secret@db1/0"
                                          << "others can read it";
    QTest::newRow("password with a question mark") << "redis://app:12?secret=1@db1/0"
                                                   << "others can read it";
    QTest::newRow("password with a hash sign") << "redis://app:12#secret@db1/0"
                                               << "others can read it";
    QTest::newRow("an option twice") << "redis://db1/0?tls=on&tls=off"
                                     << "option tls twice";
    QTest::newRow("IPv6 without brackets") << "redis://::1:7000/0"
                                           << "brackets";
    QTest::newRow("IPv6 without brackets and port") << "redis://app@2001:db8::1"
                                                    << "brackets";
}

void TestRedisUrl::aWrongAddressIsRefused()
{
    QFETCH(QString, text);
    QFETCH(QString, says);
    RedisUrl url;
    url.host = QStringLiteral("before");
    QString error;
    QVERIFY(!RedisUrl::parse(text, &url, &error));
    QVERIFY2(error.contains(says), qPrintable(error));
    QVERIFY2(!error.contains(QStringLiteral("secret")), qPrintable(error));
    QCOMPARE(url.host, QStringLiteral("before"));
}

void TestRedisUrl::onlyThisMachineIsSpokenToInPlainText_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("usesTls");

    QTest::newRow("another host") << "redis://db1/0" << true;
    QTest::newRow("another host, switched off") << "redis://db1/0?tls=off" << false;
    QTest::newRow("a name like an address") << "redis://127.example.com/0" << true;
    QTest::newRow("localhost") << "redis://localhost/0" << false;
    QTest::newRow("loopback") << "redis://127.0.0.2/0" << false;
    QTest::newRow("loopback 6") << "redis://[::1]/0" << false;
    QTest::newRow("localhost, switched on") << "redis://localhost/0?tls=on" << true;
    QTest::newRow("localhost with an authority") << "redis://localhost/0?ssl-ca=%2Fca.pem" << true;
    QTest::newRow("socket") << "redis://localhost/0?socket=%2Fs" << false;
}

void TestRedisUrl::onlyThisMachineIsSpokenToInPlainText()
{
    QFETCH(QString, text);
    RedisUrl url;
    QString error;
    QVERIFY2(RedisUrl::parse(text, &url, &error), qPrintable(error));
    QTEST(url.usesTls(), "usesTls");
}

void TestRedisUrl::aPathMayHoldAnything()
{
    RedisUrl url;
    url.socket = QStringLiteral("/a b&c=d#e?f%20/ü@x");
    RedisUrl again;
    QString error;
    QVERIFY2(RedisUrl::parse(url.toString(), &again, &error), qPrintable(error));
    QCOMPARE(again, url);
}

QTEST_APPLESS_MAIN(TestRedisUrl)
#include "tst_redisurl.moc"
