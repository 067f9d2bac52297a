// SPDX-License-Identifier: MIT
// lockctl lesson, as a shell sees it.
#include "atterminal.h"
#include "enginetest.h"
#include "lockctlrunner.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

const QByteArray kHead = "---\nid: mine\ntitle: Mine\nsummary: One.\nlevel: basic\ntags: [x]\n"
                         "servers: [mariadb, mysql]\nisolation: [rr]\n---\n"
                         "```sql setup\nCREATE TABLE t(id INT PRIMARY KEY, v INT);\nINSERT INTO t VALUES(1,0);\n```\n";

} // namespace

class TestLockctlLesson : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void theCourseComesFirst();
    void aFaultyFileIsRefusedWithLineAndReason();
    void aScenarioThatTheLabDoesNotHaveIsRefused();
    void whatDiffersFromTheFileIsSaid();
    void allThatAFileSaysIsTried_data();
    void allThatAFileSaysIsTried();
    void aRunIsOneDocument();
    void whatCannotBePlayedIsSaid_data();
    void whatCannotBePlayedIsSaid();
    void aNewLessonIsRightAndComesOutAsItSays();
    void aFileThatIsThereIsNotWrittenOver();
    void aFullDiskLeavesNoPartOfANewLesson();
    void aLessonIsShownAsItIs();
    void theListFitsIntoANarrowTerminal();
    void aPersonGuessesAndGoesOnStepByStep();
    void controlCEndsTheRunAndLeavesNothing();
    void anotherServerIsNotUsedUnasked();

private:
    CtlRunner ctl() const { return CtlRunner(m_server->url().toString()); }
    QStringList atTerminal(const QStringList &words) const
    {
        return QStringList{CtlRunner::program(), u"--url"_s, m_server->url().toString(), u"lesson"_s} + words;
    }
    int schemas() const;
    /// The path of a lesson "mine" with these blocks.
    QString fileWith(const QByteArray &blocks) const;

    QTemporaryDir m_folder;
};

QString TestLockctlLesson::fileWith(const QByteArray &blocks) const
{
    QFile file(m_folder.filePath(u"mine.md"_s));
    if (!file.open(QIODevice::WriteOnly) || file.write(kHead + blocks) < 0)
        qFatal("%ls cannot be written", qUtf16Printable(file.fileName()));
    return file.fileName();
}

void TestLockctlLesson::theCourseComesFirst()
{
    const CtlResult result = ctl().run({u"lesson"_s, u"list"_s});
    QVERIFY2(result.exitCode == 0, result.text());
    const QList<QByteArray> lines = result.out.split('\n');
    QVERIFY2(lines.value(1).startsWith("1 ") && lines.value(1).contains("ghost-stock"), result.text());
}

void TestLockctlLesson::aFaultyFileIsRefusedWithLineAndReason()
{
    const QString path = fileWith("```sql A blocks on B\nSELECT 1\n```\n");
    for (const QString &verb : {u"check"_s, u"run"_s}) {
        const CtlResult result = ctl().run({u"lesson"_s, verb, path});
        QCOMPARE(result.exitCode, 1);
        QVERIFY2(result.err.contains("mine.md:14: there is no session B yet"), result.text());
    }
}

void TestLockctlLesson::aScenarioThatTheLabDoesNotHaveIsRefused()
{
    QFile file(fileWith("```sql A ok\nBEGIN\n```\n"));
    QVERIFY(file.open(QIODevice::ReadWrite));
    const QByteArray text = file.readAll().replace("level: ", "lab: [flash-sale, tea-time]\nlevel: ");
    QVERIFY(file.seek(0) && file.write(text) == text.size() && file.flush());
    const CtlResult result = ctl().run({u"lesson"_s, u"check"_s, file.fileName()});
    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.err.contains("mine.md:5: the lab has these scenarios: flash-sale, "), result.text());
    QVERIFY2(result.err.contains("; not tea-time"), result.text());
    QFile mode(fileWith("```sql A ok\nBEGIN\n```\n"));
    QVERIFY(mode.open(QIODevice::ReadWrite));
    const QByteArray other = mode.readAll().replace("level: ", "lab: [flash-sale/none, flash-sale/tea]\nlevel: ");
    QVERIFY(mode.seek(0) && mode.write(other) == other.size() && mode.flush());
    const CtlResult refused = ctl().run({u"lesson"_s, u"check"_s, mode.fileName()});
    QCOMPARE(refused.exitCode, 1);
    QVERIFY2(refused.err.contains("mine.md:5: the lab has these modes: unique, "), refused.text());
}

