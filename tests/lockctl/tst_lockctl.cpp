// SPDX-License-Identifier: MIT
#include "enginefixture.h"
#include "lockctlrunner.h"
#include "lockscope/lockengine.h"
#include "lockscope/optimistic.h"
#include "privateserver/privateserver.h"
#include "session/schema.h"
#include "strict.h"

#include <QtTest/QtTest>

#include <future>
#include <thread>

#include <unistd.h>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

constexpr auto kNobody = "mysql://root@localhost/lockscope?socket=%2Fnonexistent%2Fs";

ServerUrl serverUrl(const QString &schema = u"lockscope"_s, const QString &user = u"root"_s)
{
    ServerUrl url = TestServer::instance().url();
    url.schema = schema;
    url.user = user;
    return url;
}

Reply ask(const QByteArray &sql, TestServer &server = TestServer::instance())
{
    SessionTarget target;
    target.url = server.url();
    LockError error;
    const auto session = Session::open(target, &error);
    if (!session)
        qFatal("%ls", qUtf16Printable(error.toString()));
    Reply reply = session->run(sql, "test");
    if (!reply)
        qFatal("%s: %ls", sql.constData(), qUtf16Printable(reply.error->toString()));
    return reply;
}

} // namespace

class LockctlTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { failOnWarnings(); }
    void aWrongCommandLineIsRefusedBeforeAnythingHappens_data();
    void aWrongCommandLineIsRefusedBeforeAnythingHappens();
    void wordsThatAreNotUtf8AreRefused();
    void everyCommandHasHelpWithAnExample_data();
    void everyCommandHasHelpWithAnExample();
    void globalOptionsStandBeforeOrAfterTheCommand_data();
    void globalOptionsStandBeforeOrAfterTheCommand();
    void aMissingServerIs69_data();
    void aMissingServerIs69();
    void withoutAUrlThePrivateServerIsUsed();
    void thePasswordComesFromEnvironmentOrFile();
    void aPasswordFileThatOthersCanReadIsRefused();
    void aRefusedUserIs77_data();
    void aRefusedUserIs77();
    void missingTablesAreNamedWithTheirCure();
    void tablesOfANewerProgramAreLeftAlone();
    void aServerThatRefusesWritesIsNamed();
    void statementBinlogIsRefusedWithItsCure();
    void initIsSafeWhenSixteenDoItAtOnce();
    void listIsOneJsonArrayOfTheContractsShape();
    void rowLocksAndTheirQueuesAreListed();
    void waitersThatAreNotToldAreUnknownAndNotNone();
    void whoAsksForANameOfTheServersOwnLocksIsToldWhereToLook();
    void optimisticResourcesAreListedWithTheirCounts();
    void listAllNeedsNoTables();
    void listAllNeedsNoRightToReadTheEnginesTables_data();
    void listAllNeedsNoRightToReadTheEnginesTables();
    void manyAreReleasedByPrefixOrOwner();
    void aWaiterThatCannotBeWokenIsNotSaidToHold();
    void askingTellsHoldersAndTakesNothing();
    void oldEventsAreRemovedOnRecord();
    void aServerOnAnotherPortHasAnotherName();
    void outputThatCannotBeWrittenIsAFailure();
};

void LockctlTest::initTestCase()
{
    const auto initialised = CtlRunner(serverUrl().toString()).run({u"init"_s});
    QVERIFY2(initialised.exitCode == 0, initialised.text());
    ask("CREATE USER 'reader'@'localhost' IDENTIFIED BY 'sécret ;='");
    ask("GRANT SELECT ON lockscope.* TO 'reader'@'localhost'");
    ask("CREATE USER 'nobody'@'localhost' IDENTIFIED BY ''");
}

