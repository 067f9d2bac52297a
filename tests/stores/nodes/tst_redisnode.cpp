// SPDX-License-Identifier: MIT
// A private Redis: what it keeps, who may reach it, and what is said where there is none to start.
#include "environment.h"
#include "privateserver/processref.h"
#include "stores/nodes/storeprograms.h"
#include "stores/redis/redisconnection.h"
#include "testredis.h"

#include <QtCore/QDateTime>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QStandardPaths>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestRedisNode : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aKilledNodeKeepsWhatItWasToldTo_data();
    void aKilledNodeKeepsWhatItWasToldTo();
    void nobodyElseMayEnter();
    void nothingIsLeftBehind();
    void ourEnvironmentIsNotTheNodes();
    void theCheckingProgramAloneIsEnough();
    void itsClockCanBeMoved();
    void aMissingProgramIsNamedWithTheCommandThatGetsIt();
    void anUnpackedProgramIsFound();
    void aNodeThatDoesNotStartSaysWhy();
};

void TestRedisNode::aKilledNodeKeepsWhatItWasToldTo_data()
{
    using Keeping = RedisNode::Keeping;
    QTest::addColumn<Keeping>("keeping");
    QTest::addColumn<QByteArray>("appendfsync");
    QTest::addColumn<QByteArray>("left");
    QTest::newRow("memory") << Keeping::Memory << QByteArray("everysec") << QByteArray();
    QTest::newRow("each second") << Keeping::EverySecond << QByteArray("everysec") << QByteArray("v");
    QTest::newRow("durable") << Keeping::Durable << QByteArray("always") << QByteArray("v");
}

void TestRedisNode::aKilledNodeKeepsWhatItWasToldTo()
{
    QFETCH(RedisNode::Keeping, keeping);
    QFETCH(QByteArray, appendfsync);
    QFETCH(QByteArray, left);
    TestRedis node({}, keeping);
    QCOMPARE(node.rows({"CONFIG", "GET", "appendfsync"}).value(1), appendfsync);
    const QString disk = ProcessFolder::parent(ProcessFolder::Place::Disk); // where the folder of sockets need not be
    QCOMPARE(node.rows({"CONFIG", "GET", "dir"}).value(1).startsWith(QFile::encodeName(disk) + '/'),
             keeping != RedisNode::Keeping::Memory);
    QCOMPARE(node.ask({"SET", "k", "v"}), QByteArray("OK"));
    node.kill9();
    QCOMPARE(node.pid(), 0);
    node.start();
    QCOMPARE(node.ask({"GET", "k"}), left);
}

void TestRedisNode::nobodyElseMayEnter()
{
    const TestRedis node;
    const auto others =
        QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther | QFile::WriteOther | QFile::ExeOther;
    QVERIFY(!(QFile::permissions(node.folder()) & others));
    QVERIFY(!(QFile::permissions(node.url().socket) & others));
}

void TestRedisNode::nothingIsLeftBehind()
{
    QString folder;
    qint64 pid = 0;
    {
        const TestRedis node;
        folder = node.folder();
        pid = node.pid();
        QVERIFY(ProcessRef(pid).isAlive());
    }
    QVERIFY(!QFileInfo::exists(folder));
    QVERIFY(!ProcessRef(pid).isAlive());
}

