// SPDX-License-Identifier: MIT
// Locks that other programs keep in a real Redis: read, and ended where they are still what was shown.
#include "actions/keyrelease.h"
#include "keylocks/conventionlibrary.h"
#include "programkeys.h"
#include "sources/redissource.h"
#include "stores/redis/redisconnection.h"
#include "strict.h"
#include "testredis.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

Q_DECLARE_METATYPE(lockscope::test::ProgramKey)

class RedisKeysTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aLockOfAProgramIsReadAndReleased_data();
    void aLockOfAProgramIsReadAndReleased();
    void whatChangedAtTheLastMomentIsLeftAlone_data() { aLockOfAProgramIsReadAndReleased_data(); }
    void whatChangedAtTheLastMomentIsLeftAlone();
    void itsHoldersNextHoldIsLeftAlone_data();
    void itsHoldersNextHoldIsLeftAlone();
    void aRefreshIsTheSameHold_data();
    void aRefreshIsTheSameHold();
    void whatOnlyLooksLikeALockIsNone_data();
    void whatOnlyLooksLikeALockIsNone();
    void aGuessIsMadeOnlyWhenAskedFor_data();
    void aGuessIsMadeOnlyWhenAskedFor();
    void largeKeysAreNotRead();
    void allKeysAreGoneThroughWithoutStoppingTheServer();
    void aServerThatIsNotSafeForOurLocksShowsOthers();
    void theQueueOfAFairLockIsShownInOrder();
    void theTokenOfAFencedLockIsTold_data();
    void theTokenOfAFencedLockIsTold();
    void aConventionOfOneServerIsForNoOther();
    void whatAnotherTookMeanwhileIsLeftAlone();
    void aReleaseThatMayNotTellLeavesTheLock();
    void aReleaseThatBreaksOffMayHaveEndedIt();

private:
    RedisConfig config() const { return {.server = m_node.url(), .password = {}}; }
    void use(RedisSource &source, bool withGuesses = false) const;
    std::optional<LockRow> read(RedisSource &source, const QByteArray &name);
    /// What `made` makes, with a TTL that lasts for the test.
    std::optional<LockRow> readMade(RedisSource &source, const QByteArrayList &made);
    KeyLocks readAll(bool withGuesses = false);
    void make(const ProgramKey &key);

    TestRedis m_node;
};

void RedisKeysTest::init()
{
    failOnWarnings();
    m_node.ask({"FLUSHALL"});
    m_node.ask({"CONFIG", "RESETSTAT"});
}

void RedisKeysTest::use(RedisSource &source, bool withGuesses) const
{
    source.useConventions(conventionsFor(builtInConventions(), KeyStore::Redis, source.server(), withGuesses));
}

std::optional<LockRow> RedisKeysTest::read(RedisSource &source, const QByteArray &name)
{
    std::optional<LockRow> row;
    SnapshotClock clock;
    const auto error = source.one({LockKind::RedisKey, name}, &row, &clock);
    if (error)
        qFatal("%s", qPrintable(error->toString()));
    return row;
}

std::optional<LockRow> RedisKeysTest::readMade(RedisSource &source, const QByteArrayList &made)
{
    m_node.ask(made);
    m_node.ask({"PEXPIRE", made[1], "60000"});
    use(source);
    return read(source, made[1]);
}

