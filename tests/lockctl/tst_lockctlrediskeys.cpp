// SPDX-License-Identifier: MIT
// Other programs' locks in Redis, as an operator sees and ends them.
#include "atterminal.h"
#include "strict.h"
#include "testredis.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtTest/QtTest>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class LockctlRedisKeysTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aLockIsListedWithAllThatIsKnown();
    void aWalkSaysAtATerminalHowFarItIs();
    void aGuessIsShownWhenAskedFor();
    void aStuckLockWithoutAnEndIsGuessedAndLeftAlone_data();
    void aStuckLockWithoutAnEndIsGuessedAndLeftAlone();
    void aReleaseIsShownThenDoneOnRecord();
    void aLockThatChangedHandsIsLeftAlone();
    void aHoldThatWasNotShownIsLeftAlone();
    void whatWouldBreakTheApplicationIsNotReleased();
    void whoWaitsIsToldInOrder();
    void monitoringIsToldOfOldLocks();
    void monitoringIsToldOfLocksThatDoNotTellSinceWhen();
    void monitoringIsToldWhatMayNotBeRead();
    void hostileNamesAndValuesAreShownHarmlessly();
    void aConventionOfTheUserIsUsed();
    void theGrantedRightsAreEnough_data();
    void theGrantedRightsAreEnough();
    void whatIsMisspeltIsRefused_data();
    void whatIsMisspeltIsRefused();

private:
    CtlResult release(const QStringList &words) { return m_ctl.run(QStringList{u"release"_s} + words); }
    QStringList ofLock(const QString &guard) const
    {
        return {u"myLock"_s, u"--guard"_s, guard, u"--reason"_s, u"host a7 is gone"_s};
    }
    QByteArray audit() const
    {
        QFile file(m_home.path() + u"/lockscope/audit.jsonl"_s);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    const QString m_holder = u"0f8fad5b-d9cb-469f-a165-70867728950e:42"_s;
    const QString m_guard = m_holder + u"=1"_s;
    TestRedis m_node;
    QTemporaryDir m_home;
    CtlRunner m_ctl{m_node.url().toString()};
};

void LockctlRedisKeysTest::init()
{
    failOnWarnings();
    m_node.ask({"FLUSHALL"});
    m_ctl.set("XDG_DATA_HOME", m_home.path());
    m_ctl.set("XDG_CONFIG_HOME", m_home.path());
    m_node.ask({"HSET", "myLock", m_holder.toUtf8(), "1"});
    m_node.ask({"PEXPIRE", "myLock", "60000"});
}

