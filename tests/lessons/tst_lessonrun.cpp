// SPDX-License-Identifier: MIT
// What a run of a lesson does on a server, and what it leaves there.
#include "actor.h"
#include "lessonserver.h"

#include "lessons/lessonexpectation.h"
#include "lessons/lessonreader.h"
#include "lessons/lessonrecord.h"

#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

/// "A t.PRIMARY X,REC_NOT_GAP (1)".
QStringList textOf(const LessonLocks &locks, const LessonRun &run)
{
    QStringList lines;
    for (const LessonLock &lock : locks.locks)
        lines += QStringLiteral("%1 %2.%3 %4 (%5)%6")
                     .arg(run.nameOf(lock.connection), lock.table, lock.index, lock.mode, lock.key,
                          lock.isWaiting ? QStringLiteral(" waiting") : QString());
    return lines;
}

} // namespace

class TestLessonRun : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void nothingIsLeftOfARun();
    void anErrorHasTheServersWords();
    void aMistypedTableIsToldAsWhatItIs();
    void theLearnersAccountReachesNothingElse();
    void aPreparedTransactionGoesWithTheRun();
    void aKilledSessionLearnsItFromItsNextStatement();
    void aSessionThatTheNetworkLosesKeepsItsLocks();
    void aFrozenClientSendsNothing();
    void theSharedLockOfWhoOnlyReadsIsSeen();
    void whoWaitsHasAllTheTimeThatAClassNeeds();
    void aLockThatTheServerHidIsMarked();
    void whatWasPlayedIsKeptAsALesson();
    void aServerThatIsLostEndsTheRun();
    void aWaiterEndsWithTheRunWhateverTheLessonDid();
    void whatADeadRunLeftGoesWithTheNext();
    void whatIsLockedIsSeenInTheSameWordsOnBothFamilies();
    void theEntriesOfAnIndexAreThoseThatLocksAreOn();

private:
    static void playsAsExpected(const Lesson &lesson);
    /// Schemas and accounts of runs.
    int leftOvers() const;
};

void TestLessonRun::initTestCase()
{
    EngineTest::initTestCase();
    showLocksOfLessons();
}

void TestLessonRun::playsAsExpected(const Lesson &lesson)
{
    const auto run = startLesson(lesson, lesson.isolations.first());
    for (const LessonStep &step : lesson.steps) {
        const LessonStepResult result = run->play(step);
        QVERIFY2(!result.failure, result.failure ? qPrintable(result.failure->toString()) : "");
        QVERIFY2(agrees(step.expected.at(run->place()), result.outcome),
                 qPrintable(step.toString() + QStringLiteral(": ") + toString(result.outcome)));
    }
}

int TestLessonRun::leftOvers() const
{
    return m_observer
               ->value("SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name LIKE "
                       "'lockscope\\_lesson%'")
               .toInt()
        + m_observer->value("SELECT COUNT(*) FROM mysql.user WHERE user LIKE 'lockscope\\_l\\_%'").toInt();
}

void TestLessonRun::nothingIsLeftOfARun()
{
    const Lesson lesson =
        lessonOf("```sql A ok\nBEGIN\n```\n```sql A rows\nSELECT * FROM t WHERE id=1 FOR UPDATE\n```\n"
                 "```sql B blocks on A\nUPDATE t SET v=1 WHERE id=1\n```\n");
    {
        const auto run = startLesson(lesson);
        for (const LessonStep &step : lesson.steps)
            QVERIFY(!run->play(step).failure);
        QCOMPARE(run->waiting(), QStringList{QStringLiteral("B")});
        QCOMPARE(leftOvers(), 2);
    }
    QCOMPARE(leftOvers(), 0);
}

/// Where Lockscope has no words for an error, the server's.
void TestLessonRun::anErrorHasTheServersWords()
{
    const Lesson lesson = lessonOf("```sql A error 1054\nSELECT nothing FROM (SELECT 1) AS t\n```\n");
    const LessonAnswer answer = startLesson(lesson)->play(lesson.steps[0]).outcome.answer;
    QVERIFY2(answer.serverText.contains(QLatin1String("Unknown column")), qPrintable(answer.serverText));
    QCOMPARE(answer.message, answer.serverText);
}

