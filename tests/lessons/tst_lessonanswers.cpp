// SPDX-License-Identifier: MIT
// What a session of a lesson may ask, one statement a step, what is kept of a large answer, and what ends one that does
// not come.
#include "actor.h"
#include "lessonserver.h"

#include "lessons/lessonexpectation.h"

#include <QtCore/QFile>
#include <QtCore/QRegularExpression>
#include <QtTest/QTest>

#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;
using Kind = LessonAnswer::Kind;

namespace {

/// Ten rows, of which six together make a million.
const QByteArray kDigits =
    "CREATE TABLE t(id INT PRIMARY KEY, v INT);\nINSERT INTO t VALUES(1,0),(2,0);\n"
    "CREATE TABLE d(n INT PRIMARY KEY);\n"
    "INSERT INTO d VALUES(0),(1),(2),(3),(4),(5),(6),(7),(8),(9);\n"
    "CREATE PROCEDURE p() BEGIN SELECT id FROM t ORDER BY id; SELECT 'x'; UPDATE t SET v=7; END;";
const QByteArray kMillion = "FROM d a, d b, d c, d d, d e, d f";

QByteArray step(const QByteArray &sql)
{
    return "```sql A any\n" + sql + "\n```\n";
}

/// Of this process, in KiB, since the last call of forgetPeak().
qint64 peakMemory()
{
    QFile file(u"/proc/self/status"_s);
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    static const QRegularExpression pattern(u"VmHWM:\\s+(\\d+)"_s);
    return pattern.match(QString::fromLatin1(file.readAll())).captured(1).toLongLong();
}

void forgetPeak()
{
    QFile file(u"/proc/self/clear_refs"_s);
    if (file.open(QIODevice::WriteOnly))
        file.write("5");
}

/// Once a statement sleeps.
std::jthread stopSleeper(const std::stop_source &source)
{
    return std::jthread([source](const std::stop_token &isOver) {
        Actor other(TestServer::instance());
        const QByteArray sleepers =
            "SELECT COUNT(*) FROM information_schema.processlist WHERE info='SELECT SLEEP(1000)'";
        while (other.run(sleepers).value().toInt() == 0 && !isOver.stop_requested())
            std::this_thread::yield();
        source.request_stop();
    });
}

} // namespace

class TestLessonAnswers : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aStepIsOneStatement_data();
    void aStepIsOneStatement();
    void aProcedureAnswersWithTheRowsOfAllItsResults();
    void aMillionRowsAreCounted();
    void anAnswerThatIsTooLargeEndsItsSessionAlone();
    void anEndlessStatementIsEnded();
    void anAnswerThatNeverComesIsNotAwaitedForEver();
    void aRunThatIsStoppedEnds();
    void theSetupEndsAtAStop();
    void theQuestionWhetherItIsSolvedEndsAtAStop();
    void aCheckIsBoundedToo();
    void noFileOfThisMachineIsRead();
    void noEventOutlivesARun();
};

void TestLessonAnswers::initTestCase()
{
    EngineTest::initTestCase();
    showLocksOfLessons();
}

void TestLessonAnswers::aStepIsOneStatement_data()
{
    QTest::addColumn<QByteArray>("sql");
    QTest::addColumn<bool>("isOne");
    QTest::newRow("two") << QByteArray("UPDATE t SET v=1; DELETE FROM t") << false;
    QTest::newRow("the same twice") << QByteArray("UPDATE t SET v=1; UPDATE t SET v=1;") << false;
    QTest::newRow("two lines") << QByteArray("UPDATE t SET v=1;\nDELETE FROM t") << false;
    QTest::newRow("a semicolon in a text") << QByteArray("UPDATE t SET v=LENGTH('a;b') WHERE '; DELETE' <> ''") << true;
    QTest::newRow("a comment behind it") << QByteArray("UPDATE t SET v=3 -- ; DELETE FROM t") << true;
}