void LockctlRedisKeysTest::aLockIsListedWithAllThatIsKnown()
{
    QCOMPARE(m_ctl.run({u"list"_s, u"--json"_s}).out, "[]\n");
    const auto json = m_ctl.run({u"list"_s, u"--all"_s, u"--json"_s});
    QVERIFY2(json.exitCode == 0 && json.array().size() == 1, json.text());
    const QJsonObject lock = json.array()[0].toObject();
    QCOMPARE(lock[u"resource"_s].toString(), u"myLock"_s);
    QCOMPARE(lock[u"kind"_s].toString(), u"redisKey"_s);
    QCOMPARE(lock[u"mode"_s].toString(), u"key"_s);
    QCOMPARE(lock[u"state"_s].toString(), u"held"_s);
    QCOMPARE(lock[u"convention"_s].toString(), u"redisson"_s);
    QCOMPARE(lock[u"guard"_s].toString(), m_guard);
    QCOMPARE(lock[u"waiters"_s].toInteger(), 0);
    QVERIFY2(lock[u"token"_s].isNull() && lock[u"acquiredAt"_s].isNull(), json.text());
    QVERIFY2(lock[u"remainingMs"_s].toInteger() > 0 && lock[u"remainingMs"_s].toInteger() <= 60'000, json.text());
    const auto table = m_ctl.run({u"list"_s, u"--all"_s});
    QVERIFY2(table.exitCode == 0 && table.err.isEmpty(), table.text());
    for (const QByteArray &part :
         {QByteArray("RESOURCE"), QByteArray("myLock"), m_holder.toUtf8(), QByteArray("Redisson")})
        QVERIFY2(table.out.contains(part), table.text());
}

/// It may take minutes.
void LockctlRedisKeysTest::aWalkSaysAtATerminalHowFarItIs()
{
    AtTerminal program({CtlRunner::program(), u"--url"_s, m_node.url().toString(), u"list"_s, u"--all"_s});
    QVERIFY2(program.shows("1 lock of other programs so far"), program.seen());
    QCOMPARE(program.exitCode(), 0);
    QVERIFY2(program.seen().contains("myLock"), program.seen());
}

void LockctlRedisKeysTest::aGuessIsShownWhenAskedFor()
{
    m_node.ask({"SET", "nightlyLock", "host-a7", "PX", "60000"});
    QCOMPARE(m_ctl.run({u"list"_s, u"--all"_s, u"--json"_s}).array().size(), 1);
    const auto guessed = m_ctl.run({u"list"_s, u"--all"_s, u"--perhaps"_s, u"--json"_s});
    QVERIFY2(guessed.array().size() == 2 && guessed.array()[1][u"guess"_s].toBool(), guessed.text());
    const auto refused =
        release({u"nightlyLock"_s, u"--guard"_s, u"host-a7"_s, u"--reason"_s, u"it is only a guess"_s});
    QVERIFY2(refused.exitCode == 3 && m_node.ask({"EXISTS", "nightlyLock"}) == "1", refused.text());
}

void LockctlRedisKeysTest::aStuckLockWithoutAnEndIsGuessedAndLeftAlone_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("SETNX") << QByteArray("lock:report") << QByteArray("1");
    QTest::newRow("redis-py") << QByteArray("lock:orders") << QByteArray("6fa459eaee8a11e8a4a9acde48001122");
}

void LockctlRedisKeysTest::aStuckLockWithoutAnEndIsGuessedAndLeftAlone()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, value);
    m_node.ask({"SETNX", name, value});
    const QStringList words{u"list"_s, u"--all"_s};
    const auto known = m_ctl.run(words);
    QVERIFY2(known.exitCode == 0 && !known.out.contains(name), known.text());
    const auto guessed = m_ctl.run(words + QStringList{u"--perhaps"_s});
    const QByteArrayList lines = guessed.out.split('\n');
    const auto isForever = [&](const QByteArray &line) {
        return line.startsWith(name) && line.contains(" forever ") && line.contains(value);
    };
    QVERIFY2(std::any_of(lines.cbegin(), lines.cend(), isForever), guessed.text());
    const QStringList checked{u"check"_s, u"--max-wait"_s, u"30s"_s, u"--max-held"_s, u"1m"_s};
    const auto judged = m_ctl.run(checked); // no guess
    QVERIFY2(judged.exitCode == 0 && judged.out.contains("since when 1 lock of other"), judged.text());
    for (const QStringList &how : {QStringList{}, QStringList{u"--dry-run"_s}}) {
        const auto refused = release(QStringList{QString::fromLatin1(name), u"--guard"_s, QString::fromLatin1(value),
                                                 u"--reason"_s, u"it is only a guess"_s}
                                     + how);
        QVERIFY2(refused.exitCode == 3 && refused.err.contains("--perhaps"), refused.text());
    }
    QCOMPARE(m_node.ask({"GET", name}), value);
}

