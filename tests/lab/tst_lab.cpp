// SPDX-License-Identifier: MIT
// Plans, counting and reports of contention runs; no server.
#include "lab/labdocument.h"
#include "lab/labreport.h"
#include "lab/labrun.h"
#include "lab/labverdict.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtTest/QTest>

using namespace lockscope;
using namespace std::chrono_literals;
using Kind = LabEvent::Kind;

namespace {

LabCounts counted(const QList<LabEvent> &events, bool isSessionBound = false)
{
    LabTally tally(3, isSessionBound);
    tally.add(events);
    tally.finish();
    return tally.counts();
}

LabPlan withFault(LabFault::Kind kind)
{
    LabPlan plan;
    plan.faults = {{kind, 1s}};
    return plan;
}

} // namespace

class TestLab : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void planRoundTrips_data();
    void planRoundTrips();
    void absurdPlansAreRefused_data();
    void absurdPlansAreRefused();
    void unknownMembersAreRefused();
    void everyWayHasAName();
    void eventsRoundTrip();
    void brokenLinesAreNoEvents_data();
    void brokenLinesAreNoEvents();
    void holdsBesideEachOtherAreViolations();
    void aHolderPastItsDeadlineOverlaps();
    void oneAfterTheOtherIsNeither();
    void aKilledWorkerEndsItsHold();
    void aHoldWhoseEndWasNeverToldEndsWithTheLastWord();
    void aSessionBoundLockEndsWithTheLastWord();
    void latencyIsFromAskingToHaving();
    void fairnessIsJains();
    void reportRoundTrips();
    void reportsOfOthersAreRefused_data();
    void reportsOfOthersAreRefused();
    void onlyTheEngineMakesPromises();
    void unlikeHarmsAreNotAddedUp();
    void theVerdictIsASentence_data();
    void theVerdictIsASentence();
    void runsOfUnlikeLengthAreMarked();
    void theDocumentSaysHowAHoldVaries_data();
    void theDocumentSaysHowAHoldVaries();
    void aChartHasAColourForEachModeAndSaysWhatIsBetter();
};

void TestLab::planRoundTrips_data()
{
    QTest::addColumn<LabPlan>("plan");
    for (const LabPlan &plan : labScenarios())
        QTest::newRow(qPrintable(plan.name)) << plan;
    for (const LabWay way : allLabWays()) {
        LabPlan plan;
        plan.way = way;
        QTest::newRow(traitsOf(way).name) << plan;
    }
}

void TestLab::planRoundTrips()
{
    QFETCH(LabPlan, plan);
    QVERIFY2(!plan.validate(), qPrintable(plan.validate().value_or(QString())));
    QString error;
    const auto read = LabPlan::fromJson(plan.toJson(), &error);
    QVERIFY2(read, qPrintable(error));
    QCOMPARE(*read, plan);
}

void TestLab::absurdPlansAreRefused_data()
{
    QTest::addColumn<LabPlan>("plan");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const char *says, auto change) {
        LabPlan plan;
        change(plan);
        QTest::newRow(name) << plan << QString::fromLatin1(says);
    };
    row("no worker", "workers", [](LabPlan &plan) { plan.workers = 0; });
    row("too many workers", "workers", [](LabPlan &plan) { plan.workers = 1'000'000; });
    row("too many processes", "processes", [](LabPlan &plan) {
        plan.usesProcesses = true;
        plan.workers = LabPlan::MaxProcesses + 1;
    });
    row("no resource", "resources", [](LabPlan &plan) { plan.resources = 0; });
    row("no time", "duration", [](LabPlan &plan) { plan.duration = 0ms; });
    row("negative hold", "Hold", [](LabPlan &plan) { plan.hold.mean = -1ms; });
    row("short TTL", "TTL", [](LabPlan &plan) { plan.ttl = 1ms; });
    row("short TTL of a row", "TTL", [](LabPlan &plan) {
        plan.way = LabWay::Pessimistic;
        plan.ttl = 500ms;
    });
    row("short TTL of a session", "session", [](LabPlan &plan) {
        plan.way = LabWay::ZooKeeper;
        plan.ttl = 999ms;
    });
    row("TTL of no whole seconds", "whole seconds", [](LabPlan &plan) {
        plan.way = LabWay::Etcd;
        plan.ttl = 2500ms;
    });
    row("an even ensemble", "1 or 3", [](LabPlan &plan) { plan.servers = 2; });
    row("negative wait", "wait", [](LabPlan &plan) { plan.wait = -1ms; });
    row("few connections", "connections", [](LabPlan &plan) { plan.connections = 2; });
    row("negative stock", "stock", [](LabPlan &plan) { plan.stock = -1; });
    row("fault behind the end", "fault", [](LabPlan &plan) { plan.faults = {{LabFault::Kind::Crash, 1h}}; });
    row("fault without rest", "fault", [](LabPlan &plan) { plan.faults = {{LabFault::Kind::Crash, 1s, 1ms}}; });
    row("endless crowd", "crowd", [](LabPlan &plan) { plan.faults = {{LabFault::Kind::Crowd, 1s, 0s, 1s, 99999}}; });
}

