// SPDX-License-Identifier: MIT
// What locks look like in etcd, and what its errors mean.
#include "stores/etcd/etcderror.h"
#include "stores/etcd/etcdnames.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::detail;
using namespace Qt::StringLiterals;

class TestEtcdNames : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aKeyIsThatOfAResource_data();
    void aKeyIsThatOfAResource();
    void aRequestsKeyIsItsResources();
    void aPrefixEndsBehindAllThatBeginSo();
    void aNoteIsReadAsItWasWritten_data();
    void aNoteIsReadAsItWasWritten();
    void whatOthersWroteIsNoNote_data();
    void whatOthersWroteIsNoNote();
    void mailSaysWhatIsWanted();
    void errorsHaveKinds_data();
    void errorsHaveKinds();
};

void TestEtcdNames::aKeyIsThatOfAResource_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<qint64>("lease");
    QTest::addColumn<QByteArray>("resource");

    const qint64 lease = 7;
    QTest::newRow("Go's") << QString() << QByteArray("r/694d81e5f0b7c3a2") << lease << QByteArray("r");
    QTest::newRow("below a path") << u"/locks"_s << QByteArray("/locks/r/1") << lease << QByteArray("r");
    QTest::newRow("outside the path") << u"/locks"_s << QByteArray("r/1") << lease << QByteArray();
    QTest::newRow("the path's own") << u"/locks"_s << QByteArray("/locks/1") << lease << QByteArray();
    QTest::newRow("slashes") << QString() << QByteArray("a//b/c/ff") << lease << QByteArray("a//b/c");
    QTest::newRow("no lease") << QString() << QByteArray("r/1") << qint64(0) << QByteArray();
    QTest::newRow("no name") << QString() << QByteArray("/1") << lease << QByteArray();
    QTest::newRow("no slash") << QString() << QByteArray("1") << lease << QByteArray();
    QTest::newRow("no number") << QString() << QByteArray("r/") << lease << QByteArray();
    QTest::newRow("capitals") << QString() << QByteArray("r/FF") << lease << QByteArray();
    QTest::newRow("too long a number") << QString() << QByteArray("r/0123456789abcdef0") << lease << QByteArray();
    QTest::newRow("an address") << QString() << QByteArray("/registry/masterleases/10.0.0.1") << lease << QByteArray();
    QTest::newRow("mail") << QString() << mailKey({}, "0123456789abcdef0123456789abcdef", 5) << lease << QByteArray();
    QTest::newRow("NUL") << QString() << QByteArray("a\0b/1", 5) << lease << QByteArray();
    QTest::newRow("another program's, longer than an engine's may be")
        << QString() << QByteArray(300, 'x') + "/1" << lease << QByteArray(300, 'x');
    QTest::newRow("too long a name") << QString() << QByteArray(5000, 'x') + "/1" << lease << QByteArray();
}

void TestEtcdNames::aKeyIsThatOfAResource()
{
    QFETCH(QString, path);
    QFETCH(QByteArray, key);
    QFETCH(qint64, lease);
    EtcdUrl url;
    url.path = path;
    EtcdKey read;
    read.key = key;
    read.lease = lease;
    QTEST(resourceOf(url, read), "resource");
}

void TestEtcdNames::aRequestsKeyIsItsResources()
{
    EtcdUrl url;
    url.path = u"/locks"_s;
    EtcdKey key;
    key.lease = 0x694d81e5f0b7c3a2;
    key.key = requestKey(url, "a/b", key.lease);
    QCOMPARE(key.key, QByteArray("/locks/a/b/694d81e5f0b7c3a2"));
    QCOMPARE(resourceOf(url, key), QByteArray("a/b"));
}

void TestEtcdNames::aPrefixEndsBehindAllThatBeginSo()
{
    QCOMPARE(endOfPrefix("r/"), QByteArray("r0"));
    QCOMPARE(endOfPrefix("a\xff\xff"), QByteArray("b"));
    QCOMPARE(endOfPrefix({}), QByteArray(1, '\0'));
    QCOMPARE(endOfPrefix("\x7f"), QByteArray("\x80"));
}

void TestEtcdNames::aNoteIsReadAsItWasWritten_data()
{
    QTest::addColumn<QByteArray>("note");

    QTest::newRow("none") << QByteArray();
    QTest::newRow("text") << QByteArray("month end: “now” 现在");
    QTest::newRow("no UTF-8") << QByteArray("\xff\x00\x80", 3);
    QTest::newRow("longest") << QByteArray(MaxNoteBytes, '"');
}