void LockctlRedisKeysTest::aReleaseIsShownThenDoneOnRecord()
{
    const auto shown = release(ofLock(m_guard) + QStringList{u"--dry-run"_s});
    QVERIFY2(shown.exitCode == 0 && shown.out.contains("redis.call('HGET', KEYS[1], ARGV[1])")
                 && shown.out.contains("redisson_lock__channel") && shown.out.contains("Warning"),
             shown.text());
    QCOMPARE(m_node.ask({"EXISTS", "myLock"}), QByteArray("1"));
    const auto done = release(ofLock(m_guard) + QStringList{u"--json"_s});
    QVERIFY2(done.exitCode == 0 && done.object()[u"outcome"_s].toString() == u"released"_s, done.text());
    QCOMPARE(m_node.ask({"EXISTS", "myLock"}), QByteArray("0"));
    const QByteArray record = audit();
    for (const QByteArray &part : {QByteArray("to be done"), QByteArray("\"released\""), QByteArray("host a7 is gone"),
                                   QByteArray("key myLock, guard ") + m_guard.toUtf8()})
        QVERIFY2(record.contains(part), record.constData());
}

void LockctlRedisKeysTest::aLockThatChangedHandsIsLeftAlone()
{
    const auto other = release(ofLock(m_guard + u'0'));
    const QByteArray guard = m_guard.toUtf8();
    QVERIFY2(other.exitCode == 3
                 && other.err.contains("nothing was done: myLock is not held with the guard " + guard
                                       + "0; it is held with the guard " + guard + '.'),
             other.text());
    QCOMPARE(m_node.ask({"EXISTS", "myLock"}), QByteArray("1"));
    m_node.ask({"DEL", "myLock"});
    const auto gone = release(ofLock(m_guard) + QStringList{u"--json"_s});
    QVERIFY2(gone.exitCode == 3 && gone.object()[u"outcome"_s].toString() == u"changed"_s, gone.text());
}

void LockctlRedisKeysTest::aHoldThatWasNotShownIsLeftAlone()
{
    const auto withoutValue = release(ofLock(m_holder));
    QVERIFY2(withoutValue.exitCode == 3 && withoutValue.err.contains(m_guard.toUtf8()), withoutValue.text());
    m_node.ask({"HINCRBY", "myLock", m_holder.toUtf8(), "1"});
    const auto deeper = release(ofLock(m_guard));
    QVERIFY2(deeper.exitCode == 3 && deeper.err.contains(m_holder.toUtf8() + "=2"), deeper.text());
    QCOMPARE(m_node.ask({"EXISTS", "myLock"}), QByteArray("1"));
    const auto anew = release(ofLock(m_holder + u"=2"_s));
    QVERIFY2(anew.exitCode == 0 && m_node.ask({"EXISTS", "myLock"}) == "0", anew.text());
}

void LockctlRedisKeysTest::whatWouldBreakTheApplicationIsNotReleased()
{
    const QString token = u"0f8fad5b-d9cb-469f-a165-70867728950e:3"_s;
    m_node.ask({"SET", "bull:mail:17:lock", token.toUtf8(), "PX", "30000"});
    const QStringList words{u"bull:mail:17:lock"_s, u"--guard"_s, token, u"--reason"_s, u"it hangs"_s};
    const auto shown = release(words + QStringList{u"--dry-run"_s});
    QVERIFY2(shown.exitCode == 3 && shown.out.contains("Not released here"), shown.text());
    const auto refused = release(words);
    QVERIFY2(refused.exitCode == 3 && refused.err.contains("stalled"), refused.text());
    QCOMPARE(m_node.ask({"EXISTS", "bull:mail:17:lock"}), QByteArray("1"));
}

void LockctlRedisKeysTest::whoWaitsIsToldInOrder()
{
    m_node.ask({"RPUSH", "redisson_lock_queue:{myLock}", "one:1", "two:2"});
    const auto queue = m_ctl.run({u"waiters"_s, u"myLock"_s, u"--json"_s});
    QVERIFY2(queue.exitCode == 0 && queue.array().size() == 2, queue.text());
    QCOMPARE(queue.array()[0][u"owner"_s][u"service"_s].toString(), u"one:1"_s);
    QCOMPARE(queue.array()[1][u"position"_s].toInteger(), 2);
}