void TestLessonAnswers::aStepIsOneStatement()
{
    QFETCH(QByteArray, sql);
    QFETCH(bool, isOne);
    const Lesson lesson = lessonOf(step(sql) + step("SELECT COUNT(*), MAX(v) FROM t"), kDigits);
    const auto run = startLesson(lesson);
    const LessonAnswer answer = run->play(lesson.steps[0]).outcome.answer;
    const LessonAnswer left = run->play(lesson.steps[1]).outcome.answer;
    if (isOne) {
        QCOMPARE(answer.kind, Kind::Ok);
        QCOMPARE(left.rows, QStringList{u"2, 3"_s});
        return;
    }
    QCOMPARE(answer.error, 1064);
    QVERIFY2(answer.message.contains("A step is one statement"_L1), qPrintable(answer.message));
    QCOMPARE(left.rows, QStringList{u"2, 0"_s});
}

void TestLessonAnswers::aProcedureAnswersWithTheRowsOfAllItsResults()
{
    const Lesson lesson = lessonOf("```sql A rows (1) (2) (x)\nCALL p()\n```\n"
                                   "```sql A rows (7)\nSELECT v FROM t WHERE id=1\n```\n",
                                   kDigits);
    const auto run = startLesson(lesson);
    for (const LessonStep &each : lesson.steps) {
        const LessonOutcome outcome = run->play(each).outcome;
        QVERIFY2(agrees(each.expected.outcome, outcome), qPrintable(toString(outcome)));
    }
}

