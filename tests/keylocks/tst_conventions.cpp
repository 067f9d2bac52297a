// SPDX-License-Identifier: MIT
// Conventions of other programs' locks: those that come with Lockscope, what is refused in a file, and any bytes at
// all.
#include "keylocks/conventionlibrary.h"
#include "keylocks/keylock.h"
#include "keylocks/releasescript.h"
#include "programkeys.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QRandomGenerator>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

const QByteArray kRight = "format = 1\n"
                          "title = \"Billing\"\n"
                          "servers = \"redis://cache*\"\n"
                          "[key]\n"
                          "names = [\"billing:*:lock\"]\n"
                          "type = \"string\"\n"
                          "value = '(?<holder>[a-z0-9.-]+)#(?<since>\\d+)'\n"
                          "ttl = true\n"
                          "[release]\n"
                          "by = \"removal\"\n"
                          "warning = \"the job runs on\"\n";

QString faultText(const QByteArray &file, const QString &id = u"billing"_s)
{
    const auto convention = readConvention(file, id);
    const auto *fault = std::get_if<ProfileFault>(&convention);
    return fault ? u"%1: %2"_s.arg(fault->line).arg(fault->reason) : QString();
}

KeyFacts stringKey(const QByteArray &name, const QByteArray &value)
{
    return {name, KeyType::String, ServerTime(std::chrono::hours(1)), {{{}, value}}, 1};
}

QByteArray randomBytes(qsizetype most)
{
    QByteArray bytes(QRandomGenerator::global()->bounded(int(most)), Qt::Uninitialized);
    for (char &c : bytes)
        c = char(QRandomGenerator::global()->bounded(256));
    return bytes;
}

} // namespace

class ConventionsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachConventionOfLockscopeIsRight();
    void aRightFileIsRead();
    void aFaultyFileIsRefusedWithItsLine_data();
    void aFaultyFileIsRefusedWithItsLine();
    void oneOfTheUserReplacesOneOfLockscope();
    void theHolderAndTheTimeAreTakenFromTheValue();
    void theGuardOfASortedSetHasNoTime_data();
    void theGuardOfASortedSetHasNoTime();
    void theTimeOfAUuidIsTold();
    void aUuidOfAnotherTimeIsNoLocks_data();
    void aUuidOfAnotherTimeIsNoLocks();
    void theScriptComparesBeforeItActs();
    void theScriptRemovesLast();
    void anyBytesAreRead();
};

void ConventionsTest::eachConventionOfLockscopeIsRight()
{
    const QStringList files = QDir(QStringLiteral(LOCKSCOPE_CONVENTIONS)).entryList({u"*.toml"_s});
    QVERIFY(files.size() > 10);
    for (const QString &name : files) {
        const ConventionFile file = readConventionFile(QStringLiteral(LOCKSCOPE_CONVENTIONS) + u'/' + name);
        QVERIFY2(!file.fault(), qPrintable(name + u": "_s + (file.fault() ? file.fault()->reason : QString())));
        const auto &convention = std::get<KeyConvention>(file.convention);
        QVERIFY2(convention.isGuess || !convention.source.isEmpty(), qPrintable(name));
        QVERIFY2(!convention.release.isOffered || !convention.release.warning.isEmpty(), qPrintable(name));
    }
    QCOMPARE(builtInConventions().size(), files.size());
}

void ConventionsTest::aRightFileIsRead()
{
    const auto read = readConvention(kRight, u"billing"_s);
    QCOMPARE(faultText(kRight), QString());
    const auto &convention = std::get<KeyConvention>(read);
    QCOMPARE(convention.title, u"Billing"_s);
    QVERIFY(convention.isNamed("billing:7:LOCK") && !convention.isNamed("x:billing:7:lock"));
    QVERIFY(convention.isFor(u"redis://cache7"_s) && !convention.isFor(u"redis://db"_s));
    QCOMPARE(convention.hasEnd, true);
    QVERIFY(convention.release.isOffered && !convention.release.isOfLeader);
}

