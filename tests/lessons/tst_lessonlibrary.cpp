// SPDX-License-Identifier: MIT
// The lessons that come with Lockscope: each is right, and those of another language have the same steps.
#include "lab/labplan.h"
#include "lessons/lessonexpectation.h"
#include "lessons/lessonlibrary.h"

#include <QtCore/QSet>
#include <QtTest/QTest>

using namespace lockscope;

namespace {

void addLessons(bool isCourse)
{
    QTest::addColumn<QString>("id");
    for (const QString &id : lessonIds()) {
        const auto lesson = libraryLesson(id);
        if (!isCourse || (std::holds_alternative<Lesson>(lesson) && std::get<Lesson>(lesson).course > 0))
            QTest::newRow(qPrintable(id)) << id;
    }
}

/// What another language must have too.
QStringList bonesOf(const Lesson &lesson)
{
    QStringList bones{lesson.id,
                      lesson.level,
                      QString::number(lesson.course),
                      lesson.tags.join(u','),
                      QString::number(lesson.families.size()),
                      QString::number(lesson.isolations.size()),
                      lesson.scenarios.join(u',')};
    for (const WaitShape shape : lesson.explains)
        bones += toString(shape);
    bones += lesson.setup;
    for (const LessonStep &step : lesson.steps)
        bones += QStringLiteral("%1 %2 %3").arg(step.session, step.toString(), toString(step.expected));
    for (const LessonQuestion &question : lesson.questions) {
        bones += QStringLiteral("%1 before %2").arg(question.topic).arg(question.beforeStep);
        for (const LessonChoice &choice : question.choices)
            bones += choice.isRight ? QStringLiteral("right") : QStringLiteral("wrong");
    }
    for (const LessonExercise &exercise : lesson.exercises)
        bones += QStringLiteral("%1 %2 %3").arg(exercise.step).arg(exercise.solution, exercise.check);
    for (const LessonGoal &goal : lesson.goals)
        bones +=
            QStringLiteral("%1 %2 %3 %4").arg(int(goal.kind)).arg(goal.error).arg(goal.check, goal.order.join(u' '));
    for (const LessonClaim &claim : lesson.claims)
        bones += QString::number(int(claim.verdict));
    return bones;
}

} // namespace

class TestLessonLibrary : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theCourseHasFortyLessons();
    void eachLessonIsRight_data() { addLessons(false); }
    void eachLessonIsRight();
    void theCourseIsThereInChineseWithTheSameSteps_data() { addLessons(true); }
    void theCourseIsThereInChineseWithTheSameSteps();
    void everyScenarioOfTheLabHasALesson();
    void everyWaitHasALesson();
};

void TestLessonLibrary::theCourseHasFortyLessons()
{
    QVERIFY(lessonIds().size() >= 90);
    QSet<int> places;
    for (const QString &id : lessonIds()) {
        const auto lesson = libraryLesson(id);
        if (const auto *found = std::get_if<Lesson>(&lesson); found && found->course > 0)
            places += found->course;
    }
    for (int place = 1; place <= 40; ++place)
        QVERIFY2(places.contains(place), qPrintable(QString::number(place)));
}

void TestLessonLibrary::eachLessonIsRight()
{
    QFETCH(QString, id);
    const auto lesson = libraryLesson(id);
    const auto *fault = std::get_if<LessonFault>(&lesson);
    QVERIFY2(!fault, fault ? qPrintable(QStringLiteral("line %1: %2").arg(fault->line).arg(fault->reason)) : "");
    for (const LessonExercise &exercise : std::get<Lesson>(lesson).exercises)
        QVERIFY2(!exercise.solution.isEmpty() && !exercise.check.isEmpty(), qPrintable(exercise.text));
}

void TestLessonLibrary::theCourseIsThereInChineseWithTheSameSteps()
{
    QFETCH(QString, id);
    const QByteArray english = lessonSource(id);
    const QByteArray chinese = lessonSource(id, QStringLiteral("zh_CN"));
    QVERIFY2(english != chinese, "it is not there");
    const auto lesson = readLesson(chinese, id);
    const auto *fault = std::get_if<LessonFault>(&lesson);
    QVERIFY2(!fault, fault ? qPrintable(QStringLiteral("line %1: %2").arg(fault->line).arg(fault->reason)) : "");
    QCOMPARE(bonesOf(std::get<Lesson>(lesson)), bonesOf(std::get<Lesson>(libraryLesson(id))));
}

void TestLessonLibrary::everyScenarioOfTheLabHasALesson()
{
    QMap<QString, LabPlan> scenarios;
    for (const LabPlan &plan : labScenarios()) {
        scenarios.insert(plan.name, plan);
        QVERIFY2(!lessonsOfScenario(plan.name, QStringLiteral("en")).isEmpty(), qPrintable(plan.name));
    }
    for (const QString &id : lessonIds()) {
        const Lesson lesson = std::get<Lesson>(libraryLesson(id));
        for (const QString &link : lesson.scenarios) {
            QVERIFY2(scenarios.contains(scenarioOf(link)), qPrintable(id + u' ' + link));
            if (modeOf(link).isEmpty())
                continue;
            const auto way = labWayOf(modeOf(link));
            QVERIFY2(way, qPrintable(id + u' ' + link));
            LabPlan plan = scenarios.value(scenarioOf(link));
            plan.way = *way;
            plan.usesProcesses = plan.needsProcesses();
            QVERIFY2(!plan.validate(), qPrintable(id + u' ' + link));
        }
    }
}

void TestLessonLibrary::everyWaitHasALesson()
{
    for (const QString &name : waitShapes()) {
        const QList<LessonTitle> english = lessonsOfShape(*waitShape(name), QStringLiteral("en"));
        QVERIFY2(!english.isEmpty(), qPrintable(name));
        const QList<LessonTitle> chinese = lessonsOfShape(*waitShape(name), QStringLiteral("zh_CN"));
        QCOMPARE(chinese.size(), english.size());
        QCOMPARE(chinese.first().id, english.first().id);
    }
    QVERIFY(lessonsOfShape(WaitShape::Deadlock, QStringLiteral("zh_CN")).first().title
            != lessonsOfShape(WaitShape::Deadlock, QStringLiteral("en")).first().title);
}

QTEST_GUILESS_MAIN(TestLessonLibrary)
#include "tst_lessonlibrary.moc"