void TestRedisNode::ourEnvironmentIsNotTheNodes()
{
    Environment environment;
    environment.set("REDISCLI_AUTH", "secret");
    const TestRedis node;
    QFile file(u"/proc/%1/environ"_s.arg(node.pid()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray all = file.readAll();
    QVERIFY2(!all.contains("REDISCLI_AUTH") && !all.contains("HOME="), all.constData());
}

/// Debian's redis-tools has no other.
void TestRedisNode::theCheckingProgramAloneIsEnough()
{
    const QString program = QStandardPaths::findExecutable(u"redis-check-rdb"_s);
    if (program.isEmpty())
        QFAIL("No redis-check-rdb is installed: sudo apt install redis-tools");
    QTemporaryDir alone;
    QVERIFY(QFile::link(QFileInfo(program).canonicalFilePath(), alone.filePath(u"redis-check-rdb"_s)));
    Environment environment;
    environment.set("PATH", QFile::encodeName(alone.path()));
    TestRedis node;
    QCOMPARE(node.ask({"PING"}), QByteArray("PONG"));
}

/// And is there after a restart, too.
void TestRedisNode::itsClockCanBeMoved()
{
    RedisNode node;
    QVERIFY(!node.moveClock(1h));
    node.giveOwnClock();
    const auto secondsAhead = [&node] {
        RedisConfig config;
        config.server = node.url();
        LockError ignored;
        const auto connection = detail::RedisConnection::open(config, "test", &ignored);
        const qint64 here = QDateTime::currentSecsSinceEpoch();
        return connection ? connection->run({"TIME"}, "test").value.items.value(0).number() - here : -1;
    };
    const auto isAbout = [](qint64 seconds, qint64 wanted) { return qAbs(seconds - wanted) < 60; };
    QVERIFY(!node.start());
    QVERIFY(isAbout(secondsAhead(), 0));
    QVERIFY(node.moveClock(1h));
    QVERIFY(isAbout(secondsAhead(), 3600));
    node.kill9();
    QVERIFY(!node.start());
    QVERIFY(node.moveClock(1h));
    QVERIFY(isAbout(secondsAhead(), 7200));
}

void TestRedisNode::aMissingProgramIsNamedWithTheCommandThatGetsIt()
{
    QTemporaryDir empty;
    Environment environment;
    environment.set("PATH", QFile::encodeName(empty.path()));
    environment.set("XDG_CACHE_HOME", QFile::encodeName(empty.path()));
    RedisNode node;
    const auto error = node.start();
    QVERIFY(error);
    QCOMPARE(error->kind, LockError::Kind::Unavailable);
    QVERIFY2(error->message.contains(u"sudo apt install redis-tools"_s), qPrintable(error->message));
}

/// Packages that somebody without root has unpacked.
void TestRedisNode::anUnpackedProgramIsFound()
{
    const QString program = QStandardPaths::findExecutable(u"redis-check-rdb"_s);
    if (program.isEmpty())
        QFAIL("No redis-check-rdb is installed: sudo apt install redis-tools");
    QTemporaryDir cache;
    const QDir packages(cache.filePath(u"lockscope/stores/usr"_s));
    QVERIFY(packages.mkpath(u"bin"_s) && packages.mkpath(u"lib/x86_64-linux-gnu"_s));
    QVERIFY(QFile::copy(QFileInfo(program).canonicalFilePath(), packages.filePath(u"bin/redis-check-rdb"_s)));
    Environment environment;
    environment.set("PATH", "/nonexistent");
    environment.set("XDG_CACHE_HOME", QFile::encodeName(cache.path()));
    TestRedis node;
    QCOMPARE(node.ask({"PING"}), QByteArray("PONG"));
    QCOMPARE(librariesOf(packages.filePath(u"bin/redis-check-rdb"_s)), packages.filePath(u"lib/x86_64-linux-gnu"_s));
    QCOMPARE(librariesOf(program), QString());
}

void TestRedisNode::aNodeThatDoesNotStartSaysWhy()
{
    RedisNode node(RedisNode::Keeping::Memory, {u"--no-such-option"_s, u"1"_s});
    const auto error = node.start();
    QVERIFY(error);
    QCOMPARE(error->kind, LockError::Kind::Unavailable);
    QVERIFY2(!error->serverText.isEmpty(), qPrintable(error->toString()));
    QCOMPARE(node.pid(), 0);
}

QTEST_GUILESS_MAIN(TestRedisNode)
#include "tst_redisnode.moc"
