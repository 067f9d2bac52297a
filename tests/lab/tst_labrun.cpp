// SPDX-License-Identifier: MIT
// Contention runs on a real server: what each way is known for shows, the engine keeps its promises, nothing stays.
#include "enginetest.h"
#include "lab/labrun.h"
#include "privateserver/processfolder.h"

#include <QtCore/QDir>
#include <QtCore/QElapsedTimer>
#include <QtCore/QProcess>
#include <QtCore/QSettings>
#include <QtCore/QSysInfo>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace lockscope;
using namespace lockscope::test;

class TestLabRun : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void theEngineKeepsItsPromises_data();
    void theEngineKeepsItsPromises();
    void noLockLosesUpdatesAndSellsTooMuch();
    void whoFindsNothingLeftToDoLeaves_data();
    void whoFindsNothingLeftToDoLeaves();
    void withoutTheFenceAFrozenHolderWrites_data();
    void withoutTheFenceAFrozenHolderWrites();
    void aRunStopsSoonAndSaysSo();
    void nothingIsLeftBehind();
    void deadRunsAreRemovedAndNothingElse_data();
    void deadRunsAreRemovedAndNothingElse();
    void aCutHolderCannotWriteAfterTheNextOne();
    void aHolderWhoseSessionIsKilledIsNoViolation();
    void crowdsComeAndGoWithoutAViolation();
    void bargingWorkersAreExcludedToo();
    void foldersOfDeadRunsAreRemovedAndNobodyElses();
    void aLostServerKeepsWhatThereIs();
    void whatThePlaceCannotDoIsRefused();
    void aProductionServerIsLeftAloneByWhateverWay();

private:
    LabPlace place() const;
    LabResult run(const LabPlan &plan) { return runLab(plan, place(), {}); }
    int labSchemas();
};

LabPlace TestLabRun::place() const
{
    LabPlace place;
    place.target = targetFor(*m_server);
    place.workerProgram = QStringLiteral(LOCKSCOPE_LOCKCTL);
    return place;
}

int TestLabRun::labSchemas()
{
    return m_observer
        ->value("SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name LIKE 'lockscope\\_lab\\_%'")
        .toInt();
}

void TestLabRun::theEngineKeepsItsPromises_data()
{
    QTest::addColumn<LabWay>("way");
    for (const LabWay way : {LabWay::Unique, LabWay::Pessimistic, LabWay::Optimistic, LabWay::Central})
        QTest::newRow(traitsOf(way).name) << way;
}

/// Under killed, frozen and disconnected workers at once.
void TestLabRun::theEngineKeepsItsPromises()
{
    QFETCH(LabWay, way);
    using Kind = LabFault::Kind;
    LabPlan plan;
    plan.way = way;
    plan.workers = 4;
    plan.resources = 2;
    plan.hold = {LabTime::Shape::Uniform, 20ms};
    plan.ttl = 1s;
    plan.duration = 6s;
    plan.faults = {{Kind::Freeze, 500ms, 2s},
                   {Kind::Crash, 1s, 2s},
                   {Kind::KillSession, 300ms, 400ms},
                   {Kind::Cut, 800ms, 2s},
                   {Kind::Slow, 1500ms, 2s, 500ms}};
    const LabResult result = run(plan);
    QVERIFY2(!result.error, qPrintable(result.error ? result.error->toString() : QString()));
    const LabReport &report = result.report;
    QVERIFY2(!report.partial, qPrintable(report.partial.value_or(QString())));
    QVERIFY2(!report.hasBrokenPromise(), qPrintable(labMarkdown({report})));
    QCOMPARE(report.counts.staleWrites, 0u);
    QVERIFY(report.counts.granted > 0);
    QVERIFY(report.counts.crashes > 0);
    QVERIFY(report.counts.freezes > 0);
    QVERIFY(report.counts.networkFaults > 0);
    QVERIFY(report.connections > 0);
}

