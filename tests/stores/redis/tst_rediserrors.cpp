// SPDX-License-Identifier: MIT
// What Redis says, as errors that a person can act on; and which servers are safe for locks.
#include "stores/redis/rediserror.h"
#include "stores/redis/redisserver.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::detail;
using Kind = LockError::Kind;

namespace {

QByteArray infoWith(const QByteArray &lines)
{
    return "# Server\r\nredis_version:7.0.15\r\nrole:master\r\ncluster_enabled:0\r\nmaxmemory_policy:noeviction\r\n"
           "aof_enabled:1\r\nconnected_slaves:0\r\n"
        + lines;
}

} // namespace

class TestRedisErrors : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyErrorHasItsKind_data();
    void everyErrorHasItsKind();
    void anUnsafeServerIsRefused_data();
    void anUnsafeServerIsRefused();
    void risksAreNamed_data();
    void risksAreNamed();
};

void TestRedisErrors::everyErrorHasItsKind_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QString>("says");

    const auto row = [](const char *name, const char *text, Kind kind, const char *says) {
        QTest::newRow(name) << QByteArray(text) << kind << QString::fromLatin1(says);
    };
    row("no password", "NOAUTH Authentication required.", Kind::AccessDenied, "wants a password");
    row("wrong password", "WRONGPASS invalid username-password pair or user is disabled.", Kind::AccessDenied,
        "refuses this user or password");
    row("a password too much", "ERR AUTH <password> called without any password configured for the default user.",
        Kind::AccessDenied, "Give none");
    row("protected", "DENIED Redis is running in protected mode", Kind::AccessDenied, "protected mode");
    row("command", "NOPERM this user has no permissions to run the 'evalsha' command", Kind::NoPermission, "evalsha");
    row("command in a script", "ERR ACL failure in script: User few has no permissions to run the 'xadd' command",
        Kind::NoPermission, "xadd");
    row("key", "NOPERM No permissions to access a key", Kind::NoPermission, "ACL");
    row("replica", "READONLY You can't write against a read only replica.", Kind::ReadOnlyServer, "master");
    row("memory", "OOM command not allowed when used memory > 'maxmemory'.", Kind::DiskFull, "maxmemory");
    row("disk", "MISCONF Redis is configured to save RDB snapshots", Kind::DiskFull, "disk");
    row("loading", "LOADING Redis is loading the dataset in memory", Kind::Unavailable, "loading");
    row("script", "BUSY Redis is busy running a script.", Kind::Unavailable, "script");
    row("clients", "ERR max number of clients reached", Kind::Unavailable, "maxclients");
    row("cluster", "MOVED 3999 127.0.0.1:6381", Kind::UnsafeServer, "cluster");
    row("type", "WRONGTYPE Operation against a key holding the wrong kind of value", Kind::ServerFault, "another type");
    // As Redis 6 writes what a script ran into.
    const char *const inScript = "ERR Error running script (call to f_5e7ab4f7): @user_script:12: ";
    const auto scriptRow = [&](const char *name, const char *text, Kind kind, const char *says) {
        row(name, (QByteArray(inScript) + text).constData(), kind, says);
    };
    scriptRow("memory in a script", "@user_script: 12: -OOM command not allowed when used memory > 'maxmemory'.  ",
              Kind::DiskFull, "maxmemory");
    scriptRow("replica in a script", "@user_script: 12: -READONLY You can't write against a read only replica.  ",
              Kind::ReadOnlyServer, "master");
    scriptRow("type in a script", "WRONGTYPE Operation against a key holding the wrong kind of value",
              Kind::ServerFault, "another type");
    scriptRow("anything in a script", "@user_script: 12: Wrong number of args", Kind::ServerFault, "not expected");
    row("memory in a script that goes on", "@user_script: 5: -OOM command not allowed", Kind::DiskFull, "maxmemory");
    row("anything", "ERR what is this", Kind::ServerFault, "not expected");
}

void TestRedisErrors::everyErrorHasItsKind()
{
    QFETCH(QByteArray, text);
    QFETCH(Kind, kind);
    QFETCH(QString, says);
    const LockError error = redisError(text, "redis/acquire");
    QCOMPARE(error.kind, kind);
    QVERIFY2(error.message.contains(says), qPrintable(error.message));
    QCOMPARE(error.serverText, QString::fromLatin1(text));
    QCOMPARE(error.statement, QStringLiteral("redis/acquire"));
}

void TestRedisErrors::anUnsafeServerIsRefused_data()
{
    QTest::addColumn<QByteArray>("info");
    QTest::addColumn<QString>("says");

    QTest::newRow("safe") << infoWith("") << QString();
    QTest::newRow("evicts") << infoWith("maxmemory_policy:volatile-lru\r\n") << "noeviction";
    QTest::newRow("replica") << infoWith("role:slave\r\nmaster_host:db1\r\nmaster_port:6380\r\n")
                             << "replica of db1:6380";
    QTest::newRow("cluster") << infoWith("cluster_enabled:1\r\n") << "cluster";
    QTest::newRow("old") << infoWith("redis_version:5.0.14\r\n") << "too old";
    QTest::newRow("no Redis") << QByteArray("hello") << "not say that it is a Redis";
}

void TestRedisErrors::anUnsafeServerIsRefused()
{
    QFETCH(QByteArray, info);
    QFETCH(QString, says);
    const auto error = validateServer(RedisInfo::from(info));
    QCOMPARE(error.has_value(), !says.isEmpty());
    if (error) {
        QCOMPARE(error->kind, Kind::UnsafeServer);
        QVERIFY2(error->message.contains(says), qPrintable(error->message));
    }
}

void TestRedisErrors::risksAreNamed_data()
{
    QTest::addColumn<QByteArray>("info");
    QTest::addColumn<QByteArray>("appendfsync");
    QTest::addColumn<QStringList>("named");

    using Texts = QStringList;
    QTest::newRow("durable") << infoWith("") << QByteArray("always") << Texts();
    QTest::newRow("not known") << infoWith("") << QByteArray() << Texts();
    QTest::newRow("no log") << infoWith("aof_enabled:0\r\n") << QByteArray("always")
                            << Texts{QStringLiteral("appendonly no")};
    QTest::newRow("no log while it reads it") << infoWith("loading:1\r\naof_enabled:0\r\n") << QByteArray() << Texts();
    QTest::newRow("late log") << infoWith("") << QByteArray("everysec")
                              << Texts{QStringLiteral("appendfsync everysec")};
    QTest::newRow("replica") << infoWith("connected_slaves:1\r\n") << QByteArray("always")
                             << Texts{QStringLiteral("min-replicas-to-write")};
    QTest::newRow("replica that is waited for")
        << infoWith("connected_slaves:1\r\nmin_slaves_good_slaves:1\r\n") << QByteArray("always") << Texts();
}

void TestRedisErrors::risksAreNamed()
{
    QFETCH(QByteArray, info);
    QFETCH(QByteArray, appendfsync);
    QFETCH(QStringList, named);
    const QStringList risks = risksOf(RedisInfo::from(info), appendfsync);
    QCOMPARE(risks.size(), named.size());
    for (qsizetype i = 0; i < risks.size(); ++i)
        QVERIFY2(risks[i].contains(named[i]), qPrintable(risks[i]));
}

QTEST_APPLESS_MAIN(TestRedisErrors)
#include "tst_rediserrors.moc"