void TestLab::absurdPlansAreRefused()
{
    QFETCH(LabPlan, plan);
    QFETCH(QString, says);
    QVERIFY(plan.validate());
    QVERIFY2(plan.validate()->contains(says), qPrintable(*plan.validate()));
    QVERIFY(runLab(plan, {}, {}).error); // before any server is asked
}

void TestLab::unknownMembersAreRefused()
{
    QString error;
    QJsonObject json = LabPlan().toJson();
    json[QStringLiteral("gravity")] = 9.81;
    QVERIFY(!LabPlan::fromJson(json, &error));
    QVERIFY2(error.contains(QLatin1StringView("gravity")), qPrintable(error));
    json = LabPlan().toJson();
    json[QStringLiteral("mode")] = QStringLiteral("telepathy");
    QVERIFY(!LabPlan::fromJson(json, &error));
    QVERIFY2(error.contains(QLatin1StringView("mode")), qPrintable(error));
}

void TestLab::everyWayHasAName()
{
    QSet<QByteArray> names;
    for (const LabWay way : allLabWays()) {
        names.insert(traitsOf(way).name);
        QCOMPARE(labWayOf(QString::fromLatin1(traitsOf(way).name)), std::optional(way));
    }
    QCOMPARE(names.size(), allLabWays().size());
    QVERIFY(!labWayOf(QString()));
}

void TestLab::eventsRoundTrip()
{
    const LabEvent event{123456789, Kind::Got, 3, 7, 18'446'744'073'709'551'615u, -5, 9};
    QCOMPARE(LabEvent::fromLine(event.toLine()), std::optional(event));
}

void TestLab::brokenLinesAreNoEvents_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char *line :
         {"", "1 2 3", "1 2 3 4 5 6 x", "1 99 3 4 5 6 7", "1 2 3 4 5 6", "1 2 3 4 5 6 7 8", "nonsense"})
        QTest::newRow(line) << QByteArray(line);
}

void TestLab::brokenLinesAreNoEvents()
{
    QFETCH(QByteArray, line);
    QVERIFY(!LabEvent::fromLine(line));
}

void TestLab::holdsBesideEachOtherAreViolations()
{
    const auto counts = counted({{100, Kind::Got, 0, 1, 0, 0},
                                 {110, Kind::Got, 1, 1, 0, 0},
                                 {115, Kind::Got, 2, 2, 0, 0}, // another resource
                                 {120, Kind::Finished, 0, 1, 0, 0},
                                 {130, Kind::Finished, 1, 1, 0, 0},
                                 {140, Kind::Finished, 2, 2, 0, 0}});
    QCOMPARE(counts.violations, 1u);
    QCOMPARE(counts.overlaps, 0u);
}

void TestLab::aHolderPastItsDeadlineOverlaps()
{
    const auto counts = counted({{100, Kind::Got, 0, 1, 1, 105},
                                 {110, Kind::Got, 1, 1, 2, 500},
                                 {120, Kind::Finished, 0, 1, 1, 105},
                                 {130, Kind::Finished, 1, 1, 2, 500}});
    QCOMPARE(counts.violations, 0u);
    QCOMPARE(counts.overlaps, 1u);
}

void TestLab::oneAfterTheOtherIsNeither()
{
    const auto counts = counted({{130, Kind::Finished, 1, 1, 0, 0}, // in any order
                                 {100, Kind::Got, 0, 1, 0, 0},
                                 {120, Kind::Got, 1, 1, 0, 0},
                                 {110, Kind::Finished, 0, 1, 0, 0}});
    QCOMPARE(counts.violations + counts.overlaps, 0u);
    QCOMPARE(counts.granted, 2u);
}

