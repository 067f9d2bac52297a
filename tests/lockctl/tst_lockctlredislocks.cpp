// SPDX-License-Identifier: MIT
// What an operator sees of leases on Redis, and how one is ended by force.
#include "lockctlrunner.h"
#include "strict.h"
#include "testredis.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QFile>
#include <QtTest/QtTest>

#include <memory>
#include <vector>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

/// A lockctl that is ended with its test, and ends its command then.
struct Ended
{
    void operator()(QProcess *process) const
    {
        process->terminate();
        CtlRunner::finish(*process);
        delete process;
    }
};
using Running = std::unique_ptr<QProcess, Ended>;

} // namespace

class LockctlRedisLocksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aHeldLeaseIsListedWithAllThatIsKnown();
    void whoWaitsIsToldInOrder();
    void whoseProcessIsGoneWaitsNoMore();
    void aLeaseThatIsKeptIsListedUntilItsEnd();
    void thousandsOfLeasesAreListedByName();
    void keysOfOthersAreNotLookedAt();
    void hostileNamesAndValuesAreShownHarmlessly();
    void whatIsNoLeaseDoesNotHideTheOthers();
    void aReleasedLeaseGoesToTheNextOnRecord();
    void aLeaseThatChangedIsLeftAlone();
    void aDryRunShowsTheStatementAndChangesNothing();
    void manyAreReleasedByPrefix();
    void monitoringIsToldOfWaitsAndOldLeases();
    void aServerOfAnotherNameIsLeftAlone();
    void aServerThatHasForgottenTheScriptsIsGivenThem();
    void aServerThatWantsAPasswordIs77();
    void aReplicaIsNamed();
    void theGrantedRightsOfAWatcherAreEnoughToLookAlone();
    void whatIsNotForRedisSaysSo_data();
    void whatIsNotForRedisSaysSo();

private:
    Running start(const QStringList &words) { return Running(m_ctl.start(words).release()); }
    Running hold(const QString &resource);
    void makeLease(const QByteArray &resource, const QByteArray &owner = "{}", const QByteArray &note = {});
    CtlResult release(const QStringList &words) { return m_ctl.run(QStringList{u"release"_s} + words); }
    QString tokenOf(const QByteArray &resource)
    {
        return QString::fromLatin1(m_node.ask({"HGET", "lockscope:{" + resource + '}', "token"}));
    }

    TestRedis m_node;
    const QTemporaryDir m_home;
    CtlRunner m_ctl{m_node.url().toString()};
};

void LockctlRedisLocksTest::init()
{
    failOnWarnings();
    m_node.ask({"FLUSHALL"});
    m_ctl.set("XDG_DATA_HOME", m_home.path());
}

/// A run that holds `resource` until it is ended.
Running LockctlRedisLocksTest::hold(const QString &resource)
{
    auto run = start({u"run"_s, resource, u"--note"_s, u"the night run"_s, u"--"_s, u"sh"_s, u"-c"_s,
                      u"trap 'exit 3' TERM; echo ready; while :; do sleep 0.02; done"_s});
    if (const QByteArray said = nextLine(*run); said != "ready")
        qFatal("The holder did not start: %s", said.constData());
    return run;
}

/// One of no process, as another program might leave it.
void LockctlRedisLocksTest::makeLease(const QByteArray &resource, const QByteArray &owner, const QByteArray &note)
{
    m_node.ask({"HSET", "lockscope:{" + resource + '}', "token", "7", "owner", owner, "note", note, "session", "gone",
                "ttl", "0", "since", "1"});
    m_node.ask({"ZADD", "lockscope:held", "+inf", resource});
}

