// SPDX-License-Identifier: MIT
// Workers of every mode under faults, in short: what they recorded is as promised, and the checker sees where it is
// not. The hour is run by hand, see README.md. LOCKSCOPE_TEST_SEED repeats a seed.
#include "faultrun.h"
#include "soak.h"

#include <QtTest/QTest>

#include <random>

using namespace lockscope::faults;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

class TestFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aPlanFollowsFromItsSeed();
    void everyModeKeepsItsPromises_data();
    void everyModeKeepsItsPromises();
    void withoutTheFenceStaleWritesAreFound();
    void theFenceKeepsThemOut();
    void aSoakLeavesNothing();

private:
    QString nextFolder();
    Verdict run(const RunPlan &plan);
    bool isKept(const Verdict &verdict);

    quint64 m_seed = 0;
    int m_runs = 0;
    QTemporaryDir m_folder;
};

void TestFaults::initTestCase()
{
    bool isGiven = false;
    m_seed = qEnvironmentVariable("LOCKSCOPE_TEST_SEED").toULongLong(&isGiven);
    if (!isGiven)
        m_seed = std::random_device()();
    qInfo("LOCKSCOPE_TEST_SEED=%llu", m_seed);
}

namespace {

/// Freezes of holders that think for long.
RunPlan freezesOf(quint64 seed)
{
    RunPlan plan;
    plan.seed = seed;
    plan.seconds = 12;
    plan.resources = 6;
    plan.think = std::chrono::milliseconds(300);
    plan.freezesOnly = true;
    return plan;
}

bool areAlike(const Fault &a, const Fault &b)
{
    return a.kind == b.kind && a.at == b.at && a.length == b.length && a.place == b.place && a.choice == b.choice;
}

} // namespace

/// Of the next run.
QString TestFaults::nextFolder()
{
    const QString folder = m_folder.filePath(QString::number(++m_runs));
    QDir().mkpath(folder);
    return folder;
}

Verdict TestFaults::run(const RunPlan &plan)
{
    Promises promises;
    promises.way = plan.way;
    promises.ttl = std::chrono::microseconds(plan.ttl).count();
    const Verdict verdict = runUnderFaults(plan, promises, TestServer::instance(), nextFolder());
    qInfo("seed %llu: %ls", plan.seed, qUtf16Printable(reportOf(verdict)));
    return verdict;
}

/// What was promised. Where it is not, the histories stay, for `lockscope_faults --check`.
bool TestFaults::isKept(const Verdict &verdict)
{
    if (verdict.findings.empty())
        return true;
    m_folder.setAutoRemove(false);
    qWarning("histories: %ls", qUtf16Printable(m_folder.path()));
    return false;
}

void TestFaults::aPlanFollowsFromItsSeed()
{
    RunPlan plan;
    plan.seed = m_seed;
    plan.seconds = 600;
    const std::vector<Fault> faults = planFaults(plan);
    const std::vector<Fault> again = planFaults(plan);
    QVERIFY(std::equal(faults.begin(), faults.end(), again.begin(), again.end(), areAlike));
    for (const Kind kind : {Kind::Killed, Kind::Frozen, Kind::Cut, Kind::Stalled, Kind::Reset, Kind::Session,
                            Kind::Restart, Kind::Crash}) {
        QVERIFY2(std::any_of(faults.begin(), faults.end(), [kind](const Fault &fault) { return fault.kind == kind; }),
                 qPrintable(wordFor(kind)));
    }
    for (const Fault &fault : faults)
        QVERIFY(fault.at + fault.length < plan.seconds * qint64(1'000'000));
    ++plan.seed;
    const std::vector<Fault> others = planFaults(plan);
    QVERIFY(!std::equal(faults.begin(), faults.end(), others.begin(), others.end(), areAlike));
}

void TestFaults::everyModeKeepsItsPromises_data()
{
    QTest::addColumn<Way>("way");
    for (const Way way : {Way::Unique, Way::Pessimistic, Way::Optimistic})
        QTest::newRow(nameOf(way)) << way;
}

void TestFaults::everyModeKeepsItsPromises()
{
    QFETCH(Way, way);
    RunPlan plan;
    plan.way = way;
    plan.seed = m_seed;
    plan.seconds = 20;
    const Verdict verdict = run(plan);
    QVERIFY(isKept(verdict));
    QVERIFY(verdict.figures.writes > 0);
    QVERIFY(verdict.figures.looks > 0);
}

/// Which holder is met is chance: one run in some hits none between reading and writing.
void TestFaults::withoutTheFenceStaleWritesAreFound()
{
    std::size_t found = 0;
    for (quint64 more = 0; more < 4 && found == 0; ++more) {
        RunPlan plan = freezesOf(m_seed + more);
        plan.isFenced = false;
        found = run(plan).countOf(u"stale write"_s);
    }
    QVERIFY(found > 0);
}

void TestFaults::theFenceKeepsThemOut()
{
    QVERIFY(isKept(run(freezesOf(m_seed))));
}

void TestFaults::aSoakLeavesNothing()
{
    const SoakPlan plan{.seed = m_seed, .leases = 400, .rounds = 5, .ttl = std::chrono::seconds(10)};
    const SoakVerdict verdict = soak(plan, TestServer::instance(), nextFolder());
    qInfo("seed %llu: %ls", plan.seed, qUtf16Printable(verdict.text));
    for (const Finding &finding : verdict.findings)
        qWarning("BROKEN %ls: %ls", qUtf16Printable(finding.rule), qUtf16Printable(finding.text));
    QVERIFY(verdict.findings.empty());
}

QTEST_GUILESS_MAIN(TestFaults)
#include "tst_faults.moc"