void TestLabRun::noLockLosesUpdatesAndSellsTooMuch()
{
    LabPlan plan;
    plan.way = LabWay::None;
    plan.duration = 1s;
    const LabCounts counts = run(plan).report.counts;
    QVERIFY(counts.lostUpdates > 0);
    QVERIFY2(counts.lostUpdates < counts.writes, "the last one is not lost");
    plan.job = LabJob::Sale;
    plan.resources = 20;
    quint64 live = 0; // while it runs
    const LabResult sale = runLab(plan, place(), {}, [&](const LabProgress &progress) {
        if (progress.elapsed < plan.duration)
            live = std::max(live, progress.counts.oversold);
    });
    QVERIFY(live > 0);
    QCOMPARE(sale.report.counts.oversold, live); // the rows say the same
    plan.way = LabWay::Unique;
    QCOMPARE(run(plan).report.counts.oversold, 0u);
}

void TestLabRun::whoFindsNothingLeftToDoLeaves_data()
{
    QTest::addColumn<LabWay>("way");
    QTest::addColumn<LabJob>("job");
    for (const LabWay way : {LabWay::None, LabWay::Unique, LabWay::Optimistic}) {
        QTest::addRow("a sale, %s", traitsOf(way).name) << way << LabJob::Sale;
        QTest::addRow("jobs, %s", traitsOf(way).name) << way << LabJob::Once;
    }
}

void TestLabRun::whoFindsNothingLeftToDoLeaves()
{
    QFETCH(LabWay, way);
    QFETCH(LabJob, job);
    LabPlan plan;
    plan.way = way;
    plan.job = job;
    plan.workers = 2;
    plan.skew = LabSkew::Own;
    plan.resources = 2;
    plan.duration = 2s;
    const LabReport report = run(plan).report;
    QVERIFY(!report.partial);
    QVERIFY(report.counts.writes > 0);
    QVERIFY2(report.counts.skipped <= 2, qPrintable(QString::number(report.counts.skipped)));
}

void TestLabRun::withoutTheFenceAFrozenHolderWrites_data()
{
    QTest::addColumn<bool>("isFenced");
    QTest::newRow("with the fence") << true;
    QTest::newRow("without") << false;
}

/// A holder frozen past its TTL works on when it thaws. Only the store can tell.
void TestLabRun::withoutTheFenceAFrozenHolderWrites()
{
    QFETCH(bool, isFenced);
    LabPlan plan;
    plan.workers = 3;
    plan.hold = {LabTime::Shape::Fixed, 200ms};
    plan.ttl = 400ms;
    plan.duration = 8s;
    plan.isFenced = isFenced;
    plan.faults = {{LabFault::Kind::Freeze, 500ms, 1s}};
    LabCounts counts;
    for (int i = 0; i < 5 && counts.refusedWrites + counts.staleWrites == 0; ++i) // a freeze may meet nobody who holds
        counts = run(plan).report.counts;
    QCOMPARE(counts.refusedWrites > 0, isFenced);
    QCOMPARE(counts.staleWrites > 0, !isFenced);
}

void TestLabRun::aRunStopsSoonAndSaysSo()
{
    LabPlan plan;
    plan.hold = {LabTime::Shape::Fixed, 30s};
    plan.wait = 1h;
    plan.duration = 1h;
    std::stop_source stop;
    int told = 0;
    const LabResult result = runLab(plan, place(), stop.get_token(), [&](const LabProgress &progress) {
        told += progress.holding == 1 && progress.waiting == plan.workers - 1;
        if (told > 0)
            stop.request_stop();
    });
    QVERIFY(told > 0);
    QVERIFY(result.report.partial);
    QCOMPARE(result.report.counts.timedOut, 0u);
    QCOMPARE(labSchemas(), 0);
}

void TestLabRun::nothingIsLeftBehind()
{
    LabPlan plan;
    plan.duration = 300ms;
    run(plan);
    QCOMPARE(labSchemas(), 0);
    const QByteArray left = "SELECT COUNT(*) FROM information_schema.processlist WHERE db LIKE 'lockscope\\_lab\\_%'";
    QVERIFY(eventually([&] { return m_observer->value(left).toInt() == 0; }));
}