void TestEtcdNames::aNoteIsReadAsItWasWritten()
{
    QFETCH(QByteArray, note);
    Owner owner;
    owner.service = u"billing"_s;
    owner.session = QByteArray(32, 'a');
    const ServerTime since(std::chrono::milliseconds(1'700'000'000'123));
    const EtcdNote read = etcdNoteOf(noteValue(owner.toJson(), note, since));
    QVERIFY(read.isOurs);
    QCOMPARE(read.owner, owner);
    QCOMPARE(read.note, note);
    QVERIFY(read.since == since);
}

void TestEtcdNames::whatOthersWroteIsNoNote_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("service");

    QTest::newRow("empty") << QByteArray() << QString();
    QTest::newRow("a candidate") << QByteArray("host-7") << u"host-7"_s;
    QTest::newRow("binary") << QByteArray("\x00\xff\x1b[2J", 6) << QString();
    QTest::newRow("JSON") << QByteArray(R"({"owner":[], "since":"x"})") << QString();
    QTest::newRow("large") << QByteArray(1'000'000, '{') << QString();
}

void TestEtcdNames::whatOthersWroteIsNoNote()
{
    QFETCH(QByteArray, value);
    const EtcdNote read = etcdNoteOf(value);
    QFETCH(QString, service);
    QVERIFY(!read.isOurs && !read.since && read.note.isEmpty());
    QCOMPARE(read.owner.service, service);
    QVERIFY(!etcdNoteOf(R"({"owner":{},"since":1e300})").since);
    QVERIFY(!askedIn(value));
}

void TestEtcdNames::mailSaysWhatIsWanted()
{
    const QByteArray first = askedMail({}, u"please \"now\""_s);
    QCOMPARE(askedIn(first)->reasons, QStringList(u"please \"now\""_s));
    QCOMPARE(askedIn(askedMail(first, u"please"_s))->after(1), QStringList(u"please"_s));
    QVERIFY(!askedIn(endedMail()));
}

void TestEtcdNames::errorsHaveKinds_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("text");
    QTest::addColumn<LockError::Kind>("kind");

    using Kind = LockError::Kind;
    QTest::newRow("no space") << 8 << u"etcdserver: mvcc: database space exceeded"_s << Kind::DiskFull;
    QTest::newRow("no user") << 3 << u"etcdserver: user name is empty"_s << Kind::AccessDenied;
    QTest::newRow("wrong password") << 3 << u"etcdserver: authentication failed, invalid user ID or password"_s
                                    << Kind::AccessDenied;
    QTest::newRow("no permission") << 7 << u"etcdserver: permission denied"_s << Kind::NoPermission;
    QTest::newRow("no leader") << 14 << u"etcdserver: no leader"_s << Kind::Unavailable;
    QTest::newRow("not leader") << 9 << u"etcdserver: not leader"_s << Kind::Unavailable;
    QTest::newRow("busy") << 8 << u"etcdserver: too many requests"_s << Kind::Unavailable;
    QTest::newRow("leader changed") << 14 << u"etcdserver: leader changed"_s << Kind::ConnectionLost;
    QTest::newRow("timed out") << 14 << u"etcdserver: request timed out"_s << Kind::ConnectionLost;
    QTest::newRow("deadline") << 2 << u"context deadline exceeded"_s << Kind::ConnectionLost;
    QTest::newRow("compacted") << 11 << u"etcdserver: mvcc: required revision has been compacted"_s << Kind::Contention;
    QTest::newRow("lease gone") << 5 << u"etcdserver: requested lease not found"_s << Kind::LockLost;
    QTest::newRow("too old") << 12 << u"unknown service"_s << Kind::UnsafeServer;
    QTest::newRow("anything else") << 13 << u"x"_s << Kind::ServerFault;
}

void TestEtcdNames::errorsHaveKinds()
{
    QFETCH(int, code);
    QFETCH(QString, text);
    const LockError error = etcdError(code, text, "etcd/kv/txn");
    QTEST(error.kind, "kind");
    QVERIFY(error.message.endsWith(u'.'));
    QCOMPARE(error.serverText, text);
    QCOMPARE(isEtcdLost(error), error.kind == LockError::Kind::ConnectionLost);
    QCOMPARE(isLeaseGone(error), error.kind == LockError::Kind::LockLost);
}

QTEST_GUILESS_MAIN(TestEtcdNames)
#include "tst_etcdnames.moc"