void TestLockctlLesson::whatDiffersFromTheFileIsSaid()
{
    const QString path = fileWith("```sql A ok 1\nUPDATE t SET v=1\n```\n```sql A rows (0)\nSELECT v FROM t\n```\n");
    QCOMPARE(ctl().run({u"lesson"_s, u"check"_s, path}).exitCode, 0);
    const CtlResult result = ctl().run({u"lesson"_s, u"run"_s, u"--yes"_s, path});
    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.out.contains("rows (1)") && result.out.contains("EXPECTED rows (0)"), result.text());
}

void TestLockctlLesson::allThatAFileSaysIsTried_data()
{
    QTest::addColumn<QByteArray>("blocks");
    QTest::addColumn<QString>("reason");                              // none: it is right
    const QByteArray step = "```sql A ok 1\nUPDATE t SET v=1\n```\n"; // line 14
    const auto exercise = [&step](const char *solution, const char *check) {
        return step + "```exercise edit 1\nDo.\n```\n```sql solution\n" + solution + "\n```\n```sql check\n" + check
            + "\n```\n";
    };
    QTest::newRow("a step") << QByteArray("```sql A ok 2\nUPDATE t SET v=1\n```\n")
                            << u":14: rr: UPDATE t SET v=1: expected ok 2, seen ok 1"_s;
    QTest::newRow("a solution") << exercise("UPDATE t SET v=2", "SELECT v=3 FROM t")
                                << u":17: rr: the exercise's check is not 1 after its solution"_s;
    QTest::newRow("a check that is always 1")
        << exercise("UPDATE t SET v=2", "SELECT v>0 FROM t") << u":17: rr: the exercise's check is 1 without"_s;
    QTest::newRow("a check that fails") << exercise("UPDATE t SET v=2", "SELECT v FROM u")
                                        << u":17: rr: the exercise's check: "_s;
    QTest::newRow("a goal") << step + "```goal error 1213\nDo.\n\nA\n```\n"
                            << u":17: rr: the goal is not reached by its turns"_s;
    QTest::newRow("all is right") << exercise("UPDATE t SET v=2", "SELECT v=2 FROM t")
            + "```goal no error\nDo.\n\nA\n```\n"
                                  << QString();
}

void TestLockctlLesson::allThatAFileSaysIsTried()
{
    QFETCH(QByteArray, blocks);
    QFETCH(QString, reason);
    const QString path = fileWith(blocks);
    const CtlResult read = ctl().run({u"lesson"_s, u"check"_s, path});
    QCOMPARE(read.exitCode, 0);
    QVERIFY2(read.out.contains("mine.md: 1 step"), read.text());
    const CtlResult result = ctl().run({u"lesson"_s, u"check"_s, u"--play"_s, u"--yes"_s, path});
    QCOMPARE(result.exitCode, reason.isEmpty() ? 0 : 1);
    QCOMPARE(result.out.contains("mine.md: all that it says came true"), reason.isEmpty());
    QVERIFY2(reason.isEmpty() ? result.err.isEmpty() : QString::fromUtf8(result.err).contains(reason), result.text());
    const CtlResult json = ctl().run({u"lesson"_s, u"check"_s, u"--play"_s, u"--yes"_s, u"--json"_s, path});
    QCOMPARE(json.array().size(), reason.isEmpty() ? 0 : 1);
    QCOMPARE(schemas(), 0);
}