void ConventionsTest::aFaultyFileIsRefusedWithItsLine_data()
{
    QTest::addColumn<QByteArray>("part");
    QTest::addColumn<QByteArray>("instead");
    QTest::addColumn<QString>("fault");
    QTest::newRow("another format") << QByteArray("format = 1") << QByteArray("format = 2") << u"1: this Lockscope"_s;
    QTest::newRow("a misspelt word") << QByteArray("names = [") << QByteArray("name = [") << u"5: [key] has no"_s;
    QTest::newRow("an unknown type") << QByteArray("\"string\"") << QByteArray("\"stream\"")
                                     << u"6: [key].type is none"_s;
    QTest::newRow("no shape") << QByteArray("value = '(?<holder>[a-z0-9.-]+)#(?<since>\\d+)'\n") << QByteArray()
                              << u"4: [key] of this type"_s;
    QTest::newRow("an open bracket") << QByteArray("(?<holder>") << QByteArray("((?<holder>") << u"7: this is no"_s;
    QTest::newRow("members of a string") << QByteArray("ttl = true") << QByteArray("others = 'x'")
                                         << u"4: \"member\""_s;
    QTest::newRow("a score of a string") << QByteArray("ttl = true") << QByteArray("score = \"until\"")
                                         << u"8: only a zset"_s;
    QTest::newRow("no reason") << QByteArray("by = \"removal\"") << QByteArray() << u"9: a lock that is not"_s;
    QTest::newRow("any key of an etcd") << QByteArray("[\"billing:*:lock\"]\ntype = \"string\"")
                                        << QByteArray("[\"*:lock\"]\ntype = \"key\"") << u"5: the name of a key"_s;
    QTest::newRow("no TOML") << QByteArray("[release]") << QByteArray("[release") << u"9: "_s;
}

void ConventionsTest::aFaultyFileIsRefusedWithItsLine()
{
    QFETCH(QByteArray, part);
    QFETCH(QByteArray, instead);
    QFETCH(QString, fault);
    QVERIFY(kRight.contains(part));
    const QString said = faultText(QByteArray(kRight).replace(part, instead));
    QVERIFY2(said.startsWith(fault), qPrintable(said));
}

void ConventionsTest::oneOfTheUserReplacesOneOfLockscope()
{
    const QTemporaryDir folder;
    const auto write = [&folder](const QString &name, const QByteArray &text) {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    };
    QVERIFY(write(u"redisson.toml"_s, kRight) && write(u"wrong.toml"_s, "format = 1"));
    QList<ConventionFile> faulty;
    const QList<KeyConvention> all = allConventions(folder.path(), &faulty);
    QCOMPARE(faulty.size(), 1);
    QCOMPARE(all.size(), builtInConventions().size());
    QVERIFY(all.first().isOwn && all.first().title == u"Billing"_s);
    QVERIFY2(all.last().isGuess, "what is only guessed comes last");
}