/// Of the engine's own tables it would mean that they are missing.
void TestLessonRun::aMistypedTableIsToldAsWhatItIs()
{
    const Lesson lesson = lessonOf("```sql A any\nSELECT 1\n```\n", "INSERT INTO gods VALUES(1);");
    LockError error;
    QVERIFY(!LessonRun::start(targetFor(*m_server), lesson, LessonIsolation::RepeatableRead, &error));
    QVERIFY2(error.toString().startsWith("The lesson's setup fails: "_L1), qPrintable(error.toString()));
    QVERIFY2(error.message.contains("gods' doesn't exist"_L1), qPrintable(error.message));
    QVERIFY(!error.toString().contains("lock tables"_L1));
    const auto run = startLesson(lessonOf("```sql A any\nSELECT 1\n```\n"));
    QVERIFY(!run->isOne(u"SELECT 1 FROM gods"_s, &error));
    QVERIFY2(error.message.contains("gods' doesn't exist"_L1), qPrintable(error.message));
}

void TestLessonRun::theLearnersAccountReachesNothingElse()
{
    m_observer->run("CREATE DATABASE IF NOT EXISTS lockscopeXlesson");
    const Lesson lesson = lessonOf("```sql A error 1044\nDROP DATABASE mysql\n```\n"
                                   "```sql A error 1044\nCREATE TABLE lockscopeXlesson.t(i INT)\n```\n"
                                   "```sql A any\nSET GLOBAL max_connections=1\n```\n");
    const auto run = startLesson(lesson);
    const LessonStepResult dropped = run->play(lesson.steps[0]);
    QCOMPARE(dropped.outcome.answer.kind, LessonAnswer::Kind::Error);
    QVERIFY2(dropped.outcome.answer.serverText.contains(QLatin1String("mysql")),
             qPrintable(dropped.outcome.answer.serverText));
    QCOMPARE(run->play(lesson.steps[1]).outcome.answer.kind, LessonAnswer::Kind::Error);
    QCOMPARE(run->play(lesson.steps[2]).outcome.answer.kind, LessonAnswer::Kind::Error);
    QVERIFY(m_observer->value("SELECT COUNT(*) FROM mysql.user").toInt() > 0);
    m_observer->run("DROP DATABASE lockscopeXlesson");
}

/// Its session has gone, and nothing could drop the table that it locks.
void TestLessonRun::aPreparedTransactionGoesWithTheRun()
{
    const Lesson lesson = lessonOf("```sql A ok\nXA START 'left'\n```\n```sql A ok 1\nUPDATE t SET v=1 WHERE id=1\n"
                                   "```\n```sql A ok\nXA END 'left'\n```\n```sql A ok\nXA PREPARE 'left'\n```\n"
                                   "```step A disconnects\n```\n");
    {
        const auto run = startLesson(lesson);
        for (const LessonStep &step : lesson.steps)
            QVERIFY(!run->play(step).failure);
        QCOMPARE(Actor(*m_server).run("XA RECOVER").set(-1).rows.size(), 1);
    }
    QCOMPARE(Actor(*m_server).run("XA RECOVER").set(-1).rows.size(), 0);
    QCOMPARE(leftOvers(), 0);
}

void TestLessonRun::aKilledSessionLearnsItFromItsNextStatement()
{
    const Lesson lesson = lessonOf("```sql A ok\nBEGIN\n```\n```sql A ok 1\nUPDATE t SET v=1 WHERE id=1\n```\n"
                                   "```sql B blocks on A (row)\nUPDATE t SET v=2 WHERE id=1\n```\n"
                                   "```step A is killed; unblocks B: ok 1\n```\n"
                                   "```sql A error\nCOMMIT\n```\n```sql A rows (2)\nSELECT v FROM t WHERE id=1\n```\n");
    playsAsExpected(lesson);
}

void TestLessonRun::aSessionThatTheNetworkLosesKeepsItsLocks()
{
    const Lesson lesson = lessonOf("```sql A ok\nBEGIN\n```\n```sql A ok 1\nUPDATE t SET v=1 WHERE id=1\n```\n"
                                   "```step A is cut off\n```\n"
                                   "```sql A blocks on A (row)\nUPDATE t SET v=2 WHERE id=1\n```\n"
                                   "```step A is cut off\n```\n"
                                   "```sql A ok\nSET SESSION innodb_lock_wait_timeout=1\n```\n"
                                   "```sql A blocks on A (row)\nUPDATE t SET v=3 WHERE id=1\n```\n"
                                   "```step await A; unblocks A: error 1205\n```\n");
    playsAsExpected(lesson);
    QCOMPARE(leftOvers(), 0);
}