void LockctlTest::aWrongCommandLineIsRefusedBeforeAnythingHappens_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QByteArray>("reason");
    const auto row = [](const char *name, const QString &words, const char *reason) {
        QTest::newRow(name) << words.split(u' ') << QByteArray(reason);
    };
    QTest::newRow("nothing") << QStringList() << QByteArray("a command is missing");
    row("unknown command", u"frobnicate"_s, "frobnicate");
    row("unknown command and a word", u"killl 3"_s, "not expected: killl 3");
    row("help of an unknown command", u"help frobnicate"_s, "not expected: frobnicate");
    row("no error log", u"deadlocks --log="_s, "it is empty");
    row("unknown option", u"list --frobnicate"_s, "--frobnicate");
    row("too many words", u"list x"_s, "x");
    row("sandbox without a verb", u"sandbox"_s, "a command is missing");
    row("sandbox with a wrong verb", u"sandbox pause"_s, "pause");
    row("sandbox in no folder", u"sandbox stop --dir="_s, "names no folder");
    row("waiters of nothing", u"waiters"_s, "RESOURCE");
    row("run of nothing", u"run"_s, "RESOURCE");
    row("run without a command", u"run r"_s, "put --");
    row("run without a command after the mark", u"run r --"_s, "put --");
    row("run with a command but no mark", u"run r true"_s, "true");
    row("no unit", u"run r --ttl 30 -- true"_s, "--ttl");
    row("negative time", u"run r --wait -1s -- true"_s, "--wait");
    row("time out of range", u"run r --wait 99999999999999h -- true"_s, "--wait");
    row("no time", u"run r --ttl= -- true"_s, "--ttl");
    row("unknown mode", u"run r --mode fast -- true"_s, "fast");
    row("a mode that holds nothing", u"run r --mode optimistic -- true"_s, "use unique or pessimistic");
    row("release without a token", u"release r --reason x"_s, "--token");
    row("release without a reason", u"release r --token 1"_s, "--reason");
    row("release with an empty reason", u"release r --token 1 --reason="_s, "reason");
    row("token that is no number", u"release r --token one --reason x"_s, "one");
    row("negative token", u"release r --token -1 --reason x"_s, "-1");
    row("token out of range", u"release r --token 18446744073709551616 --reason x"_s, "token");
    row("release of nothing", u"release --reason x"_s, "--prefix");
    row("release by prefix without a reason", u"release --prefix p --yes"_s, "--reason");
    row("release by an empty prefix", u"release --prefix= --reason x --yes"_s, "prefix is empty");
    row("release by what is no owner", u"release --owner billing --reason x --yes"_s, "32 hex digits");
    row("release by prefix and name", u"release r --prefix p --reason x --yes"_s, "exclude");
    row("release by prefix and token", u"release --prefix p --token 1 --reason x --yes"_s, "exclude");
    row("release by prefix and owner",
        u"release --prefix p --owner 0123456789abcdef0123456789abcdef --reason x --yes"_s, "exclude");
    row("one release without a question", u"release r --token 1 --reason x --yes"_s, "--yes");
    row("a question without a terminal", u"release --prefix p --reason x"_s, "no terminal");
    row("a question in JSON", u"release --prefix p --reason x --json"_s, "--json cannot ask");
    row("a URL of something else", u"--url http://x/y list"_s, "mysql://");
    row("a password in the URL", u"--url mysql://root:secret@h/s list"_s, "LOCKSCOPE_PASSWORD");
    row("a mode that a store has not", u"--url redis://127.0.0.1:1 run r --mode pessimistic -- true"_s,
        "is for MySQL and MariaDB");
    row("a warning that never comes", u"check --max-wait 30s --warn 40s"_s, "longer than --max-wait");
    for (const auto &option : {u"--url"_s, u"--defaults-file"_s, u"--password-file"_s}) {
        QTest::addRow("empty %s", qPrintable(option))
            << QStringList{option, QString(), u"run"_s, u"r"_s, u"--"_s, u"true"_s} << QByteArray("it is empty");
    }
    QTest::newRow("empty resource") << QStringList{u"waiters"_s, QString()} << QByteArray("RESOURCE");
    QTest::newRow("256 bytes") << QStringList{u"waiters"_s, QString(256, u'x')} << QByteArray("255");
    QTest::newRow("prefix of 256 bytes") << QStringList{u"release"_s, u"--reason"_s, u"x"_s, u"--prefix"_s,
                                                        QString(256, u'x')}
                                         << QByteArray("256");
    for (const char *number : {"010", "0x10", "-1", "99999999999999999999", "1e3", "+5", " 7"}) {
        const auto word = QString::fromLatin1(number);
        QTest::addRow("connection %s", number)
            << QStringList{u"kill"_s, u"--reason"_s, u"r"_s, u"--"_s, word} << QByteArray("whole number");
        QTest::addRow("transaction %s", number)
            << QStringList{u"kill"_s, u"12"_s, u"--reason"_s, u"r"_s, u"--transaction="_s + word}
            << QByteArray("whole number");
        QTest::addRow("workers %s", number)
            << QStringList{u"simulate"_s, u"--workers="_s + word} << QByteArray("whole number");
    }
    QTest::newRow("128 characters of two bytes")
        << QStringList{u"run"_s, QString(128, u'ä'), u"--"_s, u"true"_s} << QByteArray("255");
    QTest::newRow("reason too long") << QStringList{u"release"_s, u"r"_s,        u"--token"_s,
                                                    u"1"_s,       u"--reason"_s, QString(1025, u'x')}
                                     << QByteArray("1024");
}

void LockctlTest::aWrongCommandLineIsRefusedBeforeAnythingHappens()
{
    QFETCH(QStringList, words);
    QFETCH(QByteArray, reason);
    // Had it gone to this server, it would answer 69.
    const auto result = CtlRunner(QString::fromLatin1(kNobody)).run(words);
    QVERIFY2(result.exitCode == 64, result.text());
    QVERIFY2(result.err.contains(reason), result.text());
    QVERIFY2(result.out.isEmpty(), result.text());
}

void LockctlTest::wordsThatAreNotUtf8AreRefused()
{
    const CtlRunner runner(QString::fromLatin1(kNobody));
    for (const QString &script :
         {u"\"$0\" waiters \"$(printf 'a\\377')\""_s, u"\"$0\" run -- \"$(printf -- '-\\303')\" -- true"_s,
          u"\"$0\" run r --note \"$(printf '\\355\\240\\200')\" -- true"_s}) {
        const auto result = runner.shell(script);
        QVERIFY2(result.exitCode == 64, result.text());
        QVERIFY2(result.err.contains("not UTF-8"), result.text());
    }
}

void LockctlTest::everyCommandHasHelpWithAnExample_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::newRow("lockctl") << QStringList();
    for (const char *name : {"sandbox", "init", "run", "list", "waiters", "events", "release"})
        QTest::newRow(name) << QStringList{QString::fromLatin1(name)};
    for (const char *name : {"start", "stop", "url"})
        QTest::newRow(name) << QStringList{u"sandbox"_s, QString::fromLatin1(name)};
}

void LockctlTest::everyCommandHasHelpWithAnExample()
{
    QFETCH(QStringList, command);
    const CtlRunner runner(QString::fromLatin1(kNobody));
    const auto result = runner.run(QStringList(command) << u"--help"_s);
    QVERIFY2(result.exitCode == 0, result.text());
    QVERIFY2(result.out.contains("Example:\n  "), result.text());
    QVERIFY2(result.err.isEmpty(), result.text());
    const auto asked = runner.run(QStringList{u"help"_s} + command);
    QVERIFY2(asked.exitCode == 0 && asked.out == result.out && asked.err.isEmpty(), asked.text());
}