void TestLab::aKilledWorkerEndsItsHold()
{
    const auto counts = counted({{100, Kind::Got, 0, 1, 0, 0},
                                 {110, Kind::Crashed, 0, -1, 0, 0},
                                 {120, Kind::Got, 1, 1, 0, 0},
                                 {130, Kind::Got, 0, 2, 0, 0}, // the next process of that number
                                 {140, Kind::Finished, 0, 2, 0, 0},
                                 {150, Kind::Finished, 1, 1, 0, 0}});
    QCOMPARE(counts.violations + counts.overlaps, 0u);
    QCOMPARE(counts.crashes, 1u);
}

/// The next crowd's workers have the numbers of those of the one before.
void TestLab::aHoldWhoseEndWasNeverToldEndsWithTheLastWord()
{
    const auto counts = counted({{100, Kind::Got, 1, 1, 0, 0},
                                 {200, Kind::Got, 0, 1, 0, 0},
                                 {300, Kind::Finished, 0, 1, 0, 0},
                                 {400, Kind::Ask, 1, 1, 0, 0},
                                 {500, Kind::Got, 1, 1, 0, 0},
                                 {600, Kind::Finished, 1, 1, 0, 0}});
    QCOMPARE(counts.violations + counts.overlaps, 0u);
}

void TestLab::aSessionBoundLockEndsWithTheLastWord()
{
    const QList<LabEvent> events{{100, Kind::Got, 0, 1, 0, 900},
                                 {105, Kind::Frozen, 0, -1, 0, 0},
                                 {110, Kind::Got, 1, 1, 0, 0}, // the server had ended the session
                                 {120, Kind::Finished, 1, 1, 0, 0},
                                 {130, Kind::Crashed, 0, -1, 0, 0}};
    QCOMPARE(counted(events, true).violations, 0u);
    QCOMPARE(counted(events, true).overlaps, 1u);
    QCOMPARE(counted(events, false).violations, 1u);
}

void TestLab::latencyIsFromAskingToHaving()
{
    LabTally tally(1);
    tally.add({{100, Kind::Ask, 0, 1, 0, 0},
               {130, Kind::Got, 0, 1, 0, 0},
               {140, Kind::Finished, 0, 1, 0, 0},
               {150, Kind::Ask, 0, 1, 0, 0},
               {170, Kind::TimedOut, 0, 1, 0, 0},
               {180, Kind::Ask, 0, 1, 0, 0},
               {190, Kind::Left, 0, 1, 0, 0}});
    tally.finish();
    QCOMPARE(tally.latency().count(), 1u);
    QCOMPARE(tally.latency().max(), Duration(30));
    QCOMPARE(tally.counts().attempts, 2u);
    QCOMPARE(tally.counts().timedOut, 1u);
    QCOMPARE(tally.waiting(), 0);
}

void TestLab::fairnessIsJains()
{
    LabTally even(2);
    even.add({{1, Kind::Got, 0, 1, 0, 0}, {2, Kind::Got, 1, 2, 0, 0}});
    even.finish();
    QCOMPARE(even.fairness(), 1.0);
    LabTally greedy(2);
    greedy.add({{1, Kind::Got, 0, 1, 0, 0}, {2, Kind::Got, 0, 2, 0, 0}, {3, Kind::Got, 9, 3, 0, 0}}); // 9: of a crowd
    greedy.finish();
    QCOMPARE(greedy.fairness(), 0.5);
}

void TestLab::reportRoundTrips()
{
    LabReport report;
    report.plan = withFault(LabFault::Kind::Freeze);
    report.counts.granted = 7;
    report.counts.refusedWrites = 2;
    report.counts.duplicates = 3;
    report.counts.oversold = 4;
    report.latency.add(30ms);
    report.length = 2s;
    report.fairness = 0.75;
    report.statementsPerGrant = 2.5;
    report.partial = QStringLiteral("stopped by hand");
    QString error;
    const auto read = LabReport::fromJson(report.toJson(), &error);
    QVERIFY2(read, qPrintable(error));
    QCOMPARE(read->toJson(), report.toJson());
    QCOMPARE(read->latency, report.latency);
    QCOMPARE(read->counts, report.counts);
    QVERIFY(labMarkdown({*read}).contains(QLatin1StringView("unique (partial)")));
}

