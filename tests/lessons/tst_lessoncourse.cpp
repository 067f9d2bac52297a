// SPDX-License-Identifier: MIT
// Each lesson of the course is played on the server and comes out as its file says; each exercise is solved by its
// solution. LOCKSCOPE_LESSONS=all plays the whole library, LOCKSCOPE_LESSON_RUNS=20 plays each so
// often, LOCKSCOPE_LESSON_PART=2/4 every fourth from the second on.
#include "lessonserver.h"

#include "lessons/lessonexpectation.h"
#include "lessons/lessonlibrary.h"
#include "lessons/lessonscript.h"

#include <QtTest/QTest>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::test;

namespace {

struct Part
{
    int number = 1;
    int of = 1;

    static Part fromEnvironment()
    {
        const QString text = qEnvironmentVariable("LOCKSCOPE_LESSON_PART", QStringLiteral("1/1"));
        const Part part{text.section(u'/', 0, 0).toInt(), text.section(u'/', 1).toInt()};
        if (part.number < 1 || part.of < part.number)
            qFatal("LOCKSCOPE_LESSON_PART is written as 2/4");
        return part;
    }
};

/// Those that are played here.
QList<Lesson> lessonsHere()
{
    const bool isAll = qEnvironmentVariable("LOCKSCOPE_LESSONS") == u"all";
    QList<Lesson> lessons;
    for (const QString &id : lessonIds()) {
        const auto lesson = std::get<Lesson>(libraryLesson(id));
        if ((isAll || lesson.course > 0) && lesson.families.contains(TestServer::instance().family()))
            lessons += lesson;
    }
    return lessons;
}

/// Whether the next row is of this part.
class Turn
{
public:
    bool isOurs() { return m_count++ % m_part.of == m_part.number - 1; }

private:
    const Part m_part = Part::fromEnvironment();
    int m_count = 0;
};

void tell(const char *what, QList<Microseconds> *times)
{
    const auto milliseconds = [](Microseconds time) { return double(time.count()) / 1000; };
    std::sort(times->begin(), times->end());
    if (!times->isEmpty())
        qInfo("%s: median %.1f ms, 95 %% %.1f ms, longest %.1f ms of %lld", what,
              milliseconds(times->at(times->size() / 2)), milliseconds(times->at(times->size() * 95 / 100)),
              milliseconds(times->back()), qlonglong(times->size()));
}

} // namespace

class TestLessonCourse : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void eachLessonComesOutAsItSays_data();
    void eachLessonComesOutAsItSays();
    void eachExerciseHasASolution_data();
    void eachExerciseHasASolution();
    void eachGoalIsReachedByItsTurns_data();
    void eachGoalIsReachedByItsTurns();
    void cleanupTestCase();

private:
    QString play(const Lesson &lesson, LessonIsolation isolation);
    std::optional<bool> isSolved(const Lesson &lesson, const LessonExercise &exercise, LessonIsolation isolation);

    int m_runs = 0;
    int m_differing = 0;
    QList<Microseconds> m_starts;
    QList<Microseconds> m_steps;
    QList<Microseconds> m_waits; ///< of the steps, those after which somebody waits
};

void TestLessonCourse::initTestCase()
{
    EngineTest::initTestCase();
    showLocksOfLessons();
}

/// Where it differs from its file; empty: nowhere.
QString TestLessonCourse::play(const Lesson &lesson, LessonIsolation isolation)
{
    const auto beginning = std::chrono::steady_clock::now();
    const auto run = startLesson(lesson, isolation);
    m_starts += std::chrono::duration_cast<Microseconds>(std::chrono::steady_clock::now() - beginning);
    for (const LessonStep &step : lesson.steps) {
        const LessonStepResult result = run->play(step);
        if (result.failure)
            return QStringLiteral("line %1: %2").arg(step.line).arg(result.failure->toString());
        if (step.kind == LessonStep::Kind::Statement)
            (run->waiting().isEmpty() ? m_steps : m_waits).append(result.took);
        const LessonOutcome &expected = step.expected.at(run->place());
        if (!agrees(expected, result.outcome))
            return QStringLiteral("line %1: %2\n  expected %3\n  seen     %4")
                .arg(step.line)
                .arg(step.toString(), toString(expected), toString(result.outcome));
    }
    return {};
}