void LockctlTest::globalOptionsStandBeforeOrAfterTheCommand_data()
{
    QTest::addColumn<QStringList>("words");
    const QString url = serverUrl().toString();
    QTest::newRow("before") << QStringList{u"--json"_s, u"--url"_s, url, u"list"_s};
    QTest::newRow("behind") << QStringList{u"list"_s, u"--url"_s, url, u"--json"_s};
    QTest::newRow("on both sides") << QStringList{u"--json"_s, u"list"_s, u"--all"_s, u"--url="_s + url};
    QTest::newRow("a resource called like a command")
        << QStringList{u"--json"_s, u"waiters"_s, u"list"_s, u"--url"_s, url};
    QTest::newRow("a resource with a dash")
        << QStringList{u"--json"_s, u"--url"_s, url, u"waiters"_s, u"--"_s, u"-x"_s};
}

void LockctlTest::globalOptionsStandBeforeOrAfterTheCommand()
{
    QFETCH(QStringList, words);
    const auto result = CtlRunner(QString::fromLatin1(kNobody)).run(words);
    QVERIFY2(result.exitCode == 0, result.text());
    QCOMPARE(result.out, QByteArray("[]\n"));
}

void LockctlTest::aMissingServerIs69_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QByteArray>("cure");
    QTest::newRow("no socket") << QString::fromLatin1(kNobody) << QByteArray("Check that it runs");
    QTest::newRow("no port") << u"mysql://root@127.0.0.1:1/lockscope"_s << QByteArray("Check that it runs");
    QTest::newRow("no server named") << QString() << QByteArray("lockctl sandbox start");
}

void LockctlTest::aMissingServerIs69()
{
    QFETCH(QString, url);
    QFETCH(QByteArray, cure);
    QTemporaryDir home;
    CtlRunner runner(url);
    runner.set("XDG_DATA_HOME", home.path());
    for (const QString &words : {u"list"_s, u"list --all"_s, u"waiters r"_s, u"events"_s, u"init"_s,
                                 u"run r -- false"_s, u"release r --token 1 --reason x"_s}) {
        const auto result = runner.run(words.split(u' '));
        QVERIFY2(result.exitCode == 69, qUtf8Printable(words + u": "_s + QString::fromUtf8(result.text())));
        QVERIFY2(result.err.contains(cure), result.text());
        QVERIFY2(result.out.isEmpty(), result.text());
    }
}

void LockctlTest::withoutAUrlThePrivateServerIsUsed()
{
    QTemporaryDir home;
    CtlRunner runner;
    runner.set("XDG_DATA_HOME", home.path());
    QCOMPARE(runner.run({u"sandbox"_s, u"url"_s}).exitCode, 69);

    const auto started = runner.run({u"sandbox"_s, u"start"_s});
    QVERIFY2(started.exitCode == 0, started.text());
    QCOMPARE(started.out.count('\n'), 1);
    ServerUrl url;
    QString error;
    QVERIFY2(ServerUrl::parse(QString::fromUtf8(started.out.trimmed()), &url, &error), started.out);
    QCOMPARE(runner.run({u"sandbox"_s, u"url"_s}).out, started.out);
    const auto again = runner.run({u"--json"_s, u"sandbox"_s, u"start"_s});
    QCOMPARE(again.object().value(u"url"_s).toString(), url.toString());
    QCOMPARE(again.object().value(u"started"_s).toBool(true), false);

    const auto listed = runner.run({u"list"_s, u"--json"_s}); // the tables are there as well
    QVERIFY2(listed.exitCode == 0, listed.text());
    runner.set("LOCKSCOPE_PASSWORD", u"of another server"_s);
    const auto ran = runner.run({u"run"_s, u"r"_s, u"--"_s, u"true"_s});
    QVERIFY2(ran.exitCode == 0, ran.text());

    PrivateServerUser user; // as a window is
    QVERIFY(!user.start(home.filePath(u"lockscope/private-server"_s)).started);
    const auto stopped = runner.run({u"sandbox"_s, u"stop"_s});
    QCOMPARE(stopped.exitCode, 0);
    QVERIFY2(stopped.err.contains("while it was used by process " + QByteArray::number(::getpid())), stopped.text());
    QCOMPARE(runner.run({u"sandbox"_s, u"stop"_s}).exitCode, 0);
    QCOMPARE(runner.run({u"list"_s}).exitCode, 69);
}

void LockctlTest::thePasswordComesFromEnvironmentOrFile()
{
    const QString password = u"sécret ;="_s;
    CtlRunner runner(serverUrl(u"lockscope"_s, u"reader"_s).toString());
    QTemporaryDir folder;
    QFile file(folder.filePath(u"password"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(password.toUtf8() + "\nsecond line\n");
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner));

    const auto fromFile = runner.run({u"list"_s, u"--password-file"_s, file.fileName()});
    QVERIFY2(fromFile.exitCode == 0, fromFile.text());
    runner.set("LOCKSCOPE_PASSWORD", password);
    const auto fromEnvironment = runner.run({u"list"_s});
    QVERIFY2(fromEnvironment.exitCode == 0, fromEnvironment.text());
}