void TestLab::reportsOfOthersAreRefused_data()
{
    QTest::addColumn<QJsonObject>("json");
    QTest::addColumn<QString>("says");
    const auto changed = [](const char *key, const QJsonValue &value) {
        QJsonObject json = LabReport().toJson();
        json[QLatin1StringView(key)] = value;
        return json;
    };
    QTest::newRow("another file") << QJsonObject() << QStringLiteral("not a run");
    QTest::newRow("newer") << changed("version", 99) << QStringLiteral("Update Lockscope");
    QTest::newRow("without a plan's member")
        << changed("plan", QJsonObject{{QStringLiteral("x"), 1}}) << QStringLiteral("\"x\"");
    QTest::newRow("damaged") << changed("latency", QJsonObject()) << QStringLiteral("damaged");
}

void TestLab::reportsOfOthersAreRefused()
{
    QFETCH(QJsonObject, json);
    QFETCH(QString, says);
    QString error;
    QVERIFY(!LabReport::fromJson(json, &error));
    QVERIFY2(error.contains(says), qPrintable(error));
}

void TestLab::onlyTheEngineMakesPromises()
{
    LabReport report;
    QVERIFY(!report.hasBrokenPromise());
    report.counts.lostUpdates = 1;
    QVERIFY(report.hasBrokenPromise());
    report.plan.way = LabWay::None;
    QVERIFY(!report.hasBrokenPromise());
    report.plan.way = LabWay::Unique;
    report.plan.isFenced = false; // without the fence a frozen holder may write
    QVERIFY(!report.hasBrokenPromise());
    report = {};
    report.plan.way = LabWay::RedisFair;
    report.counts.violations = 1;
    QVERIFY(report.hasBrokenPromise());
    report.plan.faults = {{LabFault::Kind::NodeForgets, 1s}}; // then it cannot keep two from holding
    QVERIFY(!report.hasBrokenPromise());
    report.counts.lostUpdates = 1; // … and the fence can still refuse the first
    QVERIFY(report.hasBrokenPromise());
}

void TestLab::unlikeHarmsAreNotAddedUp()
{
    LabReport report;
    report.counts.violations = 10'001;
    report.counts.lostUpdates = 20'002;
    report.counts.staleWrites = 30'003;
    report.counts.duplicates = 40'004;
    report.counts.oversold = 50'005;
    const QByteArray chart = LabChart::svg({report});
    for (const char *count : {"10001", "20002", "30003", "40004", "50005"})
        QVERIFY2(chart.contains('>' + QByteArray(count) + '<'), count);
    QVERIFY(!chart.contains(">150015<"));
}

