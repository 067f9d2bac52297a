// SPDX-License-Identifier: MIT
#include "lockscope/etcdstore.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace Qt::StringLiterals;

class TestEtcdUrl : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aUrlIsReadAndWrittenAgain_data();
    void aUrlIsReadAndWrittenAgain();
    void onlyThisMachineIsSpokenToInPlainText_data();
    void onlyThisMachineIsSpokenToInPlainText();
    void aWrongUrlIsRefused_data();
    void aWrongUrlIsRefused();
};

void TestEtcdUrl::aUrlIsReadAndWrittenAgain_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<EtcdUrl>("url");
    QTest::addColumn<QString>("written");

    const auto row = [](const char *name, const QString &text, const EtcdUrl &url, const QString &written = {}) {
        QTest::newRow(name) << text << url << (written.isEmpty() ? text : written);
    };
    using Tls = EtcdUrl::Tls;
    row("this machine", u"etcd://localhost"_s, {{{u"localhost"_s, 2379}}, {}, {}, {}, {}, {}, {}, Tls::Auto});
    row("usual port", u"etcd://127.0.0.1:2379/"_s, {{{u"127.0.0.1"_s, 2379}}, {}, {}, {}, {}, {}, {}, Tls::Auto},
        u"etcd://127.0.0.1"_s);
    row("a cluster", u"etcd://h1,h2:2380,h3/a/b?tls=off"_s,
        {{{u"h1"_s, 2379}, {u"h2"_s, 2380}, {u"h3"_s, 2379}}, {}, {}, u"/a/b"_s, {}, {}, {}, Tls::Off});
    row("IPv6", u"etcd://[::1]:23790,[2001:db8::1]"_s,
        {{{u"::1"_s, 23790}, {u"2001:db8::1"_s, 2379}}, {}, {}, {}, {}, {}, {}, Tls::Auto});
    row("a user", u"etcd://b%40a@localhost"_s, {{{u"localhost"_s, 2379}}, {}, u"b@a"_s, {}, {}, {}, {}, Tls::Auto});
    row("a socket", u"etcd:///locks?socket=%2Ftmp%2Fc:1"_s,
        {{}, {u"/tmp/c:1"_s}, {}, u"/locks"_s, {}, {}, {}, Tls::Auto}, u"etcd:///locks?socket=%2Ftmp%2Fc%3A1"_s);
    row("sockets of this machine", u"etcd://localhost?socket=%2Fa&socket=%2Fb"_s,
        {{}, {u"/a"_s, u"/b"_s}, {}, {}, {}, {}, {}, Tls::Auto}, u"etcd://?socket=%2Fa&socket=%2Fb"_s);
    row("certificates", u"etcd://h1?ssl-ca=%2Fca.pem&ssl-cert=%2Fc.pem&ssl-key=%2Fk.pem&tls=on"_s,
        {{{u"h1"_s, 2379}}, {}, {}, {}, u"/ca.pem"_s, u"/c.pem"_s, u"/k.pem"_s, Tls::On});
}

void TestEtcdUrl::aUrlIsReadAndWrittenAgain()
{
    QFETCH(QString, text);
    QFETCH(EtcdUrl, url);
    EtcdUrl read;
    QString error;
    QVERIFY2(EtcdUrl::parse(text, &read, &error), qPrintable(error));
    QCOMPARE(read, url);
    QTEST(read.toString(), "written");
    QVERIFY2(EtcdUrl::parse(read.toString(), &read, &error), qPrintable(error));
    QCOMPARE(read, url);
}

void TestEtcdUrl::onlyThisMachineIsSpokenToInPlainText_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("tls");

    QTest::newRow("localhost") << u"etcd://localhost"_s << false;
    QTest::newRow("a socket") << u"etcd:///?socket=%2Fs"_s << false;
    QTest::newRow("another machine") << u"etcd://db1"_s << true;
    QTest::newRow("another one among them") << u"etcd://localhost,10.0.0.7"_s << true;
    QTest::newRow("another one, agreed") << u"etcd://db1?tls=off"_s << false;
    QTest::newRow("an authority is named") << u"etcd://localhost?ssl-ca=%2Fca.pem"_s << true;
    QTest::newRow("wanted") << u"etcd://localhost?tls=on"_s << true;
}