void LockctlTest::aPasswordFileThatOthersCanReadIsRefused()
{
    const CtlRunner runner(QString::fromLatin1(kNobody));
    QTemporaryDir folder;
    QFile file(folder.filePath(u"password"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    for (const auto extra : {QFile::ReadGroup, QFile::ReadOther, QFile::WriteOther}) {
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | extra));
        const auto result = runner.run({u"list"_s, u"--password-file"_s, file.fileName()});
        QVERIFY2(result.exitCode == 64, result.text());
        QVERIFY2(result.err.contains("chmod 600"), result.text());
    }
    const auto missing = runner.run({u"list"_s, u"--password-file"_s, folder.filePath(u"none"_s)});
    QVERIFY2(missing.exitCode == 64 && missing.err.contains("none"), missing.text());
    const auto notAFile = runner.run({u"list"_s, u"--password-file"_s, folder.path()});
    QVERIFY2(notAFile.exitCode == 64, notAFile.text());
}

void LockctlTest::aRefusedUserIs77_data()
{
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("password");
    QTest::addColumn<QString>("words");
    QTest::newRow("wrong password") << u"reader"_s << u"wrong"_s << u"list"_s;
    QTest::newRow("wrong password, run") << u"reader"_s << u"wrong"_s << u"run r -- true"_s;
    QTest::newRow("unknown user") << u"stranger"_s << QString() << u"list"_s;
    QTest::newRow("no privilege on the schema") << u"nobody"_s << QString() << u"list"_s;
    QTest::newRow("may only read, init of another schema") << u"reader"_s << u"sécret ;="_s << u"init"_s;
    QTest::newRow("may only read, run") << u"reader"_s << u"sécret ;="_s << u"run r -- true"_s;
    QTest::newRow("may only read, release") << u"reader"_s << u"sécret ;="_s << u"release r --token 1 --reason x"_s;
}

void LockctlTest::aRefusedUserIs77()
{
    QFETCH(QString, user);
    QFETCH(QString, password);
    QFETCH(QString, words);
    const QString schema = words == u"init"_s ? u"elsewhere"_s : u"lockscope"_s;
    CtlRunner runner(serverUrl(schema, user).toString());
    runner.set("LOCKSCOPE_PASSWORD", password);
    const auto result = runner.run(words.split(u' '));
    QVERIFY2(result.exitCode == 77, result.text());
    QCOMPARE(result.err.count('\n'), 1);
}

void LockctlTest::missingTablesAreNamedWithTheirCure()
{
    ask("CREATE DATABASE IF NOT EXISTS bare");
    for (const QString &schema : {u"absent"_s, u"bare"_s}) {
        const CtlRunner runner(serverUrl(schema).toString());
        for (const QString &words :
             {u"list"_s, u"waiters r"_s, u"events"_s, u"run r -- false"_s, u"release r --token 1 --reason x"_s}) {
            const auto result = runner.run(words.split(u' '));
            QVERIFY2(result.exitCode == 1, qUtf8Printable(words + QString::fromUtf8(result.text())));
            QVERIFY2(result.err.contains("lockctl init"), result.text());
        }
    }
}

void LockctlTest::tablesOfANewerProgramAreLeftAlone()
{
    const CtlRunner runner(serverUrl(u"future"_s).toString());
    QCOMPARE(runner.run({u"init"_s}).exitCode, 0);
    ask("UPDATE future.lock_meta SET value = 1000 WHERE name = 'schema_version'");
    for (const QString &words : {u"init"_s, u"run r -- false"_s}) {
        const auto result = runner.run(words.split(u' '));
        QVERIFY2(result.exitCode == 1, result.text());
        QVERIFY2(result.err.contains("1000"), result.text());
    }
    QCOMPARE(ask("SELECT value FROM future.lock_meta WHERE name = 'schema_version'").value().toInt(), 1000);
}

void LockctlTest::aServerThatRefusesWritesIsNamed()
{
    ask("CREATE USER 'writer'@'localhost' IDENTIFIED BY ''"); // root is above read_only
    ask("GRANT ALL ON lockscope.* TO 'writer'@'localhost'");
    ask("SET GLOBAL read_only = 1");
    const CtlRunner runner(serverUrl(u"lockscope"_s, u"writer"_s).toString());
    const auto run = runner.run({u"run"_s, u"r"_s, u"--wait"_s, u"0"_s, u"--"_s, u"true"_s});
    const auto list = runner.run({u"list"_s});
    ask("SET GLOBAL read_only = 0");
    QVERIFY2(run.exitCode == 1, run.text());
    QVERIFY2(run.err.contains("read-only"), run.text());
    QVERIFY2(list.exitCode == 0, list.text());
}

void LockctlTest::statementBinlogIsRefusedWithItsCure()
{
    TestServer server({u"--log-bin=binlog"_s, u"--server-id=1"_s, u"--binlog-format=STATEMENT"_s});
    const CtlRunner runner(server.url().toString());
    runner.run({u"init"_s});
    const auto result = runner.run({u"run"_s, u"r"_s, u"--"_s, u"true"_s});
    QVERIFY2(result.exitCode == 1, result.text());
    QVERIFY2(result.err.contains("binlog_format") && result.err.contains("ROW"), result.text());
}

void LockctlTest::initIsSafeWhenSixteenDoItAtOnce()
{
    const CtlRunner runner(serverUrl(u"crowded"_s).toString());
    std::vector<std::unique_ptr<QProcess>> processes(16);
    for (auto &process : processes)
        process = runner.start({u"--json"_s, u"init"_s});
    for (const auto &process : processes) {
        const auto result = CtlRunner::finish(*process);
        QVERIFY2(result.exitCode == 0, result.text());
        QCOMPARE(result.object().value(u"version"_s).toInt(), SchemaVersion);
    }
    QCOMPARE(ask("SELECT COUNT(*) FROM crowded.lock_meta WHERE name = 'schema_version'").value().toInt(), 1);
    const auto used = runner.run({u"run"_s, u"r"_s, u"--"_s, u"true"_s});
    QVERIFY2(used.exitCode == 0, used.text());
}

