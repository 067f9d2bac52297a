// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "console/duration.h"
#include "console/visibletext.h"
#include "console/wholefile.h"
#include "lab/labdocument.h"
#include "lab/labrun.h"
#include "lab/labverdict.h"
#include "privateserver/privateserver.h"
#include "process/interruption.h"
#include "server/trialserver.h"
#include "simulateoptions.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "terminal/terminal.h"
#include "text/waitstext.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QJsonDocument>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

LabPlace placeOn(const TrialServer::Place &server)
{
    LabPlace place;
    place.target = server.target;
    place.target.readTimeout = {}; // its workers wait for each other
    place.access = server.access;
    place.workerProgram = QCoreApplication::applicationFilePath();
    if (server.isPrivate)
        place.restart = [] { return PrivateServer::restart(); };
    return place;
}

void printSummary(const LabReport &report)
{
    const LabCounts &counts = report.counts;
    printLine(u"%1: %2"_s.arg(labRunName(report.plan), labVerdict(report.plan, counts)));
    printLine(u"  %1 granted in %2 (%3 per second), p50 %4, p95 %5, p99 %6, longest %7"_s.arg(counts.granted)
                  .arg(formatDuration(report.length))
                  .arg(report.throughput(), 0, 'f', 1)
                  .arg(formatDuration(report.latency.percentile(50)), formatDuration(report.latency.percentile(95)),
                       formatDuration(report.latency.percentile(99)), formatDuration(report.latency.max())));
    printLine(u"  %1 timed out, %2 busy, %3, %4, %5, fairness %6"_s.arg(counts.timedOut)
                  .arg(counts.busy)
                  .arg(counted(qint64(counts.conflicts), u"conflict"_s, u"conflicts"_s),
                       counted(qint64(counts.deadlocks), u"deadlock"_s, u"deadlocks"_s),
                       counted(qint64(counts.errors), u"error"_s, u"errors"_s))
                  .arg(report.fairness, 0, 'f', 3));
    printLine(
        u"  violations %1, overlaps %2, lost updates %3, stale writes %4 (refused %5), duplicates %6, oversold %7"_s
            .arg(counts.violations)
            .arg(counts.overlaps)
            .arg(counts.lostUpdates)
            .arg(counts.staleWrites)
            .arg(counts.refusedWrites)
            .arg(counts.duplicates)
            .arg(counts.oversold));
    if (!report.firstError.isEmpty())
        printLine(u"  first error: %1"_s.arg(printable(report.firstError)));
    if (report.partial)
        printLine(u"  partial: %1"_s.arg(printable(report.partial->toUtf8())));
}

/// False, and said so, where there is a reason.
bool isFine(const QString &name, const QString &whyNot)
{
    if (!whyNot.isEmpty())
        printError(u"%1 cannot be written: %2"_s.arg(name, whyNot));
    return whyNot.isEmpty();
}

bool writeFile(const QString &name, const QByteArray &content)
{
    return isFine(name, writeWhole(name, content));
}

/// Before the run, which may be long.
bool canWrite(const std::string &name)
{
    const QString path = QString::fromStdString(name);
    return path.isEmpty() || isFine(path, whyNotWritable(path));
}

/// And its pictures beside it.
bool writeReport(const std::string &name, const QList<LabReport> &reports)
{
    const QFileInfo wanted(QString::fromStdString(name));
    const auto files = labDocument(reports, wanted.completeBaseName());
    for (auto it = files.begin(); it != files.end(); ++it) {
        const bool isText = it.key().endsWith(".md"_L1);
        if (!writeFile(isText ? wanted.filePath() : wanted.dir().filePath(it.key()), it.value()))
            return false;
    }
    return true;
}

QByteArray asJson(const QList<LabReport> &reports, bool isList)
{
    QJsonArray runs;
    for (const LabReport &report : reports)
        runs.append(report.toJson());
    return visibleJson((isList ? QJsonDocument(runs) : QJsonDocument(runs.first().toObject())).toJson());
}

