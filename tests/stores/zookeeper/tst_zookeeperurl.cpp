// SPDX-License-Identifier: MIT
#include "lockscope/zookeeperstore.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace Qt::StringLiterals;

class TestZooKeeperUrl : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aUrlIsReadAndWrittenAgain_data();
    void aUrlIsReadAndWrittenAgain();
    void aWrongUrlIsRefused_data();
    void aWrongUrlIsRefused();
};

void TestZooKeeperUrl::aUrlIsReadAndWrittenAgain_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<ZooKeeperUrl>("url");
    QTest::addColumn<QString>("written");

    const auto row = [](const char *name, const QString &text, const ZooKeeperUrl &url, const QString &written = {}) {
        QTest::newRow(name) << text << url << (written.isEmpty() ? text : written);
    };
    row("this machine", u"zookeeper://localhost"_s, {{{u"localhost"_s, 2181}}, {}, {}, false});
    row("usual port", u"zookeeper://127.0.0.1:2181/"_s, {{{u"127.0.0.1"_s, 2181}}, {}, {}, false},
        u"zookeeper://127.0.0.1"_s);
    row("several ports", u"zookeeper://localhost:1,localhost:2/locks"_s,
        {{{u"localhost"_s, 1}, {u"localhost"_s, 2}}, {}, u"/locks"_s, false});
    row("an ensemble", u"zookeeper://h1,h2:2182,h3/a/b?tls=off"_s,
        {{{u"h1"_s, 2181}, {u"h2"_s, 2182}, {u"h3"_s, 2181}}, {}, u"/a/b"_s, true});
    row("IPv6", u"zookeeper://[::1]:21810,[2001:db8::1]?tls=off"_s,
        {{{u"::1"_s, 21810}, {u"2001:db8::1"_s, 2181}}, {}, {}, true});
    row("a user", u"zookeeper://b%40a@localhost"_s, {{{u"localhost"_s, 2181}}, u"b@a"_s, {}, false});
    row("signs in the path", u"zookeeper://localhost/a%3Fb%20c%40d"_s,
        {{{u"localhost"_s, 2181}}, {}, u"/a?b c@d"_s, false});
}

void TestZooKeeperUrl::aUrlIsReadAndWrittenAgain()
{
    QFETCH(QString, text);
    QFETCH(ZooKeeperUrl, url);
    ZooKeeperUrl read;
    QString error;
    QVERIFY2(ZooKeeperUrl::parse(text, &read, &error), qPrintable(error));
    QCOMPARE(read, url);
    QTEST(read.toString(), "written");
    QVERIFY(ZooKeeperUrl::parse(read.toString(), &read, &error));
    QCOMPARE(read, url);
}

void TestZooKeeperUrl::aWrongUrlIsRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("why");

    QTest::newRow("another scheme") << u"redis://localhost"_s << u"Not a ZooKeeper URL"_s;
    QTest::newRow("no scheme") << u"localhost:2181"_s << u"Not a ZooKeeper URL"_s;
    QTest::newRow("a fragment") << u"zookeeper://localhost#a"_s << u"Not a ZooKeeper URL"_s;
    QTest::newRow("no host") << u"zookeeper:///locks"_s << u"lacks a host"_s;
    QTest::newRow("an empty host") << u"zookeeper://localhost,,localhost"_s << u"lacks a host"_s;
    QTest::newRow("no port behind the colon") << u"zookeeper://local host"_s << u"is none: local host"_s;
    QTest::newRow("a port too large") << u"zookeeper://localhost:70000"_s << u"is none: localhost:70000"_s;
    QTest::newRow("a password") << u"zookeeper://a:secret@localhost"_s << u"may not carry a password"_s;
    QTest::newRow("a password with a slash") << u"zookeeper://a:se/secret@localhost"_s << u"others can read it"_s;
    QTest::newRow("a password like a port") << u"zookeeper://localhost:12/secret@b"_s << u"others can read it"_s;
    QTest::newRow("a password with a question mark") << u"zookeeper://a:b?secret=1@c"_s << u"others can read it"_s;
    QTest::newRow("an option twice") << u"zookeeper://h1?tls=off&tls=off"_s << u"option tls twice"_s;
    QTest::newRow("IPv6 without brackets") << u"zookeeper://localhost,::1:2181"_s << u"brackets"_s;
    QTest::newRow("a colon in the user") << u"zookeeper://a%3Asecret@localhost"_s << u"no colon"_s;
    QTest::newRow("an unknown option") << u"zookeeper://localhost?ssl-ca=x"_s << u"not known: ssl-ca"_s;
    QTest::newRow("another value") << u"zookeeper://localhost?tls=maybe"_s << u"on or off"_s;
    QTest::newRow("TLS") << u"zookeeper://localhost?tls=on"_s << u"tunnel"_s;
    QTest::newRow("another machine") << u"zookeeper://db1"_s << u"db1 is another machine. Add ?tls=off"_s;
    QTest::newRow("another one among them") << u"zookeeper://localhost,10.0.0.7:1"_s << u"10.0.0.7 is another"_s;
    QTest::newRow("an empty part") << u"zookeeper://localhost/a//b"_s << u"must be that of a node"_s;
    QTest::newRow("a dot") << u"zookeeper://localhost/a/./b"_s << u"must be that of a node"_s;
    QTest::newRow("two dots") << u"zookeeper://localhost/../b"_s << u"must be that of a node"_s;
    QTest::newRow("ZooKeeper's own") << u"zookeeper://localhost/zookeeper/x"_s << u"ZooKeeper's own"_s;
    QTest::newRow("a control character") << u"zookeeper://localhost/a%00b"_s << u"control characters"_s;
}

void TestZooKeeperUrl::aWrongUrlIsRefused()
{
    QFETCH(QString, text);
    QFETCH(QString, why);
    ZooKeeperUrl url;
    QString error;
    QVERIFY(!ZooKeeperUrl::parse(text, &url, &error));
    QVERIFY2(error.contains(why), qPrintable(error));
    QVERIFY(!error.contains(u"secret"_s));
    QCOMPARE(url, ZooKeeperUrl());
}

QTEST_GUILESS_MAIN(TestZooKeeperUrl)
#include "tst_zookeeperurl.moc"