void LockctlTest::listIsOneJsonArrayOfTheContractsShape()
{
    const CtlRunner runner(serverUrl().toString());
    const QByteArray name = "\xc3\xa4 \"\\\n\xf0\x9f\x92\xa5";
    const auto listed = runner.shell(
        u"\"$0\" run '%1' --ttl 1h --note 'the note' -- \"$0\" list --json"_s.arg(QString::fromUtf8(name)));
    QVERIFY2(listed.exitCode == 0, listed.text());
    QCOMPARE(listed.array().size(), 1);
    const QJsonObject lock = listed.array().first().toObject();
    QCOMPARE(lock.value(u"kind"_s).toString(), u"lease"_s);
    QCOMPARE(lock.value(u"mode"_s).toString(), u"unique"_s);
    QCOMPARE(lock.value(u"state"_s).toString(), u"held"_s);
    QCOMPARE(lock.value(u"resource"_s).toString(), QString::fromUtf8(name));
    QCOMPARE(lock.value(u"resourceHex"_s).toString(), QString::fromLatin1(name.toHex()));
    QCOMPARE(lock.value(u"note"_s).toString(), u"the note"_s);
    QCOMPARE(lock.value(u"ttlMs"_s).toInteger(), 3'600'000);
    QVERIFY(lock.value(u"remainingMs"_s).toInteger() > 0 && lock.value(u"remainingMs"_s).toInteger() <= 3'600'000);
    QVERIFY(lock.value(u"token"_s).toInteger() > 0);
    QVERIFY(lock.value(u"connectionId"_s).toInteger() > 0);
    QVERIFY(lock.value(u"sessionAlive"_s).toBool());
    QCOMPARE(lock.value(u"waiters"_s).toInt(-1), 0);
    const QDateTime acquired = QDateTime::fromString(lock.value(u"acquiredAt"_s).toString(), Qt::ISODateWithMs);
    const QDateTime expires = QDateTime::fromString(lock.value(u"expiresAt"_s).toString(), Qt::ISODateWithMs);
    QVERIFY(lock.value(u"acquiredAt"_s).toString().endsWith(u'Z'));
    QCOMPARE(acquired.msecsTo(expires), 3'600'000);
    const QJsonObject owner = lock.value(u"owner"_s).toObject();
    QCOMPARE(owner.value(u"service"_s).toString(), u"lockctl"_s);
    QVERIFY(!owner.value(u"host"_s).toString().isEmpty());
    QVERIFY(owner.value(u"pid"_s).toInteger() > 0);
    QVERIFY(!owner.value(u"thread"_s).toString().isEmpty());
    QCOMPARE(owner.value(u"session"_s).toString().size(), 32);

    const auto table = runner.run({u"list"_s});
    QCOMPARE(table.out.count('\n'), 1); // the header; nothing is held any more
}

namespace {

/// A held row "stock" and one who waits for it, both in this process.
class ContendedRow
{
public:
    ContendedRow()
        : m_engine(configFor(TestServer::instance()))
    {
        LockRequest request = requestFor("stock", Patience);
        request.mode = Mode::Pessimistic;
        m_held = m_engine.acquire(request);
        m_waiter = std::thread([this, request] { m_engine.acquire(request); });
        const auto waiting = [] {
            const Reply reply = ask("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'");
            return reply.set(-1).rows.value(0).value(1).toInt();
        };
        if (!eventually([&] { return waiting() == 1; }))
            qFatal("nobody waits");
    }
    ~ContendedRow()
    {
        m_held.handle.release();
        m_waiter.join();
    }

private:
    LockEngine m_engine;
    AcquireResult m_held;
    std::thread m_waiter;
};

} // namespace