void TestLessonRun::aFrozenClientSendsNothing()
{
    const Lesson lesson = lessonOf("```sql A ok\nBEGIN\n```\n```step A freezes\n```\n"
                                   "```sql A not sent\nUPDATE t SET v=1 WHERE id=1\n```\n"
                                   "```sql B ok 1\nUPDATE t SET v=2 WHERE id=1\n```\n"
                                   "```step A goes on\n```\n```sql A ok 1\nUPDATE t SET v=3 WHERE id=1\n```\n");
    playsAsExpected(lesson);
}

/// MariaDB gives a transaction a number when it writes.
void TestLessonRun::theSharedLockOfWhoOnlyReadsIsSeen()
{
    const Lesson lesson = lessonOf("```sql A ok\nBEGIN\n```\n"
                                   "```sql A rows\nSELECT v FROM t WHERE id=1 LOCK IN SHARE MODE\n```\n");
    const auto run = startLesson(lesson);
    run->play(lesson.steps[0]);
    QCOMPARE(textOf(run->play(lesson.steps[1]).locks, *run),
             QStringList{QStringLiteral("A t.PRIMARY S,REC_NOT_GAP (1)")});
}

void TestLessonRun::whoWaitsHasAllTheTimeThatAClassNeeds()
{
    const Lesson lesson =
        lessonOf("```sql A rows (1)\nSELECT @@innodb_lock_wait_timeout >= 600 AND @@lock_wait_timeout >= 600\n```\n"
                 "```sql A ok\nBEGIN\n```\n```sql A ok 0\nUPDATE t SET v=1 WHERE id=99\n```\n");
    playsAsExpected(lesson);
}

/// That of a row which was inserted, until somebody waits for it.
void TestLessonRun::aLockThatTheServerHidIsMarked()
{
    const Lesson lesson = lessonOf("```sql A ok\nBEGIN\n```\n```sql A ok 1\nINSERT INTO t VALUES(7,0)\n```\n"
                                   "```sql B blocks on A\nUPDATE t SET v=1 WHERE id=7\n```\n"
                                   "```sql C rows\nSELECT COUNT(*) FROM t\n```\n"
                                   "```sql A ok; unblocks B: ok 1\nCOMMIT\n```\n");
    const auto run = startLesson(lesson);
    QStringList seen;
    for (const LessonStep &step : lesson.steps) {
        const LessonStepResult result = run->play(step);
        QVERIFY(!result.failure);
        QStringList hidden;
        for (const LessonLock &lock : result.locks.locks) {
            if (lock.wasHidden)
                hidden += run->nameOf(lock.connection) + u' ' + lock.key;
        }
        seen += hidden.join(u',');
    }
    QCOMPARE(seen, (QStringList{{}, {}, QStringLiteral("A 7"), QStringLiteral("A 7"), {}}));
}

/// It is right, and is played the same way again.
void TestLessonRun::whatWasPlayedIsKeptAsALesson()
{
    const Lesson lesson =
        lessonOf("```sql A ok\nBEGIN\n```\n```sql A rows\nSELECT 'a) | b; c', v FROM t WHERE id=1 FOR UPDATE\n```\n"
                 "```sql B any\nUPDATE t SET v=1 WHERE id=1\n```\n```step pause 0.1s\n```\n"
                 "```step A freezes\n```\n```sql A not sent\nCOMMIT\n```\n```step A goes on\n```\n"
                 "```step A is cut off\n```\n```sql A any\nSELECT v\n  FROM t WHERE id=2\n```\n"
                 "```step B is killed\n```\n```sql B any\nCOMMIT\n```\n```sql B any\nSELECT 1/0\n```\n"
                 "```sql B error\nSELECT nothing\n```\n```step B disconnects\n```\n```sql B any\nCOMMIT\n```\n"
                 "```sql C any\nSELECT a.id FROM t a, t b, t c, t d, t e ORDER BY 1\n```\n");
    const auto run = startLesson(lesson, LessonIsolation::ReadCommitted);
    QList<LessonMoment> moments;
    for (const LessonStep &step : lesson.steps) {
        LessonMoment moment;
        moment.step = step;
        moment.result = run->play(step);
        QVERIFY(!moment.result.failure);
        moments += moment;
    }
    const QByteArray file = recordedLesson(lesson, run->place(), moments, QStringLiteral("kept"));
    const auto read = readLesson(file, QStringLiteral("kept"));
    const auto *fault = std::get_if<LessonFault>(&read);
    QVERIFY2(!fault,
             fault
                 ? qPrintable(QStringLiteral("%1: %2\n").arg(fault->line).arg(fault->reason) + QString::fromUtf8(file))
                 : "");
    const Lesson &kept = std::get<Lesson>(read);
    QCOMPARE(kept.steps.size(), lesson.steps.size());
    QCOMPARE(toString(kept.steps[2].expected), QStringLiteral("blocks on A (row)"));
    QCOMPARE(kept.steps.constLast().expected.outcome.answer.rows.value_or(QStringList()).size(), 32);
    QVERIFY(kept.isolations == QList{LessonIsolation::ReadCommitted});
    playsAsExpected(kept);
}