int tell(const Globals &globals, const SimulateOptions &options, const QList<LabReport> &reports, bool isList)
{
    if (globals.json)
        print(QString::fromUtf8(asJson(reports, isList)));
    else if (isList)
        print(labMarkdown(reports));
    for (const LabReport &report : reports) {
        if (!globals.json && !isList)
            printSummary(report);
    }
    bool isWritten =
        options.saveTo.empty() || writeFile(QString::fromStdString(options.saveTo), asJson(reports, isList));
    if (!options.reportTo.empty())
        isWritten = writeReport(options.reportTo, reports) && isWritten;
    const bool isBroken =
        std::any_of(reports.begin(), reports.end(), [](const LabReport &report) { return report.hasBrokenPromise(); });
    if (isBroken)
        printError(u"a mode of the engine broke its promise"_s);
    return isBroken || !isWritten ? Failed : Done;
}

/// A comparison without a part of what it was asked for is another one, so none is run. Says how to have that instead.
void addOthers(const QList<LabPlan> &plans, LockError *missing)
{
    QStringList modes;
    for (const LabPlan &plan : plans) {
        const QString mode = QString::fromLatin1(traitsOf(plan.way).name);
        if (!modes.contains(mode) && !missingServers({plan}))
            modes += mode;
    }
    if (!modes.isEmpty())
        missing->message += u" What needs none of it: --modes %1."_s.arg(modes.join(u','));
}

int simulate(const Globals &globals, const SimulateOptions &options, bool isComparison)
{
    if (options.isWorker)
        return runLabWorkerProcess();
    QString wrong;
    const QList<LabPlan> plans = plansOf(options, isComparison, &wrong);
    if (plans.isEmpty()) {
        printError(wrong);
        return Usage;
    }
    if (!canWrite(options.saveTo) || !canWrite(options.reportTo))
        return Failed;
    if (auto missing = missingServers(plans)) {
        if (isComparison)
            addOthers(plans, &*missing);
        return printError(*missing);
    }
    int exitCode = Done;
    TrialServer server(globals);
    auto found = server.find(u"Make contention on %1, in a schema of its own? [y/N] "_s, options.isAgreed, &exitCode);
    if (!found)
        return exitCode;
    const LabPlace place = placeOn(*found);
    const Interruption interruption;
    QList<LabReport> reports;
    for (const LabPlan &plan : plans) {
        const LabResult result = runLab(plan, place, interruption.token());
        if (result.error) {
            printError(*result.error);
            exitCode = exitCodeFor(*result.error);
        }
        if (!result.error || result.report.counts.attempts > 0)
            reports.append(result.report);
        if (result.error || interruption.token().stop_requested())
            break;
    }
    if (reports.isEmpty())
        return exitCode;
    const int told = tell(globals, options, reports, isComparison);
    return exitCode != Done ? exitCode : told;
}

} // namespace

void addSimulate(CLI::App &app, Globals &globals)
{
    auto *command = addCommand(app, "simulate", "Make contention on purpose, and count what goes wrong",
                               "lockctl simulate --mode unique --workers 16 --hold 5ms --fault freeze@4s/5s");
    auto options = std::make_shared<SimulateOptions>();
    options->modes.resize(1);
    command
        ->add_option("--mode", options->modes.front(),
                     "How to lock, with a load that shows what it is known for, unless options say otherwise. One of: "
                         + modeNames().toStdString())
        ->type_name("MODE");
    command->add_flag("--as-worker", options->isWorker)->group("");
    addRunOptions(*command, *options);
    command->callback(
        [&globals, options] { globals.action = [&globals, options] { return simulate(globals, *options, false); }; });
}

void addCompare(CLI::App &app, Globals &globals)
{
    auto *command = addCommand(app, "compare", "The same load through several modes, one after the other",
                               "lockctl compare --modes unique,pessimistic,none --workers 16 --duration 10s");
    auto options = std::make_shared<SimulateOptions>();
    command
        ->add_option("--modes", options->modes,
                     "What to compare, all with the load of the first that needs one of its own. Scenarios of stores "
                     "know it by themselves. Several of: "
                         + modeNames().toStdString())
        ->type_name("MODES")
        ->delimiter(',');
    command
        ->add_option("--report", options->reportTo,
                     "Write a report as Markdown to this file, and its picture beside it")
        ->type_name("FILE");
    addRunOptions(*command, *options);
    command->callback(
        [&globals, options] { globals.action = [&globals, options] { return simulate(globals, *options, true); }; });
}

} // namespace lockscope::ctl