int TestLockctlLesson::schemas() const
{
    return m_observer
        ->value("SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name LIKE 'lockscope\\_lesson\\_%'")
        .toInt();
}

void TestLockctlLesson::aRunIsOneDocument()
{
    const CtlResult result = ctl().run({u"lesson"_s, u"run"_s, u"--yes"_s, u"--json"_s, u"no-transaction-no-lock"_s});
    QVERIFY2(result.exitCode == 0, result.text());
    QCOMPARE(result.array().size(), 2); // at each isolation level
    const QJsonObject run = result.array().first().toObject();
    QVERIFY(run.value(u"isAsExpected"_s).toBool());
    const QJsonObject step = run.value(u"steps"_s).toArray().at(3).toObject();
    QCOMPARE(step.value(u"outcome"_s).toString(), u"blocks on B (row)"_s);
    QVERIFY(step.value(u"locks"_s).isArray()); // none that is granted, where the server does not print them
}

void TestLockctlLesson::whatCannotBePlayedIsSaid_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("no such lesson") << QStringList{u"nothing"_s} << 1 << QByteArray("there is no such lesson");
    QTest::newRow("no such file") << QStringList{u"nothing.md"_s} << 1 << QByteArray("nothing.md: it cannot be read");
    QTest::newRow("another isolation") << QStringList{u"ghost-stock"_s, u"--isolation"_s, u"ser"_s} << 64
                                       << QByteArray("not told at ser, but at rr, rc");
    QTest::newRow("no isolation") << QStringList{u"ghost-stock"_s, u"--isolation"_s, u"x"_s} << 64
                                  << QByteArray("isolation");
    const QString large = m_folder.filePath(u"large.md"_s);
    QFile file(large);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(10'000'000, '#')) == 10'000'000);
    QTest::newRow("ten megabytes") << QStringList{large} << 1 << QByteArray("larger than 256 KiB");
}

void TestLockctlLesson::whatCannotBePlayedIsSaid()
{
    QFETCH(QStringList, words);
    QFETCH(int, exitCode);
    QFETCH(QByteArray, says);
    const CtlResult result = ctl().run(QStringList{u"lesson"_s, u"run"_s, u"--yes"_s} + words);
    QCOMPARE(result.exitCode, exitCode);
    QVERIFY2(result.err.contains(says), result.text());
}

void TestLockctlLesson::aNewLessonIsRightAndComesOutAsItSays()
{
    const QString path = m_folder.filePath(u"my-own.md"_s);
    QCOMPARE(ctl().run({u"lesson"_s, u"new"_s, path}).exitCode, 0);
    QCOMPARE(ctl().run({u"lesson"_s, u"check"_s, path}).exitCode, 0);
    const CtlResult result = ctl().run({u"lesson"_s, u"run"_s, u"--yes"_s, path});
    QVERIFY2(result.exitCode == 0 && result.out.contains("as expected"), result.text());
    QVERIFY(ctl().run({u"lesson"_s, u"new"_s}).out.startsWith("---\nid: my-lesson\n"));
}

void TestLockctlLesson::aFileThatIsThereIsNotWrittenOver()
{
    const QString path = fileWith("mine");
    const CtlResult result = ctl().run({u"lesson"_s, u"new"_s, path});
    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.err.contains("cannot be written"), result.text());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly) && file.readAll().endsWith("mine"));
    QCOMPARE(ctl().run({u"lesson"_s, u"new"_s, m_folder.filePath(u"No Name.md"_s)}).exitCode, 64);
}