KeyLocks RedisKeysTest::readAll(bool withGuesses)
{
    RedisSource source(config());
    use(source, withGuesses);
    KeyLocks found;
    const auto error = source.keyLocks({1'000}, {}, &found);
    if (error)
        qFatal("%s", qPrintable(error->toString()));
    return found;
}

void RedisKeysTest::make(const ProgramKey &key)
{
    for (const QByteArrayList &words : key.made) {
        const QByteArray said = m_node.ask(words);
        if (said.startsWith("ERR") || said.startsWith("WRONG"))
            qFatal("%s", said.constData());
    }
}

void RedisKeysTest::aLockOfAProgramIsReadAndReleased_data()
{
    QTest::addColumn<ProgramKey>("key");
    for (const ProgramKey &key : programKeys())
        QTest::newRow(key.title) << key;
}

void RedisKeysTest::aLockOfAProgramIsReadAndReleased()
{
    QFETCH(ProgramKey, key);
    make(key);
    const KeyLocks found = readAll();
    QCOMPARE(found.rows.size(), 1);
    const LockRow row = found.rows.first();
    QVERIFY(row.keyLock);
    QCOMPARE(row.key, (LockKey{LockKind::RedisKey, key.name}));
    QCOMPARE(row.keyLock->convention.id.toUtf8(), key.convention);
    const KeyHolder *holder = row.keyLock->holder(key.guard);
    QVERIFY(holder);
    QCOMPARE(holder->text.toUtf8(), key.holder);
    QCOMPARE(row.keyLock->convention.release.isOffered, key.isReleasable);
    if (!key.isReleasable)
        return;

    LockError refused;
    const auto listener = detail::RedisConnection::open(config(), "listener", &refused);
    QVERIFY(listener && listener->send({"PSUBSCRIBE", "*"}));
    const QDeadlineTimer patience(20'000);
    QVERIFY(listener->receive(patience));
    RedisSource source(config());
    use(source);
    const ForcedRelease done = source.endKey(*row.keyLock, *holder);
    QVERIFY2(done.outcome == ForcedRelease::Outcome::Released, done.error ? qPrintable(done.error->toString()) : "");
    if (!key.channel.isEmpty()) {
        QByteArrayList heard;
        for (auto said = listener->receive(patience); said; said = listener->receive(patience)) {
            heard = {said->items.value(2).bytes, said->items.value(3).bytes};
            if (heard == QByteArrayList{key.channel, key.message})
                break;
        }
        QCOMPARE(heard, (QByteArrayList{key.channel, key.message}));
    }
    QByteArrayList left = m_node.rows({"KEYS", "*"});
    std::sort(left.begin(), left.end());
    QCOMPARE(left, key.left);
    const auto after = read(source, key.name);
    QVERIFY(!after || !after->keyLock->holder(key.guard));
}

/// Another holder got it between the look and the act.
void RedisKeysTest::whatChangedAtTheLastMomentIsLeftAlone()
{
    QFETCH(ProgramKey, key);
    make(key);
    RedisSource source(config());
    use(source);
    const auto row = read(source, key.name);
    QVERIFY(row && row->keyLock);
    const KeyHolder holder = *row->keyLock->holder(key.guard);
    const QByteArray other = (holder.part.member.isEmpty() ? holder.part.value : holder.part.member) + "0";
    m_node.ask({"DEL", key.name});
    switch (row->keyLock->convention.type) {
    case KeyType::Hash:
        m_node.ask({"HSET", key.name, other, "1"});
        break;
    case KeyType::SortedSet:
        m_node.ask({"ZADD", key.name, "1900000000000", other});
        break;
    default:
        m_node.ask({"SET", key.name, other});
        break;
    }
    const QByteArray before = m_node.ask({"DUMP", key.name});
    QCOMPARE(source.endKey(*row->keyLock, holder).outcome, ForcedRelease::Outcome::TargetChanged);
    QCOMPARE(m_node.ask({"DUMP", key.name}), before);
    m_node.ask({"DEL", key.name});
    QCOMPARE(source.endKey(*row->keyLock, holder).outcome, ForcedRelease::Outcome::TargetChanged);
    m_node.ask({"RPUSH", key.name, "of another type"});
    QCOMPARE(source.endKey(*row->keyLock, holder).outcome, ForcedRelease::Outcome::TargetChanged);
    QCOMPARE(m_node.ask({"LLEN", key.name}), QByteArray("1"));
}

void RedisKeysTest::itsHoldersNextHoldIsLeftAlone_data()
{
    QTest::addColumn<QByteArrayList>("made");
    QTest::addColumn<QByteArrayList>("changed");
    const QByteArray thread = kUuid + ":42";
    const QByteArray jobs = "uniquejobs:0123456789abcdef:LOCKED";
    const QByteArray job(24, 'a');
    QTest::newRow("a thread that locks once more")
        << QByteArrayList{"HSET", "myLock", thread, "1"} << QByteArrayList{"HINCRBY", "myLock", thread, "1"};
    QTest::newRow("the same job at another time")
        << QByteArrayList{"HSET", jobs, job, "1764212345.123"} << QByteArrayList{"HSET", jobs, job, "1764212399.5"};
    QTest::newRow("the same host at another time")
        << QByteArrayList{"SET", "job-lock:prod:nightly", "ADDED:2026-11-27T03:00:00.123Z@app-7", "PX", "60000"}
        << QByteArrayList{"SET", "job-lock:prod:nightly", "ADDED:2026-11-28T03:00:00.123Z@app-7", "PX", "60000"};
}

/// Of whom the lock is says nothing of which of its holds was shown.
void RedisKeysTest::itsHoldersNextHoldIsLeftAlone()
{
    QFETCH(QByteArrayList, made);
    QFETCH(QByteArrayList, changed);
    const QByteArray name = made[1];
    RedisSource source(config());
    const auto shown = readMade(source, made);
    QVERIFY(shown && shown->keyLock);
    m_node.ask(changed);
    const QByteArray before = m_node.ask({"DUMP", name});
    const QTemporaryDir folder;
    AuditFile audit(folder.filePath(u"audit.jsonl"_s));
    KeyReleaseOrder order{shown->key, shown->keyLock->holders.first().guard(), u"ada"_s, u"it hangs"_s, false};
    KeyReleasePreview seen;
    QVERIFY(!previewKeyRelease(source, order, &seen));
    QVERIFY(seen.lock && !seen.holder && seen.statement.isEmpty());
    QCOMPARE(releaseKey(source, order, ServerAccess::toAct(), &audit).outcome, ForcedRelease::Outcome::TargetChanged);
    QCOMPARE(m_node.ask({"DUMP", name}), before);
    order.guard = seen.lock->keyLock->holders.first().guard();
    QCOMPARE(releaseKey(source, order, ServerAccess::toAct(), &audit).outcome, ForcedRelease::Outcome::Released);
}

void RedisKeysTest::aRefreshIsTheSameHold_data()
{
    QTest::addColumn<QByteArrayList>("made");
    QTest::addColumn<QByteArrayList>("refreshed");
    const QByteArray token = QByteArray(43, 'S') + '=';
    QTest::newRow("a place of redis-semaphore")
        << QByteArrayList{"ZADD", "semaphore:orders", "1764212345000", kUuid, "1764212346000", kOtherUuid}
        << QByteArrayList{"ZADD", "semaphore:orders", "1764212353000", kUuid};
    QTest::newRow("a lock of Symfony") << QByteArrayList{"ZADD", "orders-lock", "1900000000000", token}
                                       << QByteArrayList{"ZADD", "orders-lock", "1900000300000", token};
}

/// Else nothing that lives could be released by what a list has shown.
void RedisKeysTest::aRefreshIsTheSameHold()
{
    QFETCH(QByteArrayList, made);
    QFETCH(QByteArrayList, refreshed);
    const QByteArray name = made[1];
    RedisSource source(config());
    const auto shown = readMade(source, made);
    QVERIFY(shown && shown->keyLock);
    const KeyHolder holder = shown->keyLock->holders.first();
    m_node.ask(refreshed);
    QCOMPARE(source.endKey(*shown->keyLock, holder).outcome, ForcedRelease::Outcome::TargetChanged); // of that look
    const QTemporaryDir folder;
    AuditFile audit(folder.filePath(u"audit.jsonl"_s));
    const KeyReleaseOrder order{shown->key, holder.guard(), u"ada"_s, u"it hangs"_s, false};
    KeyReleasePreview seen;
    QVERIFY(!previewKeyRelease(source, order, &seen));
    QVERIFY(seen.holder && seen.holder->part.value == refreshed[2]);
    QVERIFY2(seen.statement.contains(refreshed[2]), seen.statement.constData());
    QCOMPARE(releaseKey(source, order, ServerAccess::toAct(), &audit).outcome, ForcedRelease::Outcome::Released);
    QCOMPARE(m_node.ask({"ZSCORE", name, holder.part.member}), QByteArray());
}

void RedisKeysTest::whatOnlyLooksLikeALockIsNone_data()
{
    QTest::addColumn<QByteArrayList>("made");
    QTest::newRow("a name of another program") << QByteArrayList{"SET", "orders", kUuid, "PX", "60000"};
    QTest::newRow("another value") << QByteArrayList{"SET", "lock:orders", "busy", "PX", "60000"};
    QTest::newRow("another type") << QByteArrayList{"RPUSH", "myLock", kUuid + ":42"};
    QTest::newRow("a hash with more") << QByteArrayList{"HSET", "myLock", kUuid + ":42", "1", "name", "x"};
    QTest::newRow("a hash that has no end") << QByteArrayList{"HSET", "myLock", kUuid + ":42", "1"};
    QTest::newRow("a value that no terminal shows") << QByteArrayList{"SET", "lock:a", QByteArray(24, '\1')};
    QTest::newRow("an empty value") << QByteArrayList{"SET", "lock:a", ""};
    QTest::newRow("the engine's own") << QByteArrayList{"SET", "lockscope:{a}", kUuid, "PX", "60000"};
    QTest::newRow("a set of other things") << QByteArrayList{"ZADD", "my-lock", "1", "one", "2", "two"};
    const QByteArray ofLaravel = "Zk3Xw9PqL0aBcD7e";
    const QByteArray ofRedisPy = "6fa459eaee8a11e8a4a9acde48001122";
    QTest::newRow("a block list") << QByteArrayList{"SET", "blocklist:7", ofLaravel, "PX", "60000"};
    QTest::newRow("a clock") << QByteArrayList{"SET", "my-clock", ofRedisPy, "PX", "60000"};
    QTest::newRow("a list of sessions") << QByteArrayList{"SET", "blocked:7", kUuid, "PX", "60000"};
    QTest::newRow("letters without an end") << QByteArrayList{"SET", "lock:orders", ofLaravel};
    QTest::newRow("a UUID without an end") << QByteArrayList{"SET", "lock:orders", ofRedisPy};
    QTest::newRow("a number in Laravel's cache") << QByteArrayList{"SET", "laravel_cache_:sum", "1234567890123456"};
    QTest::newRow("a job of another prefix") << QByteArrayList{"SET", "jobs:mail:1:lock", kUuid, "PX", "60000"};
    QTest::newRow("what marks an unlocking of Redisson")
        << QByteArrayList{"SET", "redisson_unlock_latch:{myLock}:" + kUuid, "1", "PX", "60000"};
}

void RedisKeysTest::whatOnlyLooksLikeALockIsNone()
{
    QFETCH(QByteArrayList, made);
    m_node.ask(made);
    QCOMPARE(readAll().rows.size(), 0);
}

void RedisKeysTest::aGuessIsMadeOnlyWhenAskedFor_data()
{
    QTest::addColumn<QByteArrayList>("made");
    QTest::addColumn<QString>("convention");
    QTest::newRow("by its name") << QByteArrayList{"SET", "nightlyLock", "host-a7", "PX", "60000"} << u"perhaps"_s;
    QTest::newRow("SETNX without an end") << QByteArrayList{"SETNX", "lock:report", "1"} << u"perhaps"_s;
    QTest::newRow("SETNX by a host and its process")
        << QByteArrayList{"SETNX", "cron:nightly:lock", "host-a7:4711"} << u"perhaps"_s;
    QTest::newRow("redis-py without a timeout")
        << QByteArrayList{"SET", "lock:orders", "6fa459eaee8a11e8a4a9acde48001122"} << u"endless-redis-py"_s;
    QTest::newRow("a mutex of redis-py") << QByteArrayList{"SET", "mutex:orders", "6fa459eaee8a11e8a4a9acde48001122"}
                                         << u"endless-redis-py"_s;
}

void RedisKeysTest::aGuessIsMadeOnlyWhenAskedFor()
{
    QFETCH(QByteArrayList, made);
    QFETCH(QString, convention);
    m_node.ask(made);
    QCOMPARE(readAll().rows.size(), 0);
    const KeyLocks guessed = readAll(true);
    QCOMPARE(guessed.rows.size(), 1);
    const KeyConvention &seen = guessed.rows.first().keyLock->convention;
    QCOMPARE(seen.id, convention);
    QVERIFY(seen.isGuess && !seen.release.isOffered);
}

/// Of what is no lock neither fields nor values are asked for.
void RedisKeysTest::largeKeysAreNotRead()
{
    QByteArrayList hash{"HSET", "largeLock"};
    for (int i = 0; i < 500; ++i)
        hash << kUuid + ":" + QByteArray::number(i) << "1";
    m_node.ask(hash);
    m_node.ask({"PEXPIRE", "largeLock", "60000"});
    m_node.ask({"HSET", "userLock", "password", "secret"});
    m_node.ask({"SET", "lock:large", QByteArray(100'000, 'x'), "PX", "60000"});
    m_node.ask({"HSET", "longLock", kUuid + ":42", QByteArray(100'000, '1')});
    m_node.ask({"PEXPIRE", "longLock", "60000"});
    m_node.ask({"SET", "lock:" + QByteArray(2'000, 'a'), kUuid, "PX", "60000"});
    QCOMPARE(readAll().rows.size(), 0);
    QCOMPARE(m_node.calls("type"), 4);  // not of the long name
    QCOMPARE(m_node.calls("hkeys"), 2); // of the small ones
    QCOMPARE(m_node.calls("hmget"), 0);
    QCOMPARE(m_node.calls("getrange"), 0);
}

void RedisKeysTest::allKeysAreGoneThroughWithoutStoppingTheServer()
{
    constexpr int keys = 5'000;
    QByteArrayList many{"MSET"};
    for (int i = 0; i < keys; ++i)
        many << "page:" + QByteArray::number(i) << "x";
    m_node.ask(many);
    for (int i = 0; i < 30; ++i)
        m_node.ask({"SET", "my-mutex:" + QByteArray::number(i), "AAECAwQFBgcICQoLDA0ODw==", "PX", "60000"});
    QCOMPARE(readAll().rows.size(), 30);
    QVERIFY2(m_node.calls("scan") >= keys / 300, "the names come in small parts");
    QCOMPARE(m_node.calls("type"), 30); // of no name that no convention knows
    for (const char *command : {"keys", "monitor", "get", "smembers", "hgetall"})
        QCOMPARE(m_node.calls(command), 0);
}

void RedisKeysTest::aServerThatIsNotSafeForOurLocksShowsOthers()
{
    TestRedis cache({u"--maxmemory-policy"_s, u"allkeys-lru"_s});
    cache.ask({"SET", "mutex:orders", kUuid, "PX", "60000"});
    RedisSource source({.server = cache.url(), .password = {}});
    use(source);
    const auto unsafe = source.open();
    QVERIFY(unsafe && unsafe->kind == LockError::Kind::UnsafeServer);
    const auto row = read(source, "mutex:orders");
    QVERIFY(row && row->keyLock);
    QCOMPARE(source.endKey(*row->keyLock, row->keyLock->holders.first()).outcome, ForcedRelease::Outcome::Released);
}

void RedisKeysTest::theQueueOfAFairLockIsShownInOrder()
{
    const QByteArrayList waiting{kOtherUuid + ":7", kUuid + ":9"};
    m_node.ask({"HSET", "fairLock", kUuid + ":42", "1"});
    m_node.ask({"PEXPIRE", "fairLock", "30000"});
    m_node.ask(QByteArrayList{"RPUSH", "redisson_lock_queue:{fairLock}"} + waiting);
    RedisSource source(config());
    use(source);
    QCOMPARE(read(source, "fairLock")->waiters, 2);
    QList<Waiter> queue;
    QVERIFY(!source.waiters({LockKind::RedisKey, "fairLock"}, &queue));
    QCOMPARE(queue.size(), 2);
    for (int i = 0; i < 2; ++i) {
        QCOMPARE(queue[i].position, i + 1);
        QCOMPARE(queue[i].owner.service.toUtf8(), waiting[i]);
    }
}

void RedisKeysTest::theTokenOfAFencedLockIsTold_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArrayList>("made");
    QTest::addColumn<quint64>("token");
    QTest::newRow("one of a plain name") << QByteArray("aLock")
                                         << QByteArrayList{"SET", "redisson_lock_token:{aLock}", "7"} << quint64(7);
    QTest::newRow("one with braces in its name")
        << QByteArray("lock:{a}") << QByteArrayList{"SET", "redisson_lock_token:lock:{a}", "33"} << quint64(33);
    QTest::newRow("one that has none") << QByteArray("aLock") << QByteArrayList{"PING"} << quint64(0);
    QTest::newRow("one that is no number")
        << QByteArray("aLock") << QByteArrayList{"SET", "redisson_lock_token:{aLock}", "seven"} << quint64(0);
    QTest::newRow("one that is no text") << QByteArray("aLock")
                                         << QByteArrayList{"RPUSH", "redisson_lock_token:{aLock}", "7"} << quint64(0);
}

void RedisKeysTest::theTokenOfAFencedLockIsTold()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArrayList, made);
    QFETCH(quint64, token);
    m_node.ask(made);
    RedisSource source(config());
    const auto row = readMade(source, {"HSET", name, kUuid + ":42", "1"});
    QVERIFY(row);
    QCOMPARE(row->token, token);
    QCOMPARE(row->hasToken(), token > 0);
    QCOMPARE(row->keyLock->holders.first().guard(), kUuid + ":42=1"); // which a token is not
}

void RedisKeysTest::aConventionOfOneServerIsForNoOther()
{
    KeyConvention own = builtInConventions().first();
    own.servers = {u"redis://cache*"_s};
    QCOMPARE(conventionsFor({own}, KeyStore::Redis, u"redis://cache7:6379"_s, false).size(), 1);
    QCOMPARE(conventionsFor({own}, KeyStore::Redis, u"redis://db:6379"_s, false).size(), 0);
}

/// Redisson's removal would end both.
void RedisKeysTest::whatAnotherTookMeanwhileIsLeftAlone()
{
    m_node.ask({"HSET", "myLock", kUuid + ":42", "1"});
    m_node.ask({"PEXPIRE", "myLock", "30000"});
    RedisSource source(config());
    use(source);
    const auto row = read(source, "myLock");
    QVERIFY(row && row->keyLock);
    m_node.ask({"HSET", "myLock", kOtherUuid + ":7", "1"});
    QCOMPARE(source.endKey(*row->keyLock, row->keyLock->holders.first()).outcome,
             ForcedRelease::Outcome::TargetChanged);
    QCOMPARE(m_node.ask({"HLEN", "myLock"}), QByteArray("2"));
}

void RedisKeysTest::aReleaseThatMayNotTellLeavesTheLock()
{
    QCOMPARE(m_node.ask({"ACL", "SETUSER", "quiet", "on", ">password", "~*", "+@all", "-publish"}), QByteArray("OK"));
    m_node.ask({"HSET", "myLock", kUuid + ":42", "1"});
    m_node.ask({"PEXPIRE", "myLock", "30000"});
    RedisConfig quiet = config();
    quiet.server.user = u"quiet"_s;
    quiet.password = u"password"_s;
    RedisSource source(quiet);
    use(source);
    const auto row = read(source, "myLock");
    QVERIFY(row && row->keyLock);
    const ForcedRelease failed = source.endKey(*row->keyLock, row->keyLock->holders.first());
    QCOMPARE(failed.outcome, ForcedRelease::Outcome::Failed);
    QCOMPARE(failed.error->kind, LockError::Kind::NoPermission);
    QCOMPARE(m_node.ask({"EXISTS", "myLock"}), QByteArray("1"));
}

void RedisKeysTest::aReleaseThatBreaksOffMayHaveEndedIt()
{
    const auto own = readConvention("format = 1\ntitle = \"Mine\"\n[key]\nnames = [\"mine\"]\ntype = \"string\"\n"
                                    "value = '.*'\n[release]\nby = \"removal\"\n"
                                    "lua = \"redis.call('DEL', KEYS[1]) redis.call('PUBLISH', KEYS[1])\"\n",
                                    u"mine"_s);
    m_node.ask({"SET", "mine", "a"});
    RedisSource source(config());
    source.useConventions({std::get<KeyConvention>(own)});
    const auto row = read(source, "mine");
    QVERIFY(row && row->keyLock);
    const ForcedRelease failed = source.endKey(*row->keyLock, row->keyLock->holders.first());
    QCOMPARE(m_node.ask({"EXISTS", "mine"}), QByteArray("0"));
    QCOMPARE(failed.outcome, ForcedRelease::Outcome::Failed);
    QCOMPARE(failed.error->kind, LockError::Kind::ConnectionLost);
}

QTEST_GUILESS_MAIN(RedisKeysTest)
#include "tst_rediskeys.moc"