void ConventionsTest::theHolderAndTheTimeAreTakenFromTheValue()
{
    const QList<KeyConvention> own{std::get<KeyConvention>(readConvention(kRight, u"billing"_s))};
    const auto lock = recognise(own, stringKey("billing:7:lock", "host-a7#1764212345"));
    QVERIFY(lock);
    QCOMPARE(lock->holders.first().text, u"host-a7"_s);
    QCOMPARE(lock->holders.first().guard(), QByteArray("host-a7#1764212345"));
    QCOMPARE(lock->holders.first().since, ServerTime(std::chrono::seconds(1'764'212'345)));
    QVERIFY(!recognise(own, stringKey("billing:7:lock", "host-a7#soon")));
    KeyFacts endless = stringKey("billing:7:lock", "host-a7#1764212345");
    endless.until.reset();
    QVERIFY(!recognise(own, endless));
}

void ConventionsTest::theGuardOfASortedSetHasNoTime_data()
{
    QTest::addColumn<QByteArray>("score");
    QTest::addColumn<QByteArray>("guard");
    QTest::newRow("of the last refresh") << QByteArray("score = \"since\"\n") << QByteArray("host-a7");
    QTest::newRow("of the end") << QByteArray("score = \"until\"\n") << QByteArray("host-a7");
    QTest::newRow("a number of which nothing is known") << QByteArray() << QByteArray("host-a7=1764212345000");
}

void ConventionsTest::theGuardOfASortedSetHasNoTime()
{
    QFETCH(QByteArray, score);
    QFETCH(QByteArray, guard);
    const auto read =
        readConvention("format = 1\ntitle = \"Billing\"\n[key]\nnames = [\"billing:*\"]\ntype = \"zset\"\n"
                       "member = '[a-z0-9-]+'\n"
                           + score + "[release]\nby = \"removal\"\n",
                       u"billing"_s);
    const auto lock = recognise({std::get<KeyConvention>(read)},
                                {"billing:7", KeyType::SortedSet, {}, {{"host-a7", "1764212345000"}}, 1});
    QVERIFY(lock);
    QCOMPARE(lock->holders.first().guard(), guard);
    QVERIFY(lock->holder(guard));
}

void ConventionsTest::theTimeOfAUuidIsTold()
{
    const auto lock =
        recognise(allConventions(QString()), stringKey("orders-lock", "b3c4f0d0cb4d11f0a4a9acde48001122"));
    QVERIFY(lock && lock->convention.id == u"redis-py"_s);
    QVERIFY(lock->holders.first().since);
    const QDateTime since = toDateTime(*lock->holders.first().since).toUTC();
    QCOMPARE(since.date().year(), 2025);
}

void ConventionsTest::aUuidOfAnotherTimeIsNoLocks_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("before 2010") << QByteArray("b3c4f0d0cb4d11d0a4a9acde48001122");
    QTest::newRow("of a day to come") << QByteArray("b3c4f0d0cb4d1fffa4a9acde48001122");
    QTest::newRow("another variant") << QByteArray("b3c4f0d0cb4d11f044a9acde48001122");
}

void ConventionsTest::aUuidOfAnotherTimeIsNoLocks()
{
    QFETCH(QByteArray, value);
    const auto lock = recognise(allConventions(QString()), stringKey("orders-lock", value));
    QVERIFY(!lock || lock->convention.id != u"redis-py"_s);
    KeyFacts endless = stringKey("orders-lock", value);
    endless.until.reset();
    const auto guess = recognise(allConventions(QString()), endless);
    QVERIFY(guess);
    QCOMPARE(guess->convention.id, u"perhaps"_s); // by its name alone
}

void ConventionsTest::theScriptComparesBeforeItActs()
{
    for (const KeyConvention &convention : builtInConventions()) {
        if (convention.store() != KeyStore::Redis || !convention.release.isOffered)
            continue;
        const QByteArray script = releaseScript(convention);
        QVERIFY2(script.startsWith("if redis.call('TYPE', KEYS[1]).ok ~= "), script.constData());
        QVERIFY2(script.indexOf("return 0") < script.indexOf("redis.call('DEL'")
                     || !script.contains("redis.call('DEL'"),
                 script.constData());
        QVERIFY2(script.endsWith("return 1"), script.constData());
    }
}

/// Redis takes nothing back when it refuses a later command.
void ConventionsTest::theScriptRemovesLast()
{
    for (const KeyConvention &convention : builtInConventions()) {
        const QByteArray script = convention.release.script;
        const auto removal = std::max(script.indexOf("DEL', KEYS[1]"), script.indexOf("ZREM', KEYS[1]"));
        for (const char *other : {"PUBLISH", "LPUSH", "LINDEX", "LRANGE", "HSET", "HLEN", "ZSCORE", "PEXPIRE"})
            QVERIFY2(script.isEmpty() || (removal > 0 && script.lastIndexOf(other) < removal), script.constData());
    }
}

/// Values come from whoever may write to the server.
void ConventionsTest::anyBytesAreRead()
{
    const QList<KeyConvention> all = allConventions(QString());
    const QList<KeyType> types{KeyType::String, KeyType::Hash, KeyType::SortedSet,
                               KeyType::Folder, KeyType::Node, KeyType::Key};
    QList<QByteArray> seeds;
    for (const ProgramKey &key : programKeys())
        seeds << key.name << key.guard;
    const auto pick = [&seeds] { return seeds[QRandomGenerator::global()->bounded(seeds.size())]; };
    const auto bent = [&] {
        QByteArray bytes = QRandomGenerator::global()->bounded(4) == 0 ? randomBytes(80) : pick();
        for (int i = QRandomGenerator::global()->bounded(3); i > 0 && !bytes.isEmpty(); --i)
            bytes[QRandomGenerator::global()->bounded(int(bytes.size()))] =
                char(QRandomGenerator::global()->bounded(256));
        return bytes;
    };
    for (int i = 0; i < 20'000; ++i) {
        KeyFacts facts{bent(), types[i % types.size()], {}, {}, 0};
        if (i % 2 == 0)
            facts.until = ServerTime(std::chrono::hours(1));
        for (int part = QRandomGenerator::global()->bounded(3); part >= 0; --part)
            facts.parts.append({facts.type == KeyType::String ? QByteArray() : bent(), bent()});
        facts.size = facts.parts.size();
        const auto lock = recognise(all, facts);
        if (!lock)
            continue;
        QVERIFY(!lock->holders.isEmpty() && !lock->holders.first().guard().isEmpty());
        QCOMPARE(lock->convention.type, facts.type);
        QVERIFY(lock->convention.isNamed(facts.name));
    }
}

QTEST_GUILESS_MAIN(ConventionsTest)
#include "tst_conventions.moc"
