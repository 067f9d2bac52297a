// SPDX-License-Identifier: MIT
// lockctl simulate and compare, as a shell sees them.
#include "enginetest.h"
#include "lab/labplan.h"
#include "lockctlrunner.h"
#include "privateserver/processref.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtCore/QXmlStreamReader>
#include <QtTest/QTest>

#include <algorithm>
#include <csignal>
#include <vector>

using namespace lockscope;
using namespace lockscope::test;
using namespace Qt::StringLiterals;

namespace {

struct Child
{
    qint64 pid;
    bool isStopped;
};

/// By proc(5): state and parent stand behind the name, which may hold anything.
QList<Child> childrenOf(qint64 parent)
{
    QList<Child> children;
    const QStringList processes = QDir(u"/proc"_s).entryList({u"[1-9]*"_s}, QDir::Dirs);
    for (const QString &process : processes) {
        QFile file(u"/proc/%1/stat"_s.arg(process));
        if (!file.open(QIODevice::ReadOnly))
            continue; // it has ended
        const QByteArray text = file.readAll();
        const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
        if (fields.value(1).toLongLong() == parent)
            children.append({process.toLongLong(), fields[0] == "T"});
    }
    return children;
}

} // namespace

class TestLockctlSimulate : public EngineTest
{
    Q_OBJECT

private Q_SLOTS:
    void wrongWordsAreUsageErrors_data();
    void wrongWordsAreUsageErrors();
    void aRunPrintsOneDocument();
    void aScenarioTakesOtherOptions();
    void modesAreCompared();
    void aSaleWithoutALockEnds();
    void aReportHasItsPictureBesideIt();
    void networksAreCutAndErrorsAreNamed();
    void aSavedRunIsAPlanAgain();
    void aFileThatCannotBeWrittenIsToldBeforeTheRun();
    void aFullDiskLeavesTheSavedFileAsItWas();
    void aDamagedFileIsNamed_data();
    void aDamagedFileIsNamed();
    void anotherServerIsNotLoadedUnasked();
    void anInterruptedRunKeepsWhatThereIs();
    void aKilledRunLeavesNoWorkerBehind();
#ifdef LOCKSCOPE_HAS_REDIS
    void modesOnRedisAreCompared();
    void aMissingRedisIsNamedInOneSentence();
    void aKilledRunLeavesNoRedisBehind();
#endif
#ifdef LOCKSCOPE_HAS_ETCD
    void aMissingEtcdIsNamedInOneSentence();
#endif
#ifdef LOCKSCOPE_HAS_ZOOKEEPER
    void modesOnZooKeeperAreCompared();
    void missingProgramsOfZooKeeperAreNamedInOneSentence();
    void aKilledRunLeavesNoZooKeeperBehind();
#endif
#if defined(LOCKSCOPE_HAS_REDIS) && defined(LOCKSCOPE_HAS_ZOOKEEPER) && defined(LOCKSCOPE_HAS_ETCD)
    void fourStoresStandSideBySide();
    void allThatIsMissingIsSaidBeforeAnythingRuns_data();
    void allThatIsMissingIsSaidBeforeAnythingRuns();
#endif

private:
    CtlRunner ctl() const
    {
        return CtlRunner(m_server->url().toString());
    }
};

void TestLockctlSimulate::wrongWordsAreUsageErrors_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("says");
    QTest::newRow("mode") << QStringList{u"--mode"_s, u"telepathy"_s} << u"check-then-insert"_s;
    QTest::newRow("scenario") << QStringList{u"--scenario"_s, u"apocalypse"_s} << u"flash-sale"_s;
    QTest::newRow("workers") << QStringList{u"--workers"_s, u"0"_s} << u"workers"_s;
    QTest::newRow("hold") << QStringList{u"--hold"_s, u"soon"_s} << u"2ms"_s;
    QTest::newRow("hold's shape") << QStringList{u"--hold"_s, u"2ms:bell"_s} << u"hold"_s;
    QTest::newRow("fault") << QStringList{u"--fault"_s, u"meteor@1s"_s} << u"freeze@4s"_s;
    QTest::newRow("fault's time") << QStringList{u"--fault"_s, u"crash@later"_s} << u"freeze@4s"_s;
    QTest::newRow("ttl") << QStringList{u"--ttl"_s, u"1ms"_s} << u"TTL"_s;
    QTest::newRow("duration that ends before the mode's own faults")
        << QStringList{u"--mode"_s, u"redlock"_s, u"--duration"_s, u"500ms"_s}
        << u"The load of mode redlock has faults of its own"_s;
    QTest::newRow("duration that ends before the scenario's own faults")
        << QStringList{u"--scenario"_s, u"crashing-holders"_s, u"--duration"_s, u"3s"_s}
        << u"The scenario crashing-holders has faults of its own"_s;
    QTest::newRow("what nodes keep") << QStringList{u"--store"_s, u"paper"_s} << u"memory, everysec, durable"_s;
    QTest::newRow("what nodes keep, twice")
        << QStringList{u"--mode"_s, u"redis-set"_s, u"--store"_s, u"memory,durable"_s} << u"compare"_s;
    QTest::newRow("servers") << QStringList{u"--servers"_s, u"2"_s} << u"1 or 3"_s;
    QTest::newRow("duration") << QStringList{u"--duration"_s, u"3"_s} << u"duration"_s;
    QTest::newRow("plan") << QStringList{u"--plan"_s, u"/does/not/exist"_s} << u"cannot be read"_s;
}