void TestLab::theVerdictIsASentence_data()
{
    QTest::addColumn<LabPlan>("plan");
    QTest::addColumn<LabCounts>("counts");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char *name, LabWay way, const LabCounts &counts, const char *sentence) {
        LabPlan plan;
        plan.way = way;
        QTest::newRow(name) << plan << counts << QString::fromLatin1(sentence);
    };
    row("nothing", LabWay::Unique, {}, "Nobody was granted anything.");
    row("no harm", LabWay::Unique, {.granted = 1}, "No harm in 1 grant.");
    row("oversold", LabWay::None, {.granted = 40, .oversold = 92}, "92 pieces sold that were not in stock.");
    row("the worst first", LabWay::None, {.granted = 9, .writes = 9, .violations = 7, .lostUpdates = 1},
        "1 of 9 writes lost; 7 times two held one resource at once.");
    row("each kind of harm", LabWay::None, {.granted = 9, .violations = 1, .staleWrites = 2, .duplicates = 1},
        "1 job done again; 2 writes accepted after the lock had ended; 1 time two held one resource at once.");
    row("deadlocks", LabWay::MissingRow, {.granted = 5, .timedOut = 1, .deadlocks = 31},
        "31 deadlocks; 1 request gave up waiting; no harm in 5 grants.");
    const LabCounts twoAtOnce{.granted = 9, .violations = 4, .refusedWrites = 7};
    LabPlan jump;
    jump.way = LabWay::RedisFair;
    jump.faults = {{LabFault::Kind::ClockJump, 1s}};
    QTest::newRow("two at once behind a fence")
        << jump << twoAtOnce
        << QStringLiteral("4 times two held one resource at once: harmless, no late write was accepted (7 refused).");
    row("two at once for no reason", LabWay::RedisFair, twoAtOnce, "4 times two held one resource at once.");
    row("two at once, and a fence that let some through", LabWay::RedisFair,
        {.granted = 9, .violations = 4, .staleWrites = 1, .refusedWrites = 7},
        "1 write accepted after the lock had ended; 4 times two held one resource at once.");
    row("a crash that left it locked", LabWay::RedisSetnx, {.granted = 5, .timedOut = 8, .stallMs = 8'040},
        "After a crash nobody was granted it for 8.0 s; 8 requests gave up waiting; no harm in 5 grants.");
    row("a crash that others waited for until its TTL", LabWay::RedisSet, {.granted = 5, .stallMs = 1'000},
        "No harm in 5 grants.");
    const LabCounts late{.granted = 8, .overlaps = 3, .refusedWrites = 2};
    row("refused by the fence", LabWay::Unique, late,
        "No harm in 8 grants; 3 times a holder worked on past its time: harmless, no late write was accepted (2 "
        "refused).");
    row("gone with the transaction", LabWay::Pessimistic, late,
        "No harm in 8 grants; 3 times a holder worked on past its time: harmless, no late write was accepted (2 "
        "refused).");
    row("without a token", LabWay::ReleaseByName, late,
        "No harm in 8 grants; 3 times a holder worked on past its time.");
    row("past the fence", LabWay::Unique, {.granted = 8, .overlaps = 3, .staleWrites = 1},
        "1 write accepted after the lock had ended; 3 times a holder worked on past its time.");
}

void TestLab::theVerdictIsASentence()
{
    QFETCH(LabPlan, plan);
    QFETCH(LabCounts, counts);
    QFETCH(QString, sentence);
    QCOMPARE(labVerdict(plan, counts), sentence);
    LabReport report;
    report.plan = plan;
    report.counts = counts;
    QCOMPARE(report.toJson().value(QStringLiteral("verdict")).toString(), sentence);
    QVERIFY(labMarkdown({report}).endsWith(QStringLiteral(": ") + sentence + QLatin1Char('\n')));
}

void TestLab::runsOfUnlikeLengthAreMarked()
{
    LabReport longer;
    longer.length = 10s;
    LabReport shorter = longer;
    const QString mark = QStringLiteral("differ in length");
    QVERIFY(!labMarkdown({longer, shorter}).contains(mark));
    shorter.length = 5s;
    QVERIFY(labMarkdown({longer, shorter}).contains(mark));
    QVERIFY(LabChart::svg({longer, shorter}).contains(">unique, 5.0 s<"));
    QVERIFY(!LabChart::svg({longer, longer}).contains(">unique, "));
    QVERIFY(haveLikeLengths({}));
}

void TestLab::theDocumentSaysHowAHoldVaries_data()
{
    QTest::addColumn<LabTime::Shape>("shape");
    QTest::addColumn<QString>("says");
    QTest::newRow("not at all") << LabTime::Shape::Fixed << QStringLiteral("hold 20 ms, TTL");
    QTest::newRow("evenly") << LabTime::Shape::Uniform << QStringLiteral("hold 20 ms (uniform), TTL");
    QTest::newRow("exponentially") << LabTime::Shape::Exponential << QStringLiteral("hold 20 ms (exponential), TTL");
}

void TestLab::theDocumentSaysHowAHoldVaries()
{
    QFETCH(LabTime::Shape, shape);
    QFETCH(QString, says);
    LabReport report;
    report.plan.hold = {shape, 20ms};
    const QByteArray text = labDocument({report}, QStringLiteral("runs"), {}).value(QStringLiteral("runs.md"));
    QVERIFY2(text.contains(says.toUtf8()), text.constData());
}

void TestLab::aChartHasAColourForEachModeAndSaysWhatIsBetter()
{
    QSet<QByteArray> colours;
    for (const LabWay way : {LabWay::Unique, LabWay::Pessimistic, LabWay::Optimistic, LabWay::None}) {
        LabReport report;
        report.plan.way = way;
        const QByteArray chart = LabChart::svg({report});
        QCOMPARE(chart.count(">more is better<"), 2); // grants per second, and fairness
        QCOMPARE(chart.count(">less is better<"), LabChart::columns().size() - 2);
        const qsizetype bar = chart.lastIndexOf("<rect"); // of the fairness
        colours.insert(chart.mid(chart.indexOf("fill=", bar), 14));
    }
    QCOMPARE(colours.size(), 4);
}

QTEST_GUILESS_MAIN(TestLab)
#include "tst_lab.moc"