void TestLessonCourse::eachLessonComesOutAsItSays_data()
{
    QTest::addColumn<Lesson>("lesson");
    QTest::addColumn<LessonIsolation>("isolation");
    Turn turn;
    for (const Lesson &lesson : lessonsHere()) {
        for (const LessonIsolation isolation : lesson.isolations) {
            if (turn.isOurs())
                QTest::addRow("%s, %s", qPrintable(lesson.id), qPrintable(toString(isolation))) << lesson << isolation;
        }
    }
}

void TestLessonCourse::eachLessonComesOutAsItSays()
{
    QFETCH(Lesson, lesson);
    QFETCH(LessonIsolation, isolation);
    QStringList differences;
    for (int runs = std::max(1, qEnvironmentVariableIntValue("LOCKSCOPE_LESSON_RUNS")); runs > 0; --runs) {
        const QString difference = play(lesson, isolation);
        ++m_runs;
        if (difference.isEmpty())
            continue;
        ++m_differing;
        differences += difference;
    }
    QVERIFY2(differences.isEmpty(), qPrintable(differences.join(u'\n')));
}

/// Played to its end, whatever comes of it.
std::optional<bool> TestLessonCourse::isSolved(const Lesson &lesson, const LessonExercise &exercise,
                                               LessonIsolation isolation)
{
    const auto run = startLesson(lesson, isolation);
    for (const LessonStep &step : lesson.steps) {
        if (run->play(step).failure)
            return std::nullopt;
    }
    LockError error;
    return run->isOne(exercise.check, &error);
}

void TestLessonCourse::eachExerciseHasASolution_data()
{
    QTest::addColumn<Lesson>("lesson");
    Turn turn;
    for (const Lesson &lesson : lessonsHere()) {
        if (!lesson.exercises.isEmpty() && turn.isOurs())
            QTest::newRow(qPrintable(lesson.id)) << lesson;
    }
}

/// Everywhere; and there is something to solve, though not everywhere: MariaDB's snapshot isolation, the default from
/// 11.6 on, refuses some of what goes wrong.
void TestLessonCourse::eachExerciseHasASolution()
{
    QFETCH(Lesson, lesson);
    for (const LessonExercise &exercise : lesson.exercises) {
        Lesson edited = lesson;
        edited.steps[exercise.step].sql = exercise.solution;
        bool isAlwaysSolved = true;
        for (const LessonIsolation isolation : lesson.isolations) {
            QCOMPARE(isSolved(edited, exercise, isolation), true);
            isAlwaysSolved = isAlwaysSolved && isSolved(lesson, exercise, isolation) == true;
        }
        QVERIFY2(!isAlwaysSolved, "it is solved as it stands");
    }
}

void TestLessonCourse::eachGoalIsReachedByItsTurns_data()
{
    QTest::addColumn<Lesson>("lesson");
    Turn turn;
    for (const Lesson &lesson : lessonsHere()) {
        if (!lesson.goals.isEmpty() && turn.isOurs())
            QTest::newRow(qPrintable(lesson.id)) << lesson;
    }
    QTest::newRow("none, where this part has none") << Lesson(); // a table without rows is an error
}

/// At each isolation level; each turn's statement is sent.
void TestLessonCourse::eachGoalIsReachedByItsTurns()
{
    QFETCH(Lesson, lesson);
    for (const LessonGoal &goal : lesson.goals) {
        for (const LessonIsolation isolation : lesson.isolations) {
            const auto run = startLesson(lesson, isolation);
            LessonScript script(lesson);
            QList<LessonOutcome> seen;
            for (const QString &session : goal.order) {
                QVERIFY(script.take(session));
                const LessonStepResult result = run->play(script.chosen().constLast());
                QVERIFY(!result.failure);
                QVERIFY2(result.outcome.answer.kind != LessonAnswer::Kind::NotSent,
                         qPrintable(session + QStringLiteral(" waits: ") + goal.text));
                seen += result.outcome;
            }
            const bool isAllPlayed = script.left().isEmpty() && run->waiting().isEmpty();
            LockError error;
            const bool reached = goal.kind == LessonGoal::Kind::Check
                ? isAllPlayed && run->isOne(goal.check, &error) == true
                : isReached(goal, seen, isAllPlayed);
            QVERIFY2(reached, qPrintable(toString(isolation) + QStringLiteral(": ") + goal.text));
        }
    }
}

void TestLessonCourse::cleanupTestCase()
{
    qInfo("%d of %d runs differed", m_differing, m_runs);
    tell("a beginning", &m_starts);
    tell("a step", &m_steps);
    tell("a step after which somebody waits", &m_waits);
}

QTEST_GUILESS_MAIN(TestLessonCourse)
#include "tst_lessoncourse.moc"