void LockctlTest::rowLocksAndTheirQueuesAreListed()
{
    const CtlRunner runner(serverUrl().toString());
    const ContendedRow contended;
    const auto listed = runner.run({u"list"_s, u"--json"_s});
    QVERIFY2(listed.exitCode == 0 && listed.err.isEmpty(), listed.text());
    QCOMPARE(listed.array().size(), 1);
    const QJsonObject row = listed.array().first().toObject();
    QCOMPARE(row.value(u"kind"_s).toString(), u"row"_s);
    QCOMPARE(row.value(u"mode"_s).toString(), u"pessimistic"_s);
    QCOMPARE(row.value(u"waiters"_s).toInt(-1), 1);
    QVERIFY(row.value(u"token"_s).isNull());

    const auto waiting = runner.run({u"waiters"_s, u"stock"_s, u"--json"_s});
    QCOMPARE(waiting.array().size(), 1);
    const QJsonObject waiter = waiting.array().first().toObject();
    QCOMPARE(waiter.value(u"mode"_s).toString(), u"pessimistic"_s);
    QCOMPARE(waiter.value(u"position"_s).toInt(), 1);
    QCOMPARE(waiter.value(u"account"_s).toString(), u"root@localhost"_s);
    QVERIFY(waiter.value(u"connectionId"_s).toInteger() > 0);
    QVERIFY(waiter.value(u"connectionId"_s) != row.value(u"connectionId"_s));
    QVERIFY(waiter.value(u"waitedMs"_s).toInteger() < 60'000);
    const auto table = runner.run({u"waiters"_s, u"stock"_s});
    QVERIFY2(table.out.contains("root@localhost") && table.out.contains("pessimistic"), table.text());
}

void LockctlTest::waitersThatAreNotToldAreUnknownAndNotNone()
{
    CtlRunner runner(serverUrl(u"lockscope"_s, u"reader"_s).toString());
    runner.set("LOCKSCOPE_PASSWORD", u"sécret ;="_s);
    const ContendedRow contended;
    const auto listed = runner.run({u"list"_s, u"--json"_s});
    QVERIFY2(listed.exitCode == 0 && listed.err.contains("GRANT PROCESS"), listed.text());
    const QJsonObject row = listed.array().first().toObject();
    QCOMPARE(row.value(u"kind"_s).toString(), u"row"_s);
    QVERIFY(row.contains(u"waiters"_s) && row.value(u"waiters"_s).isNull());
    const auto table = runner.run({u"list"_s});
    QVERIFY2(table.out.contains("unknown"), table.text());
    const auto waiting = runner.run({u"waiters"_s, u"stock"_s, u"--json"_s});
    QVERIFY2(waiting.exitCode == 0 && waiting.array().isEmpty() && waiting.err.contains("GRANT PROCESS"),
             waiting.text());
}

void LockctlTest::whoAsksForANameOfTheServersOwnLocksIsToldWhereToLook()
{
    const CtlRunner ctl(serverUrl().toString());
    Observer holder(TestServer::instance());
    holder.run("DO GET_LOCK('report', 5)");
    for (const QStringList &format : {QStringList{}, QStringList{u"--json"_s}}) {
        const auto waiters = ctl.run(QStringList{u"waiters"_s, u"report"_s} + format);
        QVERIFY2(waiters.exitCode == 0 && waiters.out.count('\n') == 1 && waiters.err.contains("lockctl list --all")
                     && waiters.err.contains("lockctl blockers"),
                 waiters.text());
    }
    const auto release = ctl.run({u"release"_s, u"report"_s, u"--token"_s, u"1"_s, u"--reason"_s, u"stuck"_s});
    QVERIFY2(release.exitCode == 3 && release.err.contains("--table") && release.err.contains("lockctl blockers")
                 && release.err.contains("lockctl kill") && !release.err.contains("--guard"),
             release.text());
    EngineConfig config;
    config.server = serverUrl();
    LockEngine engine(config);
    LockRequest request;
    request.resource = "report";
    const auto held = engine.acquire(request);
    const auto queue = ctl.run({u"waiters"_s, u"report"_s});
    QVERIFY2(queue.exitCode == 0 && queue.err.isEmpty() && queue.out.count('\n') == 1, queue.text());
}

void LockctlTest::optimisticResourcesAreListedWithTheirCounts()
{
    {
        LockEngine engine(configFor(TestServer::instance()));
        OptimisticStore store(engine);
        const auto read = store.read("doc/7").snapshot;
        QCOMPARE(store.commit(read).outcome, CommitOutcome::Committed);
        for (int i = 0; i < 3; ++i)
            QCOMPARE(store.commit(read).outcome, CommitOutcome::Conflict);
    }
    const CtlRunner runner(serverUrl().toString());
    const auto listed = runner.run({u"list"_s, u"--json"_s});
    const auto table = runner.run({u"list"_s});
    ask("DELETE FROM lock_attempt");
    QVERIFY2(listed.exitCode == 0 && listed.err.isEmpty(), listed.text());
    QCOMPARE(listed.array().size(), 1);
    const QJsonObject version = listed.array().first().toObject();
    QCOMPARE(version.value(u"kind"_s).toString(), u"version"_s);
    QCOMPARE(version.value(u"mode"_s).toString(), u"optimistic"_s);
    QCOMPARE(version.value(u"state"_s).toString(), u"free"_s);
    QCOMPARE(version.value(u"version"_s).toInteger(), 2);
    QCOMPARE(version.value(u"commits"_s).toInteger(), 1);
    QCOMPARE(version.value(u"conflicts"_s).toInteger(), 3);
    QCOMPARE(version.value(u"conflictRate"_s).toDouble(), 0.75);
    QVERIFY(version.value(u"committedAt"_s).toString().endsWith(u'Z'));
    QVERIFY2(table.out.contains("1 commits, 3 conflicts (75 %), version 2"), table.text());
}

void LockctlTest::listAllNeedsNoTables()
{
    const auto result = CtlRunner(serverUrl(u"absent"_s).toString()).run({u"list"_s, u"--all"_s, u"--json"_s});
    QVERIFY2(result.exitCode == 0, result.text());
    QCOMPARE(result.out, QByteArray("[]\n"));
}

void LockctlTest::listAllNeedsNoRightToReadTheEnginesTables_data()
{
    QTest::addColumn<QByteArray>("grant");
    QTest::newRow("the record alone") << QByteArray("GRANT SELECT ON lockscope.lock_event TO 'stranger'@'localhost'");
    QTest::newRow("all but leases") << QByteArray("GRANT SELECT ON lockscope.lock_row TO 'stranger'@'localhost'; "
                                                  "GRANT SELECT ON lockscope.lock_version TO 'stranger'@'localhost'; "
                                                  "GRANT SELECT ON lockscope.lock_attempt TO 'stranger'@'localhost'");
}

void LockctlTest::listAllNeedsNoRightToReadTheEnginesTables()
{
    QFETCH(QByteArray, grant);
    ask("DROP USER IF EXISTS 'stranger'@'localhost'; CREATE USER 'stranger'@'localhost' IDENTIFIED BY ''");
    ask("CREATE DATABASE app; "
        "CREATE TABLE app.cache_locks (`key` VARCHAR(255) PRIMARY KEY, owner VARCHAR(255), expiration INT); "
        "INSERT INTO app.cache_locks VALUES ('k', 'o-1', UNIX_TIMESTAMP() + 900); "
        "GRANT SELECT ON app.* TO 'stranger'@'localhost'");
    ask(grant);
    const auto listed = CtlRunner(serverUrl(u"lockscope"_s, u"stranger"_s).toString()).run({u"list"_s, u"--all"_s});
    ask("DROP DATABASE app");
    QVERIFY2(listed.exitCode == 0 && listed.out.contains("app.cache_locks"), listed.text());
    const QByteArray said("lockctl: this account may not read the engine's tables, if there are any: the locks of "
                          "others are listed.\n");
    QVERIFY2(listed.err.contains(said) && !listed.err.contains("denied"), listed.text());
}

/// With the grants of an operator and no more.
void LockctlTest::aWaiterThatCannotBeWokenIsNotSaidToHold()
{
    ask("CREATE USER 'lockscope_operator'@'localhost' IDENTIFIED BY ''");
    ask(sqlText("grants/operator", TestServer::instance().family()));
    EngineConfig config;
    config.server = serverUrl();
    LockEngine holder(config);
    LockEngine waiter(config);
    LockRequest request;
    request.resource = "w/1";
    const auto held = holder.acquire(request);
    std::stop_source stop;
    request.wait = Patience;
    request.stop = stop.get_token();
    auto waits = std::async(std::launch::async, [&] { return waiter.acquire(request).outcome; });
    const CtlRunner ctl(serverUrl(u"lockscope"_s, u"lockscope_operator"_s).toString());
    QVERIFY(eventually([&] { return ctl.run({u"waiters"_s, u"w/1"_s, u"--json"_s}).array().size() == 1; }));
    const auto released = ctl.run(
        {u"release"_s, u"w/1"_s, u"--reason"_s, u"stuck"_s, u"--token"_s, QString::number(held.handle.token())});
    stop.request_stop();
    waits.wait();
    QVERIFY2(released.exitCode == 0 && released.err.contains("could not be woken"), released.text());
    QCOMPARE(released.out, QByteArray("Released w/1.\n"));
}

void LockctlTest::askingTellsHoldersAndTakesNothing()
{
    const CtlRunner ctl(serverUrl().toString());
    EngineConfig config;
    config.server = serverUrl();
    LockEngine engine(config);
    const auto ask = [&](const QStringList &words) {
        return ctl.run(QStringList{u"ask"_s, u"wanted"_s, u"--reason"_s, u"deploying"_s} + words);
    };
    const auto nobody = ask({});
    QVERIFY2(nobody.exitCode == 3
                 && nobody.out
                     == "No lease or row of the name wanted is held; what other programs hold: lockctl list --all.\n",
             nobody.text());
    QCOMPARE(ask({u"--json"_s}).object(), (QJsonObject{{u"asked"_s, QJsonArray()}}));
    std::vector<LockHandle> held;
    std::promise<QString> told;
    for (const Mode mode : {Mode::Unique, Mode::Pessimistic}) {
        LockRequest request;
        request.resource = "wanted";
        request.mode = mode;
        if (mode == Mode::Unique)
            request.onReleaseRequested = [&](const QString &reason) { told.set_value(reason); };
        held.push_back(std::move(engine.acquire(request).handle));
    }
    const auto asked = ask({u"--json"_s});
    QVERIFY2(asked.exitCode == 0, asked.text());
    const auto holders = asked.object()[u"asked"_s].toArray();
    QCOMPARE(holders.size(), 2);
    QCOMPARE(holders[1][u"session"_s].toString(), QString::fromLatin1(engine.owner().session));
    QCOMPARE(told.get_future().get(), u"deploying"_s);
    QVERIFY(held[0].isHeld() && held[1].isHeld());
    QCOMPARE(ctl.run({u"ask"_s, u"wanted"_s}).exitCode, 64);
    QCOMPARE(ctl.run({u"ask"_s, u"wanted"_s, u"--reason"_s, u" "_s}).exitCode, 64);
}

void LockctlTest::manyAreReleasedByPrefixOrOwner()
{
    const CtlRunner ctl(serverUrl().toString());
    EngineConfig config;
    config.server = serverUrl();
    LockEngine engine(config);
    std::vector<LockHandle> handles;
    for (const QByteArray name : {"m/%1", "m/ä", "n/1"}) {
        LockRequest request;
        request.resource = name;
        handles.push_back(std::move(engine.acquire(request).handle));
    }
    const QString server = TestServer::instance().url().socket;
    const auto release = [&](const QStringList &words) {
        return ctl.run(QStringList{u"release"_s, u"--reason"_s, u"moved"_s} + words);
    };
    const auto plan = release({u"--prefix"_s, u"m/"_s, u"--dry-run"_s});
    QVERIFY2(plan.exitCode == 0 && plan.out.contains("m/%1") && plan.out.contains("Would release 2"), plan.text());
    QVERIFY2(!plan.out.contains("n/1"), plan.text());
    const auto json = release({u"--prefix"_s, u"m/"_s, u"--dry-run"_s, u"--json"_s});
    QCOMPARE(json.object()[u"outcome"_s].toString(), u"preview"_s);
    QCOMPARE(json.object()[u"locks"_s].toArray().size(), 2);
    QCOMPARE(json.object()[u"locks"_s][0][u"resource"_s].toString(), u"m/%1"_s);
    const auto another = release({u"--prefix"_s, u"m/"_s, u"--yes"_s, u"--server"_s, u"db1"_s});
    QVERIFY2(another.exitCode == 3 && another.err.contains("this server is " + server.toUtf8() + ", not db1"),
             another.text());
    const auto many = release({u"--prefix"_s, u"m/"_s, u"--yes"_s, u"--server"_s, server});
    QVERIFY2(many.exitCode == 0 && many.out.contains("Released 2"), many.text());
    const auto anywhere = release({u"--prefix"_s, u"m/"_s, u"--yes"_s});
    QVERIFY2(anywhere.exitCode == 64 && anywhere.err.contains("--server"), anywhere.text());
    const auto again = release({u"--prefix"_s, u"m/"_s, u"--yes"_s, u"--server"_s, server, u"--json"_s});
    QVERIFY2(again.exitCode == 3, again.text());
    QCOMPARE(again.object()[u"outcome"_s].toString(), u"none"_s);
    QVERIFY2(release({u"--prefix"_s, u"m/"_s, u"--dry-run"_s}).exitCode == 3, again.text());
    const QString session = QString::fromLatin1(engine.owner().session);
    const auto owner = release({u"--owner"_s, session, u"--yes"_s, u"--server="_s + server, u"--json"_s});
    QVERIFY2(owner.exitCode == 0, owner.text());
    QCOMPARE(owner.object(),
             (QJsonObject{{u"outcome"_s, u"released"_s},
                          {u"released"_s, 1},
                          {u"changed"_s, 0},
                          {u"failed"_s, 0},
                          {u"left"_s, 0},
                          {u"error"_s, QJsonValue()}}));
    const auto recorded = ask("SELECT COUNT(*) FROM lock_event WHERE kind = 'force_release' AND reason = 'moved'");
    QCOMPARE(recorded.value().toInt(), 3);
}

/// What nobody can bring back is on record before it goes.
void LockctlTest::oldEventsAreRemovedOnRecord()
{
    const QTemporaryDir home;
    CtlRunner ctl(serverUrl().toString());
    ctl.set("XDG_DATA_HOME", home.path());
    ask("INSERT INTO lock_event (at, kind, resource, token) VALUES "
        "(UTC_TIMESTAMP(6) - INTERVAL 40 DAY, 'lost', 'old/1', 1), (UTC_TIMESTAMP(6), 'lost', 'old/2', 2)");
    const auto count = [] {
        return ask("SELECT COUNT(*) FROM lock_event WHERE resource LIKE 'old/%'").value().toInt();
    };
    const auto young = ctl.run({u"events"_s, u"--remove-older-than"_s, u"1ms"_s});
    QVERIFY2(young.exitCode == 64 && young.err.contains("24 hours"), young.text());
    const auto another = ctl.run({u"events"_s, u"--remove-older-than"_s, u"720h"_s, u"--server"_s, u"db1"_s});
    QVERIFY2(another.exitCode == 3, another.text());
    QCOMPARE(count(), 2);
    QVERIFY(!QFile::exists(home.filePath(u"lockscope/audit.jsonl"_s)));

    const auto done = ctl.run({u"events"_s, u"--remove-older-than"_s, u"720h"_s});
    QVERIFY2(done.exitCode == 0 && done.out.contains("1 events were removed"), done.text());
    QCOMPARE(count(), 1);
    QFile file(home.filePath(u"lockscope/audit.jsonl"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().split('\n');
    QCOMPARE(lines.size(), 3); // and nothing behind the last end
    QVERIFY2(lines[0].contains("to be done") && lines[0].contains("DELETE FROM lock_event"), lines[0]);
    QVERIFY2(lines[1].contains("1 events were removed") && lines[1].contains("older than"), lines[1]);
}

void LockctlTest::aServerOnAnotherPortHasAnotherName()
{
    const CtlRunner ctl(u"mysql://root@127.0.0.1:1/lockscope"_s);
    const QStringList words{u"release"_s, u"--prefix"_s, u"m/"_s, u"--yes"_s, u"--reason"_s, u"x"_s, u"--server"_s};
    const auto host = ctl.run(words + QStringList{u"127.0.0.1"_s});
    QVERIFY2(host.exitCode == 3 && host.err.contains("this server is 127.0.0.1:1, not 127.0.0.1"), host.text());
    const auto whole = ctl.run(words + QStringList{u"127.0.0.1:1"_s});
    QVERIFY2(whole.exitCode == 69, whole.text());
    const CtlRunner usual(u"mysql://root@127.0.0.1:3306/lockscope"_s);
    const auto wrong = usual.run(words + QStringList{u"127.0.0.1:3306"_s});
    QVERIFY2(wrong.exitCode == 3 && wrong.err.contains("this server is 127.0.0.1, not"), wrong.text());
}

void LockctlTest::outputThatCannotBeWrittenIsAFailure()
{
    const CtlRunner runner(serverUrl().toString());
    const auto full = runner.shell(u"\"$0\" list > /dev/full"_s);
    QVERIFY2(full.exitCode == 1 && full.err.contains("cannot be written"), full.text());
    const auto help = runner.shell(u"\"$0\" --help > /dev/full"_s);
    QVERIFY2(help.exitCode == 1, help.text());
    const auto check = runner.shell(u"\"$0\" check --max-wait 30s > /dev/full"_s);
    QVERIFY2(check.exitCode == 3 && check.err.contains("cannot be written"), check.text()); // UNKNOWN, and no warning
}

QTEST_GUILESS_MAIN(LockctlTest)
#include "tst_lockctl.moc"