void LockctlRedisKeysTest::monitoringIsToldOfOldLocks()
{
    m_node.ask({"SET", "job-lock:prod:nightly", "ADDED:2020-01-01T00:00:00.000Z@app-7", "PX", "60000"});
    const QStringList words{u"check"_s, u"--max-wait"_s, u"30s"_s};
    QCOMPARE(m_ctl.run(words).exitCode, 0);
    const auto old = m_ctl.run(words + QStringList{u"--max-held"_s, u"1h"_s});
    QVERIFY2(old.exitCode == 2 && old.out.contains("job-lock:prod:nightly"), old.text());
}

void LockctlRedisKeysTest::monitoringIsToldOfLocksThatDoNotTellSinceWhen()
{
    m_node.ask({"RPUSH", "redisson_lock_queue:{myLock}", "one:1"});
    m_node.ask({"SET", "mutex:a", "0f8fad5b-d9cb-469f-a165-70867728950e", "PX", "60000"});
    const QStringList words{u"check"_s, u"--max-wait"_s, u"1m"_s};
    const auto asked = m_ctl.run(words + QStringList{u"--max-held"_s, u"1m"_s});
    QVERIFY2(asked.exitCode == 0, asked.text());
    QCOMPARE(asked.out,
             "OK - nobody waits for a lease; 1 request that waits for a lock of another program is not judged; "
             "not seen: since when 2 locks of other programs are held|wait=0.0s;;60;0 queue=0;;;0 held=U;;60;0\n");
    QCOMPARE(m_ctl.run(words).out, "OK - nobody waits for a lease|wait=0.0s;;60;0 queue=0;;;0 held=0.0s;;;0\n");
}

void LockctlRedisKeysTest::monitoringIsToldWhatMayNotBeRead()
{
    QByteArrayList rights = TestRedis::rightsOf("look");
    rights.replace(rights.indexOf("%R~*"), "%R~my*");
    QCOMPARE(m_node.ask(rights), "OK");
    m_node.ask({"SET", "mutex:a", "0f8fad5b-d9cb-469f-a165-70867728950e", "PX", "60000"});
    RedisUrl url = m_node.url();
    url.user = u"look"_s;
    CtlRunner ctl(url.toString());
    ctl.set("LOCKSCOPE_PASSWORD", u"password"_s);
    ctl.set("XDG_CONFIG_HOME", m_home.path());
    const QStringList words{u"check"_s, u"--max-wait"_s, u"30s"_s};
    QCOMPARE(ctl.run(words).exitCode, 0);
    const auto held = ctl.run(words + QStringList{u"--max-held"_s, u"100h"_s});
    QVERIFY2(held.exitCode == 3 && held.out.contains("may not read 1 key or folder"), held.text());
}

void LockctlRedisKeysTest::hostileNamesAndValuesAreShownHarmlessly()
{
    m_node.ask({"SET", "lock:\x1b[31m\n", "AAECAwQFBgcICQoLDA0ODxAR"});
    m_node.ask({"SET", "job-lock:a:b", "ADDED:2020-01-01T00:00:00.000Z@\x1b[31m", "PX", "60000"});
    const auto listed = m_ctl.run({u"list"_s, u"--all"_s});
    QVERIFY2(listed.exitCode == 0 && !listed.out.contains('\x1b'), listed.text());
    QVERIFY2(listed.out.contains("\\x1B[31m") || listed.out.contains("\\x1b[31m"), listed.text());
}