void TestEtcdUrl::onlyThisMachineIsSpokenToInPlainText()
{
    QFETCH(QString, text);
    EtcdUrl url;
    QString error;
    QVERIFY2(EtcdUrl::parse(text, &url, &error), qPrintable(error));
    QTEST(url.usesTls(), "tls");
}

void TestEtcdUrl::aWrongUrlIsRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("why");

    QTest::newRow("another scheme") << u"redis://localhost"_s << u"Not an etcd URL"_s;
    QTest::newRow("no scheme") << u"localhost:2379"_s << u"Not an etcd URL"_s;
    QTest::newRow("a fragment") << u"etcd://localhost#a"_s << u"Not an etcd URL"_s;
    QTest::newRow("no host") << u"etcd:///locks"_s << u"neither a host nor a socket"_s;
    QTest::newRow("both") << u"etcd://h1?socket=%2Fs"_s << u"only one of them"_s;
    QTest::newRow("an empty host") << u"etcd://localhost,,localhost"_s << u"a host that is none"_s;
    QTest::newRow("a space") << u"etcd://local host"_s << u"is none: local host"_s;
    QTest::newRow("a port too large") << u"etcd://localhost:70000"_s << u"is none: localhost:70000"_s;
    QTest::newRow("a password") << u"etcd://a:secret@localhost"_s << u"may not carry a password"_s;
    QTest::newRow("a password with a slash") << u"etcd://a:se/secret@localhost"_s << u"others can read it"_s;
    QTest::newRow("a password like a port") << u"etcd://a:12/secret@localhost"_s << u"others can read it"_s;
    QTest::newRow("a password with a question mark") << u"etcd://a:b?secret=1@c"_s << u"others can read it"_s;
    QTest::newRow("an option twice") << u"etcd://h1?ssl-ca=%2Fa&ssl-ca=%2Fb"_s << u"option ssl-ca twice"_s;
    QTest::newRow("IPv6 without brackets") << u"etcd://h1,2001:db8::1"_s << u"brackets"_s;
    QTest::newRow("an unknown option") << u"etcd://localhost?ssl-crl=x"_s << u"not known: ssl-crl"_s;
    QTest::newRow("another value") << u"etcd://localhost?tls=maybe"_s << u"on or off"_s;
    QTest::newRow("a relative socket") << u"etcd:///?socket=s"_s << u"absolute path"_s;
    QTest::newRow("a long socket") << u"etcd:///?socket=%2F"_s + QString(200, u'x') << u"too long"_s;
    QTest::newRow("TLS to a socket") << u"etcd:///?socket=%2Fs&tls=on"_s << u"needs no TLS"_s;
    QTest::newRow("no key") << u"etcd://localhost?ssl-cert=%2Fc.pem"_s << u"both ssl-cert and ssl-key"_s;
    QTest::newRow("an authority for nothing") << u"etcd://h1?ssl-ca=%2Fc.pem&tls=off"_s << u"switches TLS off"_s;
    QTest::newRow("a control character") << u"etcd://localhost/a%00b"_s << u"control characters"_s;
}

void TestEtcdUrl::aWrongUrlIsRefused()
{
    QFETCH(QString, text);
    QFETCH(QString, why);
    EtcdUrl url;
    QString error;
    QVERIFY(!EtcdUrl::parse(text, &url, &error));
    QVERIFY2(error.contains(why), qPrintable(error));
    QVERIFY(!error.contains(u"secret"_s));
    QCOMPARE(url, EtcdUrl());
}

QTEST_GUILESS_MAIN(TestEtcdUrl)
#include "tst_etcdurl.moc"