void TestLockctlSimulate::wrongWordsAreUsageErrors()
{
    QFETCH(QStringList, words);
    QFETCH(QString, says);
    const CtlResult result = ctl().run(QStringList{u"simulate"_s, u"--yes"_s} + words);
    QCOMPARE(result.exitCode, 64);
    QVERIFY2(result.err.contains(says.toUtf8()), result.text());
    QVERIFY(result.out.isEmpty());
}

void TestLockctlSimulate::aRunPrintsOneDocument()
{
    const CtlResult result = ctl().run({u"simulate"_s, u"--yes"_s, u"--json"_s, u"--duration"_s, u"3s"_s});
    QVERIFY2(result.exitCode == 0, result.text());
    const QJsonObject run = result.object();
    QCOMPARE(run.value(u"mode"_s).toString(), u"unique"_s);
    QVERIFY(run.value(u"granted"_s).toInteger() > 0);
    for (const char *key :
         {"attempts", "timedOut", "conflicts", "errors", "throughput", "latency", "fairness", "violations", "overlaps",
          "lostUpdates", "staleWrites", "statementsPerGrant", "connections", "partial"})
        QVERIFY2(run.contains(QLatin1StringView(key)), key);
    QCOMPARE(run.value(u"partial"_s), QJsonValue(false));
}

void TestLockctlSimulate::aScenarioTakesOtherOptions()
{
    const CtlResult result = ctl().run({u"simulate"_s, u"--yes"_s, u"--json"_s, u"--scenario"_s, u"hot-row"_s,
                                        u"--workers"_s, u"3"_s, u"--duration"_s, u"300ms"_s, u"--mode"_s, u"none"_s});
    QVERIFY2(result.exitCode == 0, result.text()); // no lock makes no promise
    const QJsonObject plan = result.object().value(u"plan"_s).toObject();
    QCOMPARE(plan.value(u"skew"_s).toString(), u"hot"_s);
    QCOMPARE(plan.value(u"workers"_s).toInt(), 3);
    QCOMPARE(plan.value(u"mode"_s).toString(), u"none"_s);
}

void TestLockctlSimulate::modesAreCompared()
{
    const CtlResult result =
        ctl().run({u"compare"_s, u"--yes"_s, u"--modes"_s, u"unique,pessimistic,none"_s, u"--duration"_s, u"300ms"_s});
    QVERIFY2(result.exitCode == 0, result.text());
    QCOMPARE(result.out.count("\n| "), 3);
    QVERIFY(result.out.contains("\n- unique: No harm in "));
    QVERIFY(result.out.startsWith("| mode |"));
    QVERIFY(result.out.contains("| pessimistic |"));
}

/// Everybody looks once more when all is sold, and leaves.
void TestLockctlSimulate::aSaleWithoutALockEnds()
{
    const CtlResult result = ctl().run({u"simulate"_s, u"--yes"_s, u"--json"_s, u"--scenario"_s, u"flash-sale"_s,
                                        u"--mode"_s, u"none"_s, u"--duration"_s, u"2s"_s});
    QVERIFY2(result.exitCode == 0, result.text());
    const QJsonObject run = result.object();
    QCOMPARE(run.value(u"partial"_s), QJsonValue(false));
    QVERIFY(run.value(u"writes"_s).toInteger() > 0);
    QVERIFY2(run.value(u"skipped"_s).toInteger() <= run.value(u"plan"_s).toObject().value(u"workers"_s).toInteger(),
             result.text());
}