void TestLabRun::deadRunsAreRemovedAndNothingElse_data()
{
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QString>("host");
    QTest::addColumn<QByteArray>("boot");
    QTest::addColumn<bool>("isOfLivingProcess");
    QTest::addColumn<bool>("isRemoved");
    const QByteArray name = "lockscope_lab_0123456789abcdef";
    const QString here = QSysInfo::machineHostName();
    const QByteArray boot = QSysInfo::bootUniqueId();
    QTest::newRow("of a process that is gone") << name << here << boot << false << true;
    QTest::newRow("of a living one, without its lock")
        << name << here << boot << true << false; // after a restart of the server
    QTest::newRow("of another host") << name << QStringLiteral("elsewhere") << boot << false << false;
    QTest::newRow("of another host of this name") << name << here << QByteArray("another") << false << false;
    QTest::newRow("without the table of runs") << name << QString() << boot << false << false;
    QTest::newRow("of another name") << QByteArray("lockscope_lab_notes") << here << boot << false << false;
}

/// Somebody's schema may have a name like that of a run.
void TestLabRun::deadRunsAreRemovedAndNothingElse()
{
    QFETCH(QByteArray, schema);
    QFETCH(QString, host);
    QFETCH(QByteArray, boot);
    QFETCH(bool, isOfLivingProcess);
    QFETCH(bool, isRemoved);
    QProcess process;
    process.start(QStringLiteral("true"), QStringList());
    QVERIFY(process.waitForStarted());
    const qint64 pid = isOfLivingProcess ? QCoreApplication::applicationPid() : process.processId();
    QVERIFY(process.waitForFinished());
    m_observer->run("CREATE DATABASE " + schema);
    if (!host.isEmpty()) {
        const QByteArray table = schema + ".lab_run";
        m_observer->run("CREATE TABLE " + table
                        + " (host VARCHAR(255), pid BIGINT UNSIGNED, boot VARCHAR(64)); INSERT INTO " + table
                        + " VALUES ('" + host.toUtf8() + "', " + QByteArray::number(pid) + ", '" + boot + "')");
    }
    int removed = 0;
    const auto error = cleanUpLab(targetFor(*m_server), &removed);
    const int left = labSchemas();
    m_observer->run("DROP DATABASE IF EXISTS " + schema);
    QVERIFY2(!error, qPrintable(error.value_or(LockError()).toString()));
    QCOMPARE(removed, isRemoved ? 1 : 0);
    QCOMPARE(left, isRemoved ? 0 : 1);
}

/// Its write is on its way when the network is cut, and arrives after the next one's. A cut may come just as one lets
/// go, and then there is no such write.
void TestLabRun::aCutHolderCannotWriteAfterTheNextOne()
{
    LabPlan plan;
    plan.workers = 2;
    plan.hold.mean = 1s;
    plan.ttl = 1s;
    plan.duration = 8s;
    plan.faults = {{LabFault::Kind::Cut, 1500ms, 0s, 4s}};
    bool isLate = false;
    for (int i = 0; i < 5 && !isLate; ++i) {
        const LabReport report = run(plan).report;
        QVERIFY(!report.hasBrokenPromise());
        QCOMPARE(report.counts.networkFaults, 1u);
        QVERIFY(report.counts.granted > 1);
        isLate = report.counts.refusedWrites + report.counts.notHeld + report.counts.errors > 0;
    }
    QVERIFY(isLate);
}

/// Each worker of a crowd is ended while it waits or holds, and the next crowd's has its number.
/// The server frees its row at once, and it is told when the engine looks: it holds as long as was proven.
void TestLabRun::aHolderWhoseSessionIsKilledIsNoViolation()
{
    LabPlan plan;
    plan.way = LabWay::Pessimistic;
    plan.job = LabJob::Nothing;
    plan.workers = 2;
    plan.resources = 1;
    plan.wait = 30s;
    plan.hold = {LabTime::Shape::Fixed, 10s};
    plan.ttl = 30s;
    plan.duration = 8s;
    plan.faults = {{LabFault::Kind::KillSession, 500ms, 250ms}}; // of any connection, the holder's among them
    const LabReport report = run(plan).report;
    QVERIFY2(!report.hasBrokenPromise(), qPrintable(labMarkdown({report})));
    QVERIFY(report.counts.overlaps > 0);
}

void TestLabRun::crowdsComeAndGoWithoutAViolation()
{
    LabPlan plan;
    plan.usesProcesses = true;
    plan.workers = 2;
    plan.hold.mean = 20ms;
    plan.duration = 5s;
    plan.faults = {{LabFault::Kind::Crowd, 200ms, 1200ms, 600ms, 4}};
    const LabReport report = run(plan).report;
    QVERIFY2(!report.partial, qPrintable(report.partial.value_or(QString())));
    QCOMPARE(report.counts.violations, 0u);
    QVERIFY(report.counts.granted > 0);
}

