// SPDX-License-Identifier: MIT
// Lessons and the lab at work on a real server: their own waits call nobody, a stranger's do.
#include "waitstest.h"

#include "lab/labrun.h"
#include "lessons/lessonlibrary.h"
#include "lessons/lessonrun.h"

#include <QtTest/QTest>

#include <thread>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

std::unique_ptr<LessonRun> startLesson(const Lesson &lesson, const TestServer &server)
{
    LockError error;
    auto run = LessonRun::start(targetFor(server), lesson, lesson.isolations.constFirst(), &error);
    if (!run)
        qFatal("%ls", qUtf16Printable(error.toString()));
    return run;
}

Lesson lessonCalled(const QString &id)
{
    return std::get<Lesson>(libraryLesson(id));
}

WaitGraph graphOf(const ServerWaits &waits)
{
    return buildWaitGraph(waits, waits.clock.server);
}

/// Somebody waits, and nobody is to be called.
bool isOfRunsAlone(const ServerWaits &waits)
{
    const WaitGraph graph = graphOf(waits);
    return graph.waiting() > 0 && graph.waiting() == graph.waitingOfRuns();
}

} // namespace

class TestRunsAtWork : public WaitsTest
{
    Q_OBJECT

private Q_SLOTS:
    void aLessonsWaitsAreItsOwn_data();
    void aLessonsWaitsAreItsOwn();
    void aStrangerBehindALessonIsTold();
    void theLabsWaitsAreItsOwn_data();
    void theLabsWaitsAreItsOwn();
    void aStrangerBehindTheLabIsTold();
};

void TestRunsAtWork::aLessonsWaitsAreItsOwn_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<bool>("tellsMost");
    for (const char *id : {"ghost-stock", "alter-in-the-queue", "real-table-lock", "chain-of-get-lock", "xa-prepare",
                           "record-or-gap", "four-in-line"})
        QTest::newRow(id) << QString::fromLatin1(id) << true;
    QTest::newRow("ghost-stock, on a server that is set up by default") << u"ghost-stock"_s << false;
}

void TestRunsAtWork::aLessonsWaitsAreItsOwn()
{
    QFETCH(QString, id);
    QFETCH(bool, tellsMost);
    useServer(tellsMost);
    const Lesson lesson = lessonCalled(id);
    const auto run = startLesson(lesson, *m_used);
    int seen = 0;
    for (const LessonStep &step : lesson.steps) {
        const LessonStepResult result = run->play(step);
        QVERIFY2(!result.failure, qPrintable(result.failure.value_or(LockError()).toString()));
        if (run->waiting().isEmpty())
            continue;
        const ServerWaits last = lookUntil(isOfRunsAlone);
        QVERIFY2(isOfRunsAlone(last), qPrintable(step.toString()));
        ++seen;
    }
    QVERIFY(seen > 0);
}

void TestRunsAtWork::aStrangerBehindALessonIsTold()
{
    const Lesson lesson = lessonCalled(u"ghost-stock"_s);
    const auto run = startLesson(lesson, *m_used);
    for (const LessonStep &step : lesson.steps.first(6)) // B waits for A
        run->play(step);
    const ServerWaits before = lookUntil(isOfRunsAlone);
    QVERIFY(isOfRunsAlone(before));
    Actor stranger(*m_used);
    stranger.start("UPDATE `" + before.edges.constFirst().object.schema.toLatin1() + "`.goods SET stock=0 WHERE id=1");
    const ServerWaits last = lookUntil([](const ServerWaits &waits) { return graphOf(waits).waiting() == 2; });
    QCOMPARE(graphOf(last).waiting(), 2);
    QCOMPARE(graphOf(last).waitingOfRuns(), 0);
}

void TestRunsAtWork::theLabsWaitsAreItsOwn_data()
{
    QTest::addColumn<LabWay>("way");
    for (const LabWay way : {LabWay::Pessimistic, LabWay::Central, LabWay::NoIndex}) // who waits for a lease is no edge
        QTest::newRow(traitsOf(way).name) << way;
}

void TestRunsAtWork::theLabsWaitsAreItsOwn()
{
    QFETCH(LabWay, way);
    LabPlan plan;
    plan.way = way;
    plan.workers = 4;
    plan.hold.mean = std::chrono::milliseconds(400);
    plan.duration = std::chrono::minutes(5); // until it is stopped
    LabPlace place;
    place.target = targetFor(*m_used);
    const std::jthread lab([&](const std::stop_token &stop) { runLab(plan, place, stop); });
    const ServerWaits last = lookUntil(isOfRunsAlone);
    QVERIFY(isOfRunsAlone(last));
}

void TestRunsAtWork::aStrangerBehindTheLabIsTold()
{
    LabPlan plan;
    plan.way = LabWay::Pessimistic;
    plan.workers = 2;
    plan.hold.mean = std::chrono::seconds(2);
    plan.duration = std::chrono::minutes(5);
    LabPlace place;
    place.target = targetFor(*m_used);
    const std::jthread lab([&](const std::stop_token &stop) { runLab(plan, place, stop); });
    const ServerWaits before = lookUntil(isOfRunsAlone);
    QVERIFY(isOfRunsAlone(before));
    const ServerObject object = before.edges.constFirst().object;
    Actor stranger(*m_used);
    stranger.start("UPDATE `" + object.schema.toLatin1() + "`.`" + object.name + "` SET resource=resource");
    const auto isTold = [&stranger](const ServerWaits &waits) {
        const WaitGraph graph = graphOf(waits);
        const WaitNode *node = graph.nodeOf(stranger.id());
        return node && node->cause && !graph.ofRuns.contains(stranger.id()) && graph.waitingOfRuns() == 0;
    };
    QVERIFY(isTold(lookUntil(isTold)));
}

QTEST_GUILESS_MAIN(TestRunsAtWork)
#include "tst_runsatwork.moc"