void TestLockctlSimulate::aReportHasItsPictureBesideIt()
{
    QTemporaryDir folder;
    const CtlResult result = ctl().run({u"compare"_s, u"--yes"_s, u"--modes"_s, u"unique,none"_s, u"--duration"_s,
                                        u"300ms"_s, u"--report"_s, folder.filePath(u"two modes.md"_s)});
    QVERIFY2(result.exitCode == 0, result.text());
    QFile report(folder.filePath(u"two modes.md"_s));
    QVERIFY(report.open(QIODevice::ReadOnly));
    const QByteArray text = report.readAll();
    QVERIFY(text.contains("| none |"));
    QVERIFY(text.contains("](<two modes-chart.svg>)"));
    QFile picture(folder.filePath(u"two modes-chart.svg"_s));
    QVERIFY(picture.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&picture);
    while (!xml.atEnd())
        xml.readNext();
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
}

void TestLockctlSimulate::networksAreCutAndErrorsAreNamed()
{
    const CtlResult result =
        ctl().run({u"simulate"_s, u"--yes"_s, u"--json"_s, u"--mode"_s, u"insert-poll"_s, u"--workers"_s, u"2"_s,
                   u"--duration"_s, u"5s"_s, u"--fault"_s, u"cut@300ms+300ms"_s, u"--fault"_s, u"slow@1s+300ms"_s,
                   u"--fault"_s, u"kill-session@500ms/100ms"_s});
    QVERIFY2(result.exitCode == 0, result.text()); // it promises nothing
    QCOMPARE(result.object().value(u"networkFaults"_s).toInteger(), 2);
    QVERIFY(result.object().value(u"errors"_s).toInteger() > 0);
    QVERIFY2(!result.object().value(u"firstError"_s).toString().isEmpty(), result.text());
}

void TestLockctlSimulate::aSavedRunIsAPlanAgain()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(u"run.json"_s);
    const QStringList run{u"simulate"_s, u"--yes"_s, u"--duration"_s, u"300ms"_s};
    QCOMPARE(ctl().run(run + QStringList{u"--workers"_s, u"5"_s, u"--save"_s, file}).exitCode, 0);
    const CtlResult again = ctl().run(run + QStringList{u"--plan"_s, file, u"--json"_s});
    QVERIFY2(again.exitCode == 0, again.text());
    QCOMPARE(again.object().value(u"plan"_s).toObject().value(u"workers"_s).toInt(), 5);
}

void TestLockctlSimulate::aFileThatCannotBeWrittenIsToldBeforeTheRun()
{
    QTemporaryDir folder;
    const QStringList plan{u"--yes"_s, u"--workers"_s, u"2"_s, u"--duration"_s, u"10m"_s};
    for (const QString &path : {folder.path(), folder.filePath(u"no/such"_s)}) {
        for (const QStringList &words : {QStringList{u"simulate"_s, u"--save"_s},
                                         QStringList{u"compare"_s, u"--modes"_s, u"unique"_s, u"--report"_s}}) {
            const CtlResult result = ctl().run(words + QStringList{path} + plan);
            QVERIFY2(result.exitCode == 1 && result.err.contains("cannot be written"), result.text());
        }
    }
}

void TestLockctlSimulate::aFullDiskLeavesTheSavedFileAsItWas()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"run.json"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("before") == 6 && file.flush());
    const CtlResult result = ctl().shell(
        u"trap '' XFSZ; ulimit -f 0; exec \"$0\" simulate --yes --workers 2 --duration 300ms --save '%1'"_s.arg(path));
    QVERIFY2(result.exitCode == 1 && result.err.contains("cannot be written"), result.text());
    QFile after(path);
    QVERIFY(after.open(QIODevice::ReadOnly));
    QCOMPARE(after.readAll(), QByteArray("before"));
}

void TestLockctlSimulate::aDamagedFileIsNamed_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("says");
    QTest::newRow("cut in half") << QByteArray(R"({"workers": 5, "mo)") << u"damaged or cut off"_s;
    QTest::newRow("with a member of a newer version") << QByteArray(R"({"workers": 5, "gravity": 1})") << u"gravity"_s;
    QTest::newRow("a run of a newer version")
        << QByteArray(R"({"format": "lockscope-run", "version": 1000, "plan": {"workers": 5}})") << u"version 1000"_s;
    QTest::newRow("several runs") << QByteArray(R"([{"format": "lockscope-run", "version": 1}])") << u"one run"_s;
    QTest::newRow("absurd") << QByteArray(R"({"workers": -5})") << u"workers"_s;
}