void TestLessonRun::aServerThatIsLostEndsTheRun()
{
    const Lesson lesson = lessonOf("```sql A ok\nBEGIN\n```\n```sql A ok 1\nUPDATE t SET v=1 WHERE id=1\n```\n"
                                   "```sql B blocks on A\nUPDATE t SET v=1 WHERE id=1\n```\n"
                                   "```sql A ok; unblocks B\nCOMMIT\n```\n```sql C ok\nBEGIN\n```\n");
    {
        const auto run = startLesson(lesson);
        for (const LessonStep &step : lesson.steps.first(3))
            QVERIFY(!run->play(step).failure);
        m_observer.reset();
        TestServer::instance().restart();
        const LessonStepResult result = run->play(lesson.steps[3]);
        QVERIFY(result.failure);
        QVERIFY2(result.failure->connectionGone, qPrintable(result.failure->toString()));
        TestServer::instance().stop();
        for (const LessonStep &step : {lesson.steps[4], lesson.steps[4]}) // C never comes to be
            QVERIFY(run->play(step).failure);
        TestServer::instance().start();
    }
    m_observer = std::make_unique<Observer>(*m_server);
    QCOMPARE(leftOvers(), 0);
}

/// A session that logged in only then to end the others could not: a lesson may change its account's password.
void TestLessonRun::aWaiterEndsWithTheRunWhateverTheLessonDid()
{
    const bool isMySql = m_server->family() == Family::MySql;
    const QByteArray password = isMySql ? "SET PASSWORD = 'Ls-2xyz'" : "SET PASSWORD = PASSWORD('Ls-2xyz')";
    const Lesson lesson = lessonOf("```sql B ok\nBEGIN\n```\n```sql B ok 1\nUPDATE t SET v=1 WHERE id=1\n```\n"
                                   "```sql A blocks on B\nUPDATE t SET v=1 WHERE id=1\n```\n"
                                   "```sql C ok\n"
                                   + password + "\n```\n");
    {
        const auto run = startLesson(lesson);
        for (const LessonStep &step : lesson.steps)
            QVERIFY(!run->play(step).failure);
        QCOMPARE(run->waiting(), QStringList{QStringLiteral("A")});
    }
    QCOMPARE(leftOvers(), 0);
}

void TestLessonRun::whatADeadRunLeftGoesWithTheNext()
{
    const auto make = [this](const QByteArray &run) {
        m_observer->run("CREATE USER lockscope_l_" + run + "@localhost IDENTIFIED BY 'secret'");
        m_observer->run("CREATE DATABASE lockscope_lesson_" + run);
    };
    make("0123456789abcdef");
    make("00000000deadbeef");
    make("00000000DEADBEEF00");
    Actor alive(*m_server);
    alive.run("SELECT GET_LOCK('lockscope_lesson_00000000deadbeef', 0)");
    QCOMPARE(leftOvers(), 6);
    startLesson(lessonOf("```sql A any\nSELECT 1\n```\n"));
    QCOMPARE(leftOvers(), 4); // of one that lives, and what no run would call so
    for (const QByteArray &run : {QByteArray("00000000deadbeef"), QByteArray("00000000DEADBEEF00")}) {
        m_observer->run("DROP DATABASE lockscope_lesson_" + run);
        m_observer->run("DROP USER lockscope_l_" + run + "@localhost");
    }
}

