// SPDX-License-Identifier: MIT
// The order in which a lesson is played: its own, or one that a learner chooses.
#include "lessons/lessonscript.h"

#include <QtTest/QTest>

using namespace lockscope;

namespace {

LessonStep statement(const char *session, const char *sql)
{
    LessonStep step;
    step.session = QLatin1String(session);
    step.sql = QLatin1String(sql);
    return step;
}

/// A1 B1 A2 B2.
Lesson twoSessions()
{
    Lesson lesson;
    lesson.steps = {statement("A", "1"), statement("B", "1"), statement("A", "2"), statement("B", "2")};
    return lesson;
}

QString orderOf(const LessonScript &script)
{
    QStringList words;
    for (const LessonStep &step : script.chosen())
        words += step.session + step.sql;
    return words.join(u' ');
}

LessonOutcome outcome(LessonAnswer::Kind kind, int error = 0)
{
    LessonAnswer answer{kind};
    answer.error = error;
    return {answer, {}};
}

} // namespace

class TestLessonScript : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theLessonsOrderIsTakenWhileNobodyChooses();
    void aSessionsStatementsStayInTheirOrder();
    void outOfOrderWhoWaitsIsPassedOver();
    void statementsOfOnesOwnLeaveTheLessonsForLater();
    void keepingTheFirstGivesTheRestBack();
    void theOtherOrderTurnsTheSessionsRound();
    void aGoalIsReachedByWhatWasSeen_data();
    void aGoalIsReachedByWhatWasSeen();
};

void TestLessonScript::theLessonsOrderIsTakenWhileNobodyChooses()
{
    LessonScript script(twoSessions());
    QVERIFY(script.takeNext());
    QVERIFY(script.takeNext({QStringLiteral("B")})); // the lesson knows that it waits, and what comes of it
    QVERIFY(script.isInOrder());
    QCOMPARE(orderOf(script), QStringLiteral("A1 B1"));
    QVERIFY(script.takeNext() && script.takeNext());
    QVERIFY(!script.takeNext());
    QVERIFY(script.left().isEmpty());
}

void TestLessonScript::aSessionsStatementsStayInTheirOrder()
{
    LessonScript script(twoSessions());
    QVERIFY(script.take(QStringLiteral("B")));
    QVERIFY(!script.isInOrder());
    QVERIFY(script.take(QStringLiteral("B")));
    QVERIFY(!script.take(QStringLiteral("B")));
    QVERIFY(!script.nextOf(QStringLiteral("B")));
    QVERIFY(!script.take(QStringLiteral("X")));
    QCOMPARE(script.nextOf(QStringLiteral("A"))->sql, QStringLiteral("1"));
    QCOMPARE(orderOf(script), QStringLiteral("B1 B2"));
}

void TestLessonScript::outOfOrderWhoWaitsIsPassedOver()
{
    LessonScript script(twoSessions());
    QVERIFY(script.take(QStringLiteral("B")));
    QVERIFY(script.takeNext({QStringLiteral("A")}));
    QCOMPARE(orderOf(script), QStringLiteral("B1 B2"));
    QVERIFY(!script.takeNext({QStringLiteral("A")}));
    QVERIFY(script.takeNext());
    QCOMPARE(orderOf(script), QStringLiteral("B1 B2 A1"));
}

void TestLessonScript::statementsOfOnesOwnLeaveTheLessonsForLater()
{
    LessonScript script(twoSessions());
    QVERIFY(script.takeNext());
    script.add(statement("C", "look"));
    QVERIFY(!script.isInOrder());
    QVERIFY(script.isInOrderUntil(0));
    QVERIFY(!script.isInOrderUntil(1));
    QCOMPARE(script.left().size(), 3);
    QVERIFY(script.takeNext());
    QCOMPARE(orderOf(script), QStringLiteral("A1 Clook B1"));
}

void TestLessonScript::keepingTheFirstGivesTheRestBack()
{
    LessonScript script(twoSessions());
    QVERIFY(script.takeNext() && script.take(QStringLiteral("A")) && script.takeNext());
    script.keep(1);
    QVERIFY(script.isInOrder());
    QCOMPARE(script.left().size(), 3);
    script.keep(7);
    QCOMPARE(orderOf(script), QStringLiteral("A1"));
}

void TestLessonScript::theOtherOrderTurnsTheSessionsRound()
{
    QStringList turns = LessonScript::otherOrder(twoSessions());
    QCOMPARE(turns.join(u' '), QStringLiteral("B A B A"));
    LessonScript script(twoSessions());
    QVERIFY(script.takeTurn(&turns, {}) && script.takeTurn(&turns, {QStringLiteral("A")}));
    QVERIFY(!script.takeTurn(&turns, {QStringLiteral("A")}));
    QVERIFY(script.takeTurn(&turns, {}) && script.takeTurn(&turns, {}));
    QCOMPARE(orderOf(script), QStringLiteral("B1 B2 A1 A2"));
}

void TestLessonScript::aGoalIsReachedByWhatWasSeen_data()
{
    using Kind = LessonAnswer::Kind;
    QTest::addColumn<int>("kind");
    QTest::addColumn<QList<LessonOutcome>>("seen");
    QTest::addColumn<bool>("isAllPlayed");
    QTest::addColumn<bool>("isReached");
    const auto freed = [](int error) {
        LessonOutcome one = outcome(Kind::Ok);
        one.freed = {{{QStringLiteral("B")}, outcome(Kind::Error, error).answer}};
        return one;
    };
    const int error = int(LessonGoal::Kind::Error);
    const int noError = int(LessonGoal::Kind::NoError);
    QTest::newRow("the error") << error << QList{outcome(Kind::Error, 1213)} << false << true;
    QTest::newRow("of who had waited") << error << QList{freed(1213)} << false << true;
    QTest::newRow("another error") << error << QList{outcome(Kind::Error, 1205)} << true << false;
    QTest::newRow("no error, all played") << noError << QList{outcome(Kind::Ok)} << true << true;
    QTest::newRow("no error, not all") << noError << QList{outcome(Kind::Ok)} << false << false;
    QTest::newRow("an error on the way") << noError << QList{freed(1205), outcome(Kind::Ok)} << true << false;
    QTest::newRow("a check is asked") << int(LessonGoal::Kind::Check) << QList{outcome(Kind::Ok)} << true << false;
}

void TestLessonScript::aGoalIsReachedByWhatWasSeen()
{
    QFETCH(int, kind);
    QFETCH(QList<LessonOutcome>, seen);
    QFETCH(bool, isAllPlayed);
    LessonGoal goal;
    goal.kind = LessonGoal::Kind(kind);
    goal.error = 1213;
    QTEST(lockscope::isReached(goal, seen, isAllPlayed), "isReached");
}

QTEST_GUILESS_MAIN(TestLessonScript)
#include "tst_lessonscript.moc"