void TestLockctlLesson::aFullDiskLeavesNoPartOfANewLesson()
{
    const QString path = m_folder.filePath(u"half.md"_s);
    const CtlResult result = ctl().shell(u"trap '' XFSZ; ulimit -f 0; exec \"$0\" lesson new '%1'"_s.arg(path));
    QVERIFY2(result.exitCode == 1 && result.err.contains("cannot be written"), result.text());
    QVERIFY(!QFile::exists(path));
}

void TestLockctlLesson::aLessonIsShownAsItIs()
{
    const CtlResult result = ctl().run({u"lesson"_s, u"show"_s, u"ghost-stock"_s});
    QVERIFY2(result.out.startsWith("---\nid: ghost-stock\n"), result.text());
    const QJsonObject object = ctl().run({u"lesson"_s, u"show"_s, u"--json"_s, u"ghost-stock"_s}).object();
    QCOMPARE(object.value(u"markdown"_s).toString().toUtf8(), result.out);
    QCOMPARE(object.value(u"course"_s).toInt(), 1);
    const CtlResult chinese = ctl().run({u"lesson"_s, u"show"_s, u"--language"_s, u"zh_CN"_s, u"ghost-stock"_s});
    QVERIFY2(chinese.exitCode == 0 && chinese.out != result.out, chinese.text());
}

void TestLockctlLesson::theListFitsIntoANarrowTerminal()
{
    AtTerminal shell({u"/bin/sh"_s, u"-c"_s, u"stty cols 60; exec \"$0\" lesson list"_s, CtlRunner::program()});
    QCOMPARE(shell.exitCode(), 0);
    const QList<QByteArray> lines = shell.seen().split('\n');
    QVERIFY(lines.size() > 90);
    for (const QByteArray &line : lines)
        QVERIFY2(QString::fromUtf8(line.trimmed()).size() <= 60, line.constData());
}

void TestLockctlLesson::aPersonGuessesAndGoesOnStepByStep()
{
    const QString path = fileWith("```predict waiting\nHow many?\n- [ ] none\n- [x] one\n\nThere is one row.\n```\n"
                                  "```sql A ok 1\nUPDATE t SET v=1\n```\n```sql A rows (1)\nSELECT v FROM t\n```\n");
    AtTerminal program(atTerminal({u"run"_s, path}));
    QVERIFY2(program.shows("[y/N]"), program.seen().constData());
    program.type("y\n");
    QVERIFY2(program.shows("b) one") && program.shows("Your guess"), program.seen().constData());
    program.type("b\n");
    QVERIFY2(program.shows("Return plays it"), program.seen().constData());
    QVERIFY(!program.seen().contains("ok 1"));
    program.type("\n");
    QVERIFY2(program.shows("Right: b) one. There is one row."), program.seen().constData());
    QVERIFY2(program.shows("2. A: SELECT v FROM t"), program.seen().constData());
    program.type("q\n");
    QCOMPARE(program.exitCode(), 3);
    QCOMPARE(schemas(), 0);
}

void TestLockctlLesson::controlCEndsTheRunAndLeavesNothing()
{
    const QString path = fileWith("```sql A any\nSELECT SLEEP(1000)\n```\n");
    const auto process = ctl().start({u"lesson"_s, u"run"_s, u"--yes"_s, path});
    QVERIFY(eventually([this] {
        return m_observer
                   ->value("SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE "
                           "'SELECT SLEEP(1000)%'")
                   .toInt()
            == 1;
    }));
    ::kill(pid_t(process->processId()), SIGINT);
    const CtlResult result = CtlRunner::finish(*process);
    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.err.contains("The run was stopped"), result.text());
    QCOMPARE(schemas(), 0);
}

void TestLockctlLesson::anotherServerIsNotUsedUnasked()
{
    const CtlResult result = ctl().run({u"lesson"_s, u"run"_s, u"ghost-stock"_s});
    QCOMPARE(result.exitCode, 3);
    QVERIFY2(result.err.contains("--yes"), result.text());
}

QTEST_GUILESS_MAIN(TestLockctlLesson)
#include "tst_lockctllesson.moc"