void TestLessonAnswers::aMillionRowsAreCounted()
{
    const Lesson lesson = lessonOf(step("SELECT 123456 " + kMillion), kDigits);
    const auto run = startLesson(lesson);
    const qint64 before = peakMemory();
    forgetPeak();
    const LessonAnswer answer = run->play(lesson.steps[0]).outcome.answer;
    const qint64 grown = peakMemory() - before;
    qInfo("a million rows: %lld MiB more at the most", grown / 1024);
    QCOMPARE(answer.rows->size(), 100);
    QCOMPARE(answer.moreRows, 999'900);
    const QString said = toString(answer);
    QVERIFY2(said.startsWith("rows (123456) (123456)"_L1) && said.endsWith("1,000,000 rows, the first 20 shown"_L1),
             qPrintable(said));
    QCOMPARE(said.count("123456"_L1), 20);
    QVERIFY2(grown < 200LL * 1024, qPrintable(QString::number(grown)));
}

/// Who waits for it goes on in the same step.
void TestLessonAnswers::anAnswerThatIsTooLargeEndsItsSessionAlone()
{
    const Lesson lesson = lessonOf("```sql A ok\nBEGIN\n```\n```sql A ok 1\nUPDATE t SET v=1 WHERE id=1\n```\n"
                                   "```sql B blocks on A (row)\nUPDATE t SET v=v+2 WHERE id=1\n```\n"
                                   "```sql A error 2013; unblocks B: ok 1\nSELECT REPEAT('x', 100) "
                                       + kMillion + "\n```\n```sql A rows (2)\nSELECT v FROM t WHERE id=1\n```\n",
                                   kDigits);
    const auto run = startLesson(lesson);
    for (const LessonStep &each : lesson.steps) {
        const LessonStepResult result = run->play(each);
        QVERIFY2(!result.failure, result.failure ? qPrintable(result.failure->toString()) : "");
        QVERIFY2(agrees(each.expected.outcome, result.outcome), qPrintable(toString(result.outcome)));
        const QString &said = result.outcome.answer.message;
        QVERIFY2(result.outcome.answer.error == 0 || said.contains("larger than 16 MiB"_L1), qPrintable(said));
    }
}

void TestLessonAnswers::aCheckIsBoundedToo()
{
    const auto run = startLesson(lessonOf(step("SELECT 1"), kDigits));
    LockError error;
    QVERIFY(!run->isOne(u"SELECT REPEAT('x', 100) "_s + QString::fromLatin1(kMillion), &error));
    QVERIFY2(error.message.contains("larger than 16 MiB"_L1), qPrintable(error.message));
    QVERIFY(!run->isOne(u"SELECT 1; DELETE FROM t"_s, &error));
    QCOMPARE(error.code, 1064);
    QCOMPARE(run->isOne(u"SELECT COUNT(*)=2 FROM t"_s, &error), true);
}

/// A server may ask for any file while such a statement runs.
void TestLessonAnswers::noFileOfThisMachineIsRead()
{
    const Lesson lesson =
        lessonOf(step("LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE t") + step("SELECT COUNT(*) FROM t"), kDigits);
    const auto run = startLesson(lesson);
    QCOMPARE(run->play(lesson.steps[0]).outcome.answer.kind, Kind::Error);
    QCOMPARE(run->play(lesson.steps[1]).outcome.answer.rows, QStringList{u"2"_s});
}

void TestLessonAnswers::noEventOutlivesARun()
{
    const Lesson lesson = lessonOf(step("CREATE EVENT e ON SCHEDULE EVERY 1 SECOND DO DELETE FROM t"), kDigits);
    QCOMPARE(startLesson(lesson)->play(lesson.steps[0]).outcome.answer.error, 1044);
}

void TestLessonAnswers::anEndlessStatementIsEnded()
{
    const Lesson lesson = lessonOf("```sql A any\nSELECT SLEEP(1000)\n```\n");
    const auto run = startLesson(lesson);
    run->setStatementLimit(std::chrono::seconds(1));
    const LessonStepResult result = run->play(lesson.steps[0]);
    QVERIFY(result.failure);
    QVERIFY2(result.failure->message.contains(QLatin1String("A's statement")), qPrintable(result.failure->message));
}

void TestLessonAnswers::anAnswerThatNeverComesIsNotAwaitedForEver()
{
    const Lesson lesson = lessonOf("```sql A ok\nBEGIN\n```\n```sql A ok 1\nUPDATE t SET v=1 WHERE id=1\n```\n"
                                   "```sql B blocks on A\nUPDATE t SET v=1 WHERE id=1\n```\n"
                                   "```step await B; unblocks B: ok\n```\n");
    const auto run = startLesson(lesson);
    run->setStatementLimit(std::chrono::seconds(1));
    for (const LessonStep &step : lesson.steps.first(3))
        QVERIFY(!run->play(step).failure);
    const LessonStepResult result = run->play(lesson.steps[3]);
    QVERIFY(result.failure);
    QVERIFY2(result.failure->message.contains(QLatin1String("B, which waits")), qPrintable(result.failure->message));
}

void TestLessonAnswers::aRunThatIsStoppedEnds()
{
    const Lesson lesson = lessonOf("```sql A any\nSELECT SLEEP(1000)\n```\n```step pause 10s\n```\n");
    std::stop_source source;
    const auto run = startLesson(lesson, LessonIsolation::RepeatableRead, {source.get_token(), {}});
    const std::jthread stopping = stopSleeper(source);
    for (const LessonStep &step : lesson.steps) {
        const LessonStepResult result = run->play(step);
        QVERIFY(result.failure && result.failure->message.contains(QLatin1String("stopped")));
    }
}

/// Its limit of a minute ends it too, with another error.
void TestLessonAnswers::theSetupEndsAtAStop()
{
    const Lesson lesson = lessonOf("```sql A any\nSELECT 1\n```\n", "SELECT SLEEP(1000);");
    std::stop_source source;
    const std::jthread stopping = stopSleeper(source);
    LockError error;
    QVERIFY(!LessonRun::start(targetFor(*m_server), lesson, LessonIsolation::RepeatableRead, &error,
                              {source.get_token(), {}}));
    QCOMPARE(error.toString(), u"The run was stopped."_s);
    QCOMPARE(m_observer->value("SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name LIKE "
                               "'lockscope\\_lesson%'"),
             0);
}

void TestLessonAnswers::theQuestionWhetherItIsSolvedEndsAtAStop()
{
    std::stop_source source;
    const auto run = startLesson(lessonOf("```sql A any\nSELECT 1\n```\n"), LessonIsolation::RepeatableRead,
                                 {source.get_token(), {}});
    const std::jthread stopping = stopSleeper(source);
    LockError error;
    QVERIFY(!run->isOne(u"SELECT SLEEP(1000)"_s, &error));
    QCOMPARE(error.toString(), u"The run was stopped."_s);
}

QTEST_GUILESS_MAIN(TestLessonAnswers)
#include "tst_lessonanswers.moc"
