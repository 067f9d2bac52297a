// SPDX-License-Identifier: MIT
// Each lesson of the course is played on the server and comes out as its file says; each exercise is solved by its
// solution. LOCKSCOPE_LESSONS=all plays the whole library, LOCKSCOPE_LESSON_RUNS=20 plays each so
// often, LOCKSCOPE_LESSON_PART=2/4 every fourth from the second on.
#include "lessonserver.h"

#include "lessons/lessonlibrary.h"
#include "lessons/lessonproof.h"

#include <QtTest/QTest>

#include <algorithm>
#include <functional>

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
    QString differences(const std::function<void(LessonProof &)> &tried);

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

/// Where it differed from its file; empty: nowhere.
QString TestLessonCourse::differences(const std::function<void(LessonProof &)> &tried)
{
    LessonProof proof(targetFor(TestServer::instance()));
    proof.tell([this](Microseconds time) { m_starts += time; },
               [this](const LessonStep &step, const LessonRun &run, const LessonStepResult &result) {
                   if (step.kind == LessonStep::Kind::Statement)
                       (run.waiting().isEmpty() ? m_steps : m_waits).append(result.took);
               });
    tried(proof);
    QStringList lines;
    for (const LessonDifference &difference : proof.differences())
        lines += QStringLiteral("line %1, %2").arg(difference.line).arg(difference.toString());
    if (proof.failure())
        lines += proof.failure()->toString();
    return lines.join(u'\n');
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
    QStringList found;
    for (int runs = std::max(1, qEnvironmentVariableIntValue("LOCKSCOPE_LESSON_RUNS")); runs > 0; --runs) {
        const QString difference = differences([&](LessonProof &proof) { proof.trySteps(lesson, isolation); });
        ++m_runs;
        if (difference.isEmpty())
            continue;
        ++m_differing;
        found += difference;
    }
    QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
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

/// Everywhere; and there is something to solve.
void TestLessonCourse::eachExerciseHasASolution()
{
    QFETCH(Lesson, lesson);
    const QString found = differences([&](LessonProof &proof) {
        for (const LessonExercise &exercise : lesson.exercises)
            proof.tryExercise(lesson, exercise);
    });
    QVERIFY2(found.isEmpty(), qPrintable(found));
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

void TestLessonCourse::eachGoalIsReachedByItsTurns()
{
    QFETCH(Lesson, lesson);
    const QString found = differences([&](LessonProof &proof) {
        for (const LessonGoal &goal : lesson.goals) {
            for (const LessonIsolation isolation : lesson.isolations)
                proof.tryGoal(lesson, goal, isolation);
        }
    });
    QVERIFY2(found.isEmpty(), qPrintable(found));
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