void TestLessonRun::whatIsLockedIsSeenInTheSameWordsOnBothFamilies()
{
    const Lesson lesson = lessonOf("```sql A ok\nBEGIN\n```\n"
                                   "```sql A rows (2)\nSELECT id FROM t WHERE k=20 FOR UPDATE\n```\n"
                                   "```sql A rows none\nSELECT id FROM t WHERE id=77 FOR UPDATE\n```\n"
                                   "```sql B blocks on A (row)\nINSERT INTO t VALUES(-3,15,'b')\n```\n",
                                   "CREATE TABLE t(id INT PRIMARY KEY, k INT, n VARCHAR(9), KEY k(k));\n"
                                   "INSERT INTO t VALUES(1,10,'a'),(2,20,'b'),(3,NULL,'c');");
    const auto run = startLesson(lesson);
    LessonStepResult result;
    for (const LessonStep &step : lesson.steps) {
        result = run->play(step);
        QVERIFY2(!result.failure, result.failure ? qPrintable(result.failure->toString()) : "");
        QVERIFY2(agrees(step.expected.at(run->place()), result.outcome), qPrintable(toString(result.outcome)));
    }
    QCOMPARE(textOf(result.locks, *run),
             (QStringList{QStringLiteral("A t.PRIMARY X,REC_NOT_GAP (2)"),
                          QStringLiteral("A t.PRIMARY X (supremum pseudo-record)"), QStringLiteral("A t.k X (20, 2)"),
                          QStringLiteral("B t.k X,GAP,INSERT_INTENTION (20, 2) waiting"),
                          QStringLiteral("A t.k X (supremum pseudo-record)")}));
}

/// Each row lock is on an entry that is told, or at the end.
void TestLessonRun::theEntriesOfAnIndexAreThoseThatLocksAreOn()
{
    const Lesson lesson =
        lessonOf("```sql A ok\nBEGIN\n```\n```sql A ok 1\nINSERT INTO t(id,k,n) VALUES(-3,15,'b')\n```\n"
                 "```sql A rows\nSELECT * FROM t WHERE k>=10 FOR UPDATE\n```\n"
                 "```sql A ok\nCOMMIT\n```\n```sql A ok\nLOCK TABLES t WRITE\n```\n",
                 "CREATE TABLE t(id INT PRIMARY KEY, k INT, n VARCHAR(9), KEY k(k), KEY n(n), d DATE, KEY d(d));\n"
                 "INSERT INTO t(id,k,n) VALUES(1,10,'a'),(2,20,'b''c'),(3,NULL,'c');");
    const auto run = startLesson(lesson);
    LessonStepResult result;
    for (const LessonStep &step : lesson.steps.first(3))
        result = run->play(step);
    QCOMPARE(result.entries,
             (QList<LessonEntries>{
                 {QStringLiteral("t"), QStringLiteral("PRIMARY"), {u"-3"_s, u"1"_s, u"2"_s, u"3"_s}, false},
                 {QStringLiteral("t"), QStringLiteral("k"), {u"NULL, 3"_s, u"10, 1"_s, u"15, -3"_s, u"20, 2"_s}, false},
                 {QStringLiteral("t"),
                  QStringLiteral("n"),
                  {u"'a', 1"_s, u"'b', -3"_s, u"'b''c', 2"_s, u"'c', 3"_s},
                  false}}));
    QVERIFY(!result.locks.locks.isEmpty());
    for (const LessonLock &lock : std::as_const(result.locks.locks)) {
        const auto isOfIt = [&lock](const LessonEntries &of) {
            return of.index == lock.index && (lock.isAtEnd() || of.keys.contains(lock.key));
        };
        QVERIFY2(std::ranges::any_of(result.entries, isOfIt), qPrintable(lock.index + u' ' + lock.key));
    }
    QVERIFY(!run->play(lesson.steps[3]).failure);
    const LessonStepResult locked = run->play(lesson.steps[4]);
    QVERIFY(!locked.failure && locked.entries.isEmpty()); // and nobody waits for ever
}

QTEST_GUILESS_MAIN(TestLessonRun)
#include "tst_lessonrun.moc"