void TestLockctlSimulate::aDamagedFileIsNamed()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, says);
    QTemporaryDir folder;
    QFile file(folder.filePath(u"plan.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    file.close();
    const CtlResult result = ctl().run({u"simulate"_s, u"--yes"_s, u"--plan"_s, file.fileName()});
    QCOMPARE(result.exitCode, 64);
    QVERIFY2(result.err.contains(says.toUtf8()), result.text());
}

void TestLockctlSimulate::anotherServerIsNotLoadedUnasked()
{
    const CtlResult result = ctl().run({u"simulate"_s, u"--json"_s, u"--duration"_s, u"300ms"_s});
    QCOMPARE(result.exitCode, 3);
    QVERIFY2(result.err.contains("--yes"), result.text());
}

void TestLockctlSimulate::anInterruptedRunKeepsWhatThereIs()
{
    const auto process = ctl().start({u"simulate"_s, u"--yes"_s, u"--json"_s, u"--duration"_s, u"1h"_s});
    const QByteArray working =
        "SELECT COUNT(*) FROM information_schema.processlist WHERE db LIKE 'lockscope\\_lab\\_%'";
    QVERIFY(eventually([&] { return m_observer->value(working).toInt() > 4; }));
    process->terminate();
    const CtlResult result = CtlRunner::finish(*process);
    QVERIFY2(result.exitCode == 0, result.text());
    QCOMPARE(result.object().value(u"partial"_s).toString(), u"stopped by hand"_s);
    QCOMPARE(m_observer
                 ->value("SELECT COUNT(*) FROM information_schema.schemata "
                         "WHERE schema_name LIKE 'lockscope\\_lab\\_%'")
                 .toInt(),
             0);
}

/// Nor one that is frozen and sees nothing of it.
void TestLockctlSimulate::aKilledRunLeavesNoWorkerBehind()
{
    const auto run = ctl().start({u"simulate"_s, u"--yes"_s, u"--processes"_s, u"--workers"_s, u"3"_s, u"--hold"_s,
                                  u"100ms"_s, u"--duration"_s, u"1h"_s, u"--fault"_s, u"freeze@1s+1h"_s});
    const auto isOneFrozen = [&run] {
        const QList<Child> children = childrenOf(run->processId());
        return children.size() == 3
            && std::any_of(children.begin(), children.end(), [](const Child &child) { return child.isStopped; });
    };
    QVERIFY(eventually(isOneFrozen));
    std::vector<std::unique_ptr<ProcessRef>> workers;
    for (const Child &child : childrenOf(run->processId()))
        workers.push_back(std::make_unique<ProcessRef>(child.pid));
    run->kill();
    QVERIFY(run->waitForFinished());
    for (const auto &worker : workers) {
        const bool isGone = worker->waitUntilGone(Patience);
        worker->signal(SIGKILL); // nothing is left behind by this test either
        QVERIFY(isGone);
    }
}

#ifdef LOCKSCOPE_HAS_REDIS
void TestLockctlSimulate::modesOnRedisAreCompared()
{
    const QStringList modes{u"redis-setnx"_s, u"redis-getset"_s, u"redis-set"_s, u"redis-wake"_s,
                            u"redis-fair"_s,  u"redlock"_s,      u"unique"_s};
    const CtlResult result =
        ctl().run({u"compare"_s, u"--yes"_s, u"--modes"_s, modes.join(u','), u"--scenario"_s, u"hot-row"_s,
                   u"--store"_s, u"everysec"_s, u"--duration"_s, u"2s"_s, u"--json"_s});
    QVERIFY2(result.exitCode == 0, result.text());
    QVERIFY2(result.err.isEmpty(), result.text());
    QStringList names;
    for (const auto &run : result.array()) {
        names += run[u"mode"_s].toString();
        QVERIFY2(run[u"granted"_s].toInteger() > 0, qPrintable(names.last()));
        QCOMPARE(run[u"server"_s].toString().contains(u"(everysec)"_s), names.last() != u"unique"_s);
        QCOMPARE(run[u"plan"_s][u"store"_s].toString(), u"everysec"_s);
    }
    QCOMPARE(names, modes);
}

void TestLockctlSimulate::aMissingRedisIsNamedInOneSentence()
{
    QTemporaryDir empty;
    CtlRunner without = ctl();
    without.set("PATH", empty.path());
    without.set("XDG_CACHE_HOME", empty.path());
    const CtlResult result = without.run({u"simulate"_s, u"--yes"_s, u"--mode"_s, u"redis-set"_s});
    QCOMPARE(result.exitCode, 69);
    QCOMPARE(result.err.count('\n'), 1);
    QVERIFY2(result.err.contains("`sudo apt install redis-tools`"), result.text());
    QVERIFY2(result.err.contains("without root, `mkdir -p "), result.text());
    QVERIFY(result.out.isEmpty());
}

void TestLockctlSimulate::aKilledRunLeavesNoRedisBehind()
{
    const auto run = ctl().start({u"simulate"_s, u"--yes"_s, u"--mode"_s, u"redis-set"_s, u"--duration"_s, u"1h"_s});
    QVERIFY(eventually([&run] { return childrenOf(run->processId()).size() == 1; }));
    const ProcessRef node(childrenOf(run->processId()).constFirst().pid);
    run->kill();
    QVERIFY(run->waitForFinished());
    QVERIFY(node.waitUntilGone(Patience));
}
#endif

#ifdef LOCKSCOPE_HAS_ETCD
void TestLockctlSimulate::aMissingEtcdIsNamedInOneSentence()
{
    QTemporaryDir empty;
    CtlRunner without = ctl();
    without.set("PATH", empty.path());
    without.set("XDG_CACHE_HOME", empty.path());
    const CtlResult result = without.run({u"simulate"_s, u"--yes"_s, u"--mode"_s, u"etcd"_s});
    QCOMPARE(result.exitCode, 69);
    QCOMPARE(result.err.count('\n'), 1);
    QVERIFY2(result.err.contains("without root, `mkdir -p " + empty.path().toUtf8()), result.text());
    QVERIFY(result.out.isEmpty());
}
#endif

#ifdef LOCKSCOPE_HAS_ZOOKEEPER
void TestLockctlSimulate::modesOnZooKeeperAreCompared()
{
    const CtlResult result = ctl().run({u"compare"_s, u"--yes"_s, u"--modes"_s, u"zookeeper,zookeeper-herd,unique"_s,
                                        u"--servers"_s, u"3"_s, u"--duration"_s, u"3s"_s, u"--json"_s});
    QVERIFY2(result.exitCode == 0, result.text());
    QVERIFY2(result.err.isEmpty(), result.text());
    for (const auto &run : result.array()) {
        const QString mode = run[u"mode"_s].toString();
        QVERIFY2(run[u"granted"_s].toInteger() > 0, qPrintable(mode));
        QCOMPARE(run[u"server"_s].toString().contains(u", 3 × ZooKeeper "_s), mode != u"unique"_s);
        QCOMPARE(run[u"crashTakes"_s].toString() == u"last-writes"_s, mode != u"unique"_s);
    }
    QCOMPARE(result.array().size(), 3);
}

void TestLockctlSimulate::missingProgramsOfZooKeeperAreNamedInOneSentence()
{
    QTemporaryDir empty;
    CtlRunner without = ctl();
    without.set("PATH", empty.path());
    without.set("XDG_CACHE_HOME", empty.path());
    const CtlResult result = without.run({u"simulate"_s, u"--yes"_s, u"--mode"_s, u"zookeeper"_s});
    QCOMPARE(result.exitCode, 69);
    QCOMPARE(result.err.count('\n'), 1);
    QVERIFY2(result.err.contains("`sudo apt install default-jre-headless libzookeeper-java`"), result.text());
    QVERIFY2(result.err.contains("without root, `mkdir -p " + empty.path().toUtf8()), result.text());
    QVERIFY(result.out.isEmpty());
}

void TestLockctlSimulate::aKilledRunLeavesNoZooKeeperBehind()
{
    const auto run = ctl().start(
        {u"simulate"_s, u"--yes"_s, u"--mode"_s, u"zookeeper"_s, u"--servers"_s, u"3"_s, u"--duration"_s, u"1h"_s});
    QVERIFY(eventually([&run] { return childrenOf(run->processId()).size() == 3; }));
    std::vector<std::unique_ptr<ProcessRef>> nodes;
    for (const Child &child : childrenOf(run->processId()))
        nodes.push_back(std::make_unique<ProcessRef>(child.pid));
    run->kill();
    QVERIFY(run->waitForFinished());
    for (const auto &node : nodes)
        QVERIFY(node->waitUntilGone(Patience));
}
#endif

#if defined(LOCKSCOPE_HAS_REDIS) && defined(LOCKSCOPE_HAS_ZOOKEEPER) && defined(LOCKSCOPE_HAS_ETCD)
/// Each store's locks once as it comes and once as durable as it can be, and the table says what that is worth.
void TestLockctlSimulate::fourStoresStandSideBySide()
{
    const CtlResult result =
        ctl().run({u"compare"_s, u"--yes"_s, u"--scenario"_s, u"four-stores"_s, u"--duration"_s, u"500ms"_s});
    QVERIFY2(result.exitCode == 0, result.text());
    const auto takes = [&result](const QByteArray &run) {
        const qsizetype row = result.out.indexOf("\n| " + run + " |");
        const QByteArray line = result.out.mid(row + 1, result.out.indexOf('\n', row + 1) - row - 1);
        return row < 0 ? QByteArray("no row") : line.split('|').value(21).trimmed();
    };
    QCOMPARE(takes("redis-fair"), QByteArray("all locks"));
    QCOMPARE(takes("redis-fair (durable)"), QByteArray("nothing"));
    QCOMPARE(takes("zookeeper"), QByteArray("the last writes"));
    QCOMPARE(takes("zookeeper (durable)"), QByteArray("nothing"));
    QCOMPARE(takes("etcd"), QByteArray("nothing"));
    const bool isDurable = m_observer->value("SELECT @@GLOBAL.innodb_flush_log_at_trx_commit").toInt() == 1;
    QCOMPARE(takes("unique"), QByteArray(isDurable ? "nothing" : "the last second"));
    QCOMPARE(takes("pessimistic"), takes("unique"));
    QCOMPARE(result.out.count("\n| "), 7);
}

void TestLockctlSimulate::allThatIsMissingIsSaidBeforeAnythingRuns_data()
{
    QTest::addColumn<QStringList>("programs");
    QTest::addColumn<QByteArray>("says");
    QTest::addColumn<QByteArray>("command");
    QTest::addColumn<QByteArray>("others");
    QTest::newRow("etcd") << QStringList{u"redis-server"_s, u"java"_s} << QByteArray("An etcd server is not installed")
                          << QByteArray("`sudo apt install etcd-server`")
                          << QByteArray("--modes redis-fair,zookeeper,unique,pessimistic");
    QTest::newRow("all but Redis") << QStringList{u"redis-server"_s}
                                   << QByteArray("Java for ZooKeeper and an etcd server are not installed")
                                   << QByteArray(
                                          "`sudo apt install default-jre-headless libzookeeper-java etcd-server`")
                                   << QByteArray("--modes redis-fair,unique,pessimistic");
    QTest::newRow("all") << QStringList()
                         << QByteArray("A Redis server, Java for ZooKeeper and an etcd server are not installed")
                         << QByteArray("`sudo apt install redis-tools default-jre-headless libzookeeper-java "
                                       "etcd-server`")
                         << QByteArray("--modes unique,pessimistic");
}

void TestLockctlSimulate::allThatIsMissingIsSaidBeforeAnythingRuns()
{
    QFETCH(const QStringList, programs);
    QFETCH(const QByteArray, says);
    QFETCH(const QByteArray, command);
    QFETCH(const QByteArray, others);
    QTemporaryDir empty;
    for (const QString &program : programs)
        QVERIFY(QFile::link(u"/bin/true"_s, empty.filePath(program))); // it is looked for, and not run
    const QDir jars(empty.filePath(u"lockscope/stores/usr/share/java"_s));
    QVERIFY(jars.mkpath(u"."_s));
    for (const char *jar : {"zookeeper", "zookeeper-jute", "slf4j-api", "slf4j-simple", "metrics-core", "snappy-java"})
        QVERIFY(QFile(jars.filePath(QLatin1StringView(jar) + u".jar"_s)).open(QIODevice::WriteOnly));
    CtlRunner without = ctl();
    without.set("PATH", empty.path());
    without.set("XDG_CACHE_HOME", empty.path());
    const CtlResult result = without.run({u"compare"_s, u"--yes"_s, u"--scenario"_s, u"four-stores"_s});
    QCOMPARE(result.exitCode, 69);
    QCOMPARE(result.err.count('\n'), 1);
    QVERIFY2(result.err.contains(says) && result.err.contains(command) && result.err.contains(others), result.text());
    QVERIFY(result.out.isEmpty());
}
#endif

QTEST_GUILESS_MAIN(TestLockctlSimulate)
#include "tst_lockctlsimulate.moc"