void TestLabRun::bargingWorkersAreExcludedToo()
{
    LabPlan plan;
    plan.isFair = false;
    plan.workers = 4;
    plan.duration = 1s;
    const LabReport report = run(plan).report;
    QVERIFY(!report.hasBrokenPromise());
    QVERIFY(report.counts.granted > 0);
    QCOMPARE(report.counts.busy, 0u);
}

void TestLabRun::foldersOfDeadRunsAreRemovedAndNobodyElses()
{
    QProcess dead;
    dead.start(QStringLiteral("true"), QStringList());
    QVERIFY(dead.waitForStarted());
    const QString left = QStringLiteral("run-%1-left").arg(dead.processId());
    QVERIFY(dead.waitForFinished());
    QDir ours(ProcessFolder::parent());
    QVERIFY(ours.mkdir(left));
    // Where anybody can make folders, and exchange what is in them for links while they are emptied.
    const QString anybodys = QStringLiteral("lockscope-") + left;
    QVERIFY(QDir::temp().mkdir(anybodys));
    LabPlan plan;
    plan.usesProcesses = true;
    plan.duration = 300ms;
    run(plan);
    QVERIFY(!ours.exists(left));
    QVERIFY(QDir::temp().rmdir(anybodys)); // it was left alone
    const QString own = QStringLiteral("run-%1-").arg(QCoreApplication::applicationPid());
    QVERIFY(ours.entryList({own + u'*'}, QDir::Dirs).isEmpty());
}

void TestLabRun::aLostServerKeepsWhatThereIs()
{
    TestServer own;
    LabPlace place = this->place();
    place.target = targetFor(own);
    LabPlan plan;
    plan.duration = 1h;
    bool isKilled = false;
    const LabResult result = runLab(plan, place, {}, [&](const LabProgress &progress) {
        if (!isKilled && progress.counts.granted > 0) {
            own.kill9();
            isKilled = true;
        }
    });
    QVERIFY(result.error);
    QVERIFY(result.report.partial);
    QVERIFY(result.report.counts.granted > 0);
    QVERIFY(!result.report.firstError.isEmpty());
}

void TestLabRun::whatThePlaceCannotDoIsRefused()
{
    LabPlan plan;
    plan.faults = {{LabFault::Kind::Restart, 1s}};
    LabResult result = run(plan);
    QVERIFY(result.error && result.error->message.contains(QLatin1StringView("private server")));
    plan.faults = {{LabFault::Kind::Crash, 1s}};
    LabPlace without = place();
    without.workerProgram.clear();
    result = runLab(plan, without, {});
    QVERIFY(result.error && result.error->message.contains(QLatin1StringView("worker processes")));
    QCOMPARE(labSchemas(), 0);
}

/// Also where whoever starts the run does not know it; nothing is tidied up there either.
void TestLabRun::aProductionServerIsLeftAloneByWhateverWay()
{
    LockError error;
    const auto session = Session::open(targetFor(*m_server), &error);
    QVERIFY2(session, qPrintable(error.toString()));
    QTemporaryDir home;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, home.path());
    QSettings list(QStringLiteral("lockscope"), QStringLiteral("lockscope"));
    list.setValue(QStringLiteral("servers/size"), 1);
    list.setValue(QStringLiteral("servers/1/url"), QStringLiteral("mysql://ops@db9/lockscope"));
    list.setValue(QStringLiteral("servers/1/ownName"), session->info().ownName);
    list.setValue(QStringLiteral("servers/1/production"), true);
    list.sync();
    const LabResult refused = run({});
    const auto uncleaned = cleanUpLab(targetFor(*m_server));
    list.clear();
    list.sync();
    QVERIFY(refused.error && refused.error->message.contains(QLatin1String("production")));
    QVERIFY(uncleaned && uncleaned->message.contains(QLatin1String("production")));
    QVERIFY(!cleanUpLab(targetFor(*m_server)));
}

QTEST_GUILESS_MAIN(TestLabRun)
#include "tst_labrun.moc"