void LockctlRedisKeysTest::aConventionOfTheUserIsUsed()
{
    QVERIFY(QDir(m_home.path()).mkpath(u"lockscope/conventions"_s));
    const auto write = [this](const QString &name, const QByteArray &text) {
        QFile file(m_home.path() + u"/lockscope/conventions/"_s + name);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    };
    QVERIFY(write(u"billing.toml"_s,
                  "format = 1\ntitle = \"Billing\"\n[key]\nnames = \"billing:*\"\n"
                  "type = \"string\"\nvalue = '[a-z]+'\n[release]\nby = \"removal\"\n"));
    QVERIFY(write(u"wrong.toml"_s, "format = 1\n"));
    m_node.ask({"SET", "billing:7", "ada"});
    const auto listed = m_ctl.run({u"list"_s, u"--all"_s, u"--json"_s});
    QVERIFY2(listed.array().size() == 2 && listed.err.contains("wrong.toml"), listed.text());
    const auto done = release({u"billing:7"_s, u"--guard"_s, u"ada"_s, u"--reason"_s, u"x"_s});
    QVERIFY2(done.exitCode == 0 && m_node.ask({"EXISTS", "billing:7"}) == "0", done.text());
    QVERIFY(QDir(m_home.path() + u"/lockscope/conventions"_s).removeRecursively());
}

void LockctlRedisKeysTest::theGrantedRightsAreEnough_data()
{
    QTest::addColumn<QString>("user");
    QTest::addColumn<bool>("mayRelease");
    QTest::newRow("to look") << u"look"_s << false;
    QTest::newRow("to release") << u"free"_s << true;
}

void LockctlRedisKeysTest::theGrantedRightsAreEnough()
{
    QFETCH(QString, user);
    QFETCH(bool, mayRelease);
    QCOMPARE(m_node.ask(TestRedis::rightsOf(user.toLatin1())), "OK");
    m_node.ask({"RPUSH", "redisson_lock_queue:{myLock}", "one:1"});
    const QByteArray now = QByteArray::number(QDateTime::currentMSecsSinceEpoch());
    m_node.ask({"ZADD", "semaphore:a", now, "0f8fad5b-d9cb-469f-a165-70867728950e"});
    m_node.ask({"SET", "mutex:a", "0f8fad5b-d9cb-469f-a165-70867728950e", "PX", "60000"});
    RedisUrl url = m_node.url();
    url.user = user;
    CtlRunner ctl(url.toString());
    ctl.set("LOCKSCOPE_PASSWORD", u"password"_s);
    ctl.set("XDG_DATA_HOME", m_home.path());
    const auto listed = ctl.run({u"list"_s, u"--all"_s, u"--json"_s});
    QVERIFY2(listed.exitCode == 0 && listed.array().size() == 3 && listed.err.isEmpty(), listed.text());
    const auto queue = ctl.run({u"waiters"_s, u"myLock"_s, u"--json"_s});
    QVERIFY2(queue.array().size() == 1, queue.text());
    const auto checked = ctl.run({u"check"_s, u"--max-wait"_s, u"30s"_s, u"--max-held"_s, u"100h"_s});
    QVERIFY2(checked.exitCode == 0, checked.text());
    const auto released = ctl.run(QStringList{u"release"_s} + ofLock(m_guard));
    QVERIFY2(released.exitCode == (mayRelease ? 0 : 77), released.text());
    QCOMPARE(m_node.ask({"EXISTS", "myLock"}), QByteArray(mayRelease ? "0" : "1"));
}

void LockctlRedisKeysTest::whatIsMisspeltIsRefused_data()
{
    QTest::addColumn<QString>("words");
    for (const char *words : {"release myLock --guard a --token 1 --reason x", "release --guard a --reason x",
                              "release myLock --reason x", "release myLock --token 1 --change-leader --reason x",
                              "list --perhaps", "release --prefix a --guard b --reason x"})
        QTest::newRow(words) << QString::fromLatin1(words);
}

void LockctlRedisKeysTest::whatIsMisspeltIsRefused()
{
    QFETCH(QString, words);
    const auto refused = m_ctl.run(words.split(u' '));
    QVERIFY2(refused.exitCode == 64 && refused.out.isEmpty(), refused.text());
}

QTEST_GUILESS_MAIN(LockctlRedisKeysTest)
#include "tst_lockctlrediskeys.moc"