void LockctlRedisLocksTest::aHeldLeaseIsListedWithAllThatIsKnown()
{
    QCOMPARE(m_ctl.run({u"list"_s, u"--json"_s}).out, "[]\n");
    const auto holder = hold(u"nightly"_s);
    const auto json = m_ctl.run({u"list"_s, u"--json"_s});
    QVERIFY2(json.exitCode == 0 && json.array().size() == 1, json.text());
    const QJsonObject lock = json.array()[0].toObject();
    QCOMPARE(lock[u"resource"_s].toString(), u"nightly"_s);
    QCOMPARE(lock[u"kind"_s].toString(), u"lease"_s);
    QCOMPARE(lock[u"mode"_s].toString(), u"unique"_s);
    QCOMPARE(lock[u"state"_s].toString(), u"held"_s);
    QCOMPARE(lock[u"note"_s].toString(), u"the night run"_s);
    QCOMPARE(lock[u"ttlMs"_s].toInteger(), 30'000);
    QCOMPARE(lock[u"waiters"_s].toInteger(), 0);
    QCOMPARE(QString::number(lock[u"token"_s].toInteger()), tokenOf("nightly"));
    QCOMPARE(lock[u"owner"_s][u"pid"_s].toInteger(), holder->processId());
    QVERIFY2(lock[u"sessionAlive"_s].toBool() && lock[u"connectionId"_s].isNull(), json.text());
    QVERIFY2(lock[u"remainingMs"_s].toInteger() > 0 && lock[u"remainingMs"_s].toInteger() <= 30'000, json.text());
    const auto table = m_ctl.run({u"list"_s});
    QVERIFY2(table.out.startsWith("RESOURCE") && table.out.contains("nightly") && table.out.contains("the night run"),
             table.text());
}

void LockctlRedisLocksTest::whoWaitsIsToldInOrder()
{
    const auto holder = hold(u"nightly"_s);
    std::vector<Running> waiters;
    for (const int place : {1, 2}) {
        waiters.push_back(
            start({u"run"_s, u"nightly"_s, u"--note"_s, u"waiter %1"_s.arg(place), u"--"_s, u"echo"_s, u"mine"_s}));
        QVERIFY(eventually([&] { return m_node.waiters("nightly") == place; }));
    }
    const auto queue = m_ctl.run({u"waiters"_s, u"nightly"_s, u"--json"_s});
    QVERIFY2(queue.exitCode == 0 && queue.array().size() == 2, queue.text());
    for (const int place : {1, 2}) {
        const QJsonObject waiter = queue.array()[place - 1].toObject();
        QCOMPARE(waiter[u"position"_s].toInteger(), place);
        QCOMPARE(waiter[u"note"_s].toString(), u"waiter %1"_s.arg(place));
        QCOMPARE(waiter[u"mode"_s].toString(), u"unique"_s);
        QCOMPARE(waiter[u"owner"_s][u"pid"_s].toInteger(), waiters[std::size_t(place - 1)]->processId());
        QVERIFY2(waiter[u"waitedMs"_s].toInteger() >= 0, queue.text());
    }
    QCOMPARE(m_ctl.run({u"list"_s, u"--json"_s}).array()[0][u"waiters"_s].toInteger(), 2);
    const auto table = m_ctl.run({u"waiters"_s, u"nightly"_s});
    QVERIFY2(table.out.startsWith("PLACE") && table.out.contains("waiter 2"), table.text());
}

void LockctlRedisLocksTest::whoseProcessIsGoneWaitsNoMore()
{
    const auto holder = hold(u"nightly"_s);
    const auto waiter = start({u"run"_s, u"nightly"_s, u"--"_s, u"true"_s});
    QVERIFY(eventually([&] { return m_node.waiters("nightly") == 1; }));
    waiter->kill();
    waiter->waitForFinished();
    QVERIFY(eventually([&] { return m_ctl.run({u"waiters"_s, u"nightly"_s, u"--json"_s}).out == "[]\n"; }));
    QCOMPARE(m_ctl.run({u"list"_s, u"--json"_s}).array()[0][u"waiters"_s].toInteger(), 0);
}

void LockctlRedisLocksTest::aLeaseThatIsKeptIsListedUntilItsEnd()
{
    QCOMPARE(m_ctl.run({u"run"_s, u"daily"_s, u"--hold-at-least"_s, u"30s"_s, u"--"_s, u"true"_s}).exitCode, 0);
    const auto listed = m_ctl.run({u"list"_s, u"--json"_s});
    QCOMPARE(listed.array().size(), 1);
    QCOMPARE(listed.array()[0][u"state"_s].toString(), u"held"_s); // as on MySQL: nobody else gets it
    QVERIFY2(!listed.array()[0][u"sessionAlive"_s].toBool(), listed.text());
    QVERIFY2(m_ctl.run({u"list"_s}).out.contains("kept"), listed.text());
    m_node.ask({"DEL", "lockscope:{daily}"}); // as its end does
    QCOMPARE(m_ctl.run({u"list"_s, u"--json"_s}).out, "[]\n");
}

void LockctlRedisLocksTest::thousandsOfLeasesAreListedByName()
{
    constexpr int count = 2500;
    m_node.ask({"EVAL",
                "for i = 1, 2500 do local n = string.format('l/%04d', i) redis.call('HSET', 'lockscope:{' .. n .. '}', "
                "'token', i, 'owner', '{}', 'session', 'gone') redis.call('ZADD', 'lockscope:held', '+inf', n) end",
                "0"});
    const QJsonArray listed = m_ctl.run({u"list"_s, u"--json"_s}).array();
    QCOMPARE(listed.size(), count);
    for (int i = 0; i < count; ++i)
        QCOMPARE(listed[i][u"token"_s].toInteger(), i + 1);
}

void LockctlRedisLocksTest::keysOfOthersAreNotLookedAt()
{
    m_node.ask({"EVAL", "for i = 1, 20000 do redis.call('SET', 'cache:' .. i, i) end", "0"});
    makeLease("r");
    m_node.ask({"CONFIG", "RESETSTAT"});
    QCOMPARE(m_ctl.run({u"list"_s, u"--json"_s}).array().size(), 1);
    QCOMPARE(m_node.calls("scan") + m_node.calls("keys"), 0);
    QVERIFY(m_node.calls("zscan") <= 2);
}

void LockctlRedisLocksTest::hostileNamesAndValuesAreShownHarmlessly()
{
    const QByteArray name = "a}\x1b[2J\xff\r\n{b";
    makeLease(name, "{\"service\":\"\\u001b[31m\",\"host\":[1],\"pid\":\"x\"}", QByteArray("\0\x07\xfe\n", 4));
    makeLease("long", QByteArray(100'000, 'o'), QByteArray(100'000, 'n'));
    const auto table = m_ctl.run({u"list"_s});
    QVERIFY2(table.exitCode == 0 && table.out.contains("a}\\x1b[2J\\xff"), table.text());
    QVERIFY2(!table.out.contains('\x1b') && !table.out.contains('\x07') && table.out.count('\n') == 3, table.text());
    const auto json = m_ctl.run({u"list"_s, u"--json"_s});
    QCOMPARE(json.array()[0][u"resourceHex"_s].toString().toLatin1(), name.toHex());
    QVERIFY(json.array()[1][u"note"_s].toString().size() < 5000);
}

void LockctlRedisLocksTest::whatIsNoLeaseDoesNotHideTheOthers()
{
    makeLease("b");
    m_node.ask({"SET", "lockscope:{a}", "text"});
    m_node.ask({"HSET", "lockscope:{c}", "no", "token"});
    m_node.ask({"ZADD", "lockscope:held", "1", "a", "1", "c", "1", ""});
    const auto json = m_ctl.run({u"list"_s, u"--json"_s});
    QVERIFY2(json.exitCode == 0 && json.array().size() == 3, json.text());
    QCOMPARE(json.array()[0][u"state"_s].toString(), u"unknown"_s);
    QCOMPARE(json.array()[1][u"state"_s].toString(), u"orphan"_s);
    QCOMPARE(json.array()[2][u"state"_s].toString(), u"unknown"_s);
    const auto refused = release({u"a"_s, u"--token"_s, u"7"_s, u"--reason"_s, u"x"_s});
    QVERIFY2(refused.exitCode == 1 && refused.err.contains("another type"), refused.text());
}

void LockctlRedisLocksTest::aReleasedLeaseGoesToTheNextOnRecord()
{
    const auto holder = hold(u"nightly"_s);
    const QString token = tokenOf("nightly");
    const auto next = start({u"run"_s, u"nightly"_s, u"--"_s, u"echo"_s, u"mine"_s});
    QVERIFY(eventually([&] { return m_node.waiters("nightly") == 1; }));
    const auto released = release({u"nightly"_s, u"--token"_s, token, u"--reason"_s, u"host a7 is gone"_s});
    QVERIFY2(released.exitCode == 0 && released.out.startsWith("Released nightly; now "), released.text());
    const auto got = CtlRunner::finish(*next);
    QVERIFY2(got.exitCode == 0 && got.out == "mine\n", got.text());
    const auto lost = CtlRunner::finish(*holder);
    QVERIFY2(lost.exitCode == 76, lost.text());
    const QByteArray stream = m_node.rows({"XRANGE", "lockscope:events", "-", "+"}).join(' ');
    QVERIFY2(stream.contains("type force") && stream.contains("host a7 is gone"), stream);
    QFile audit(m_home.filePath(u"lockscope/audit.jsonl"_s));
    QVERIFY(audit.open(QIODevice::ReadOnly));
    const QByteArrayList lines = audit.readAll().trimmed().split('\n');
    QVERIFY2(lines.value(lines.size() - 2).contains("to be done"), lines.last());
    QVERIFY2(lines.last().contains("\"released\"") && lines.last().contains("EVALSHA"), lines.last());
}

void LockctlRedisLocksTest::aLeaseThatChangedIsLeftAlone()
{
    const auto holder = hold(u"nightly"_s);
    const auto other = release({u"nightly"_s, u"--token"_s, u"1"_s, u"--reason"_s, u"x"_s});
    QVERIFY2(other.exitCode == 3
                 && other.err.contains("nothing was done: nightly is not held with token 1; it "
                                       "is held by lockctl"),
             other.text());
    const auto free = release({u"nobody"_s, u"--token"_s, u"1"_s, u"--reason"_s, u"x"_s, u"--json"_s});
    QVERIFY2(free.exitCode == 3 && free.err.contains("no lease of that name is held"), free.text());
    QCOMPARE(free.object()[u"outcome"_s].toString(), u"changed"_s);
    QCOMPARE(m_node.ask({"EXISTS", "lockscope:events"}), "0");
    QCOMPARE(release({u"nightly"_s, u"--token"_s, u"1"_s}).exitCode, 64); // without a reason
}

void LockctlRedisLocksTest::aDryRunShowsTheStatementAndChangesNothing()
{
    const auto holder = hold(u"nightly"_s);
    const QStringList words{u"nightly"_s,  u"--token"_s,   tokenOf("nightly"),
                            u"--reason"_s, u"a \"why\""_s, u"--dry-run"_s};
    const auto shown = release(words);
    QVERIFY2(shown.exitCode == 0 && shown.out.contains("Nobody waits: it would be free."), shown.text());
    QVERIFY2(shown.out.contains("EVALSHA ") && shown.out.contains("\"lockscope:{nightly}\"")
                 && shown.out.contains("\"a \\\"why\\\"\"") && shown.out.contains("record('force'"),
             shown.text());
    const auto json = release(words + QStringList{u"--json"_s}).object();
    QCOMPARE(json[u"outcome"_s].toString(), u"preview"_s);
    QCOMPARE(json[u"lock"_s][u"resource"_s].toString(), u"nightly"_s);
    const QByteArray script = json[u"script"_s].toString().toUtf8();
    QVERIFY(script.contains("local function passOn()")); // who gets it next is decided there
    const QByteArray sha = QCryptographicHash::hash(script, QCryptographicHash::Sha1).toHex();
    QCOMPARE(json[u"statement"_s].toString().section(u' ', 1, 1).toUtf8(), sha); // it is what runs, byte by byte
    QCOMPARE(m_node.ask({"EXISTS", "lockscope:{nightly}"}), "1");
}

void LockctlRedisLocksTest::manyAreReleasedByPrefix()
{
    for (const char *name : {"m/1", "m/2", "n/1"})
        makeLease(name);
    const QString server = m_node.url().socket;
    const QStringList words{u"--prefix"_s, u"m/"_s, u"--reason"_s, u"moved"_s};
    const auto plan = release(words + QStringList{u"--dry-run"_s});
    QVERIFY2(plan.exitCode == 0 && plan.out.contains("Would release 2.") && !plan.out.contains("n/1"), plan.text());
    const auto done = release(words + QStringList{u"--yes"_s, u"--server"_s, server});
    QVERIFY2(done.exitCode == 0 && done.out.contains("Released 2;"), done.text());
    QCOMPARE(m_ctl.run({u"list"_s, u"--json"_s}).array().size(), 1);
    QCOMPARE(release(words + QStringList{u"--dry-run"_s}).exitCode, 3);
}

void LockctlRedisLocksTest::monitoringIsToldOfWaitsAndOldLeases()
{
    const auto check = [this](const QStringList &words) {
        return m_ctl.run(QStringList{u"check"_s, u"--max-wait"_s, u"1h"_s} + words);
    };
    const auto quiet = check({});
    QVERIFY2(quiet.exitCode == 0
                 && quiet.out == "OK - nobody waits for a lease|wait=0.0s;;3600;0 queue=0;;;0 held=0.0s;;;0\n",
             quiet.text());
    makeLease("old"); // since 1970
    QCOMPARE(check({}).exitCode, 0);
    const auto old = check({u"--max-held"_s, u"1h"_s, u"--json"_s});
    QVERIFY2(old.exitCode == 2 && old.object()[u"heldBy"_s].toString() == u"old"_s, old.text());
    const auto holder = hold(u"nightly"_s);
    const auto waiter = start({u"run"_s, u"nightly"_s, u"--"_s, u"true"_s});
    QVERIFY(eventually([&] { return m_node.waiters("nightly") == 1; }));
    const qint64 before = m_node.calls("zrange");
    const auto queue = check({u"--max-queue"_s, u"0"_s});
    QCOMPARE(m_node.calls("zrange"), before + 1); // the queue is read once
    QVERIFY2(queue.exitCode == 2 && queue.out.startsWith("CRITICAL - 1 request waits, the longest for ")
                 && queue.out.contains(" for nightly|"),
             queue.text());
    const auto unreachable = CtlRunner(u"redis:///?socket=/nowhere/s"_s).run({u"check"_s, u"--max-wait"_s, u"1h"_s});
    QVERIFY2(unreachable.exitCode == 3 && unreachable.out.startsWith("UNKNOWN - "), unreachable.text());
}

void LockctlRedisLocksTest::aServerOfAnotherNameIsLeftAlone()
{
    makeLease("r");
    const auto other = release({u"r"_s, u"--token"_s, u"7"_s, u"--reason"_s, u"x"_s, u"--server"_s, u"db1"_s});
    QVERIFY2(other.exitCode == 3 && other.err.contains("not db1"), other.text());
    QCOMPARE(m_node.ask({"EXISTS", "lockscope:{r}"}), "1");
}

void LockctlRedisLocksTest::aServerThatHasForgottenTheScriptsIsGivenThem()
{
    makeLease("r");
    for (const bool isForced : {false, true}) {
        m_node.ask({"SCRIPT", "FLUSH"});
        const auto done = isForced ? release({u"r"_s, u"--token"_s, u"7"_s, u"--reason"_s, u"x"_s})
                                   : m_ctl.run({u"list"_s, u"--json"_s});
        QVERIFY2(done.exitCode == 0, done.text());
    }
    QCOMPARE(m_node.ask({"EXISTS", "lockscope:{r}"}), "0");
}

void LockctlRedisLocksTest::aServerThatWantsAPasswordIs77()
{
    m_node.ask({"CONFIG", "SET", "requirepass", "right"});
    const auto without = m_ctl.run({u"list"_s});
    CtlRunner with(m_node.url().toString());
    with.set("LOCKSCOPE_PASSWORD", u"right"_s);
    const auto listed = with.run({u"list"_s, u"--json"_s});
    m_node.ask({"CONFIG", "SET", "requirepass", ""});
    QVERIFY2(without.exitCode == 77 && without.out.isEmpty() && without.err.contains("password"), without.text());
    QVERIFY2(listed.exitCode == 0 && listed.out == "[]\n", listed.text());
}

void LockctlRedisLocksTest::aReplicaIsNamed()
{
    const TestRedis replica({u"--replicaof"_s, u"127.0.0.1 1"_s});
    const auto listed = CtlRunner(replica.url().toString()).run({u"list"_s});
    QVERIFY2(listed.exitCode == 1 && listed.err.contains("replica") && listed.err.contains("Connect to its master"),
             listed.text());
}

void LockctlRedisLocksTest::theGrantedRightsOfAWatcherAreEnoughToLookAlone()
{
    QCOMPARE(m_node.ask(TestRedis::rightsOf("watch")), "OK");
    const auto holder = hold(u"nightly"_s);
    const auto waiter = start({u"run"_s, u"nightly"_s, u"--"_s, u"true"_s});
    QVERIFY(eventually([&] { return m_node.waiters("nightly") == 1; }));
    RedisUrl url = m_node.url();
    url.user = u"watch"_s;
    CtlRunner watcher(url.toString());
    watcher.set("LOCKSCOPE_PASSWORD", u"password"_s);
    watcher.set("XDG_DATA_HOME", m_home.path());
    const auto listed = watcher.run({u"list"_s, u"--json"_s});
    QVERIFY2(listed.exitCode == 0 && listed.array()[0][u"waiters"_s].toInteger() == 1, listed.text());
    const auto all = watcher.run({u"list"_s, u"--all"_s, u"--json"_s});
    QVERIFY2(all.exitCode == 77 && all.array().size() == 1 && all.err.contains("permission"), all.text());
    const auto checked = watcher.run({u"check"_s, u"--max-wait"_s, u"1h"_s, u"--max-held"_s, u"100h"_s});
    QVERIFY2(checked.exitCode == 3 && checked.out.contains("may not look for them"), checked.text());
    const auto queue = watcher.run({u"waiters"_s, u"nightly"_s, u"--json"_s});
    QVERIFY2(queue.array().size() == 1, queue.text());
    const QStringList words{u"release"_s, u"nightly"_s, u"--reason"_s, u"x"_s, u"--token"_s, tokenOf("nightly")};
    const auto shown = watcher.run(words + QStringList{u"--dry-run"_s});
    QVERIFY2(shown.exitCode == 0, shown.text());
    const QString token = tokenOf("nightly");
    const auto refused = watcher.run(words);
    QVERIFY2(refused.exitCode == 77 && refused.err.contains("permission"), refused.text());
    QCOMPARE(tokenOf("nightly"), token);
}

void LockctlRedisLocksTest::whatIsNotForRedisSaysSo_data()
{
    QTest::addColumn<QString>("words");
    for (const char *words : {"blockers", "top --interval 1s", "events", "deadlocks", "init",
                              "kill 12 --reason x --yes", "release --table a.b --token 1 --reason x"})
        QTest::newRow(words) << QString::fromLatin1(words);
}

void LockctlRedisLocksTest::whatIsNotForRedisSaysSo()
{
    QFETCH(QString, words);
    const auto refused = m_ctl.run(words.split(u' '));
    QVERIFY2(refused.exitCode == 64 && refused.out.isEmpty(), refused.text());
    QVERIFY2(refused.err.startsWith("lockctl: this is not for Redis") && refused.err.count('\n') == 1, refused.text());
}

QTEST_GUILESS_MAIN(LockctlRedisLocksTest)
#include "tst_lockctlredislocks.moc"
