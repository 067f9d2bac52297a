// SPDX-License-Identifier: MIT
#include "bulkreleasecommand.h"

#include "process/supervisor.h"
#include "server/reachedsource.h"
#include "server/server.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "terminal/terminal.h"

#include <csignal>
#include <string>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

QJsonObject withLocks(QJsonObject object, const ReleasePlan &plan)
{
    QJsonArray locks;
    const ServerTime now = plan.clock.now();
    for (const LockRow &lock : plan.locks)
        locks.append(toJson(lock, now));
    object.insert(u"locks"_s, locks);
    return object;
}

int reportNone(const Globals &globals)
{
    if (globals.json)
        printJson(withLocks({{u"outcome"_s, u"none"_s}}, {}));
    printError(u"nothing was done: no held lease matches."_s);
    return NothingDone;
}

int preview(const Globals &globals, const ReleasePlan &plan)
{
    if (globals.json)
        printJson(withLocks({{u"outcome"_s, u"preview"_s}}, plan));
    else
        printLine(u"\nWould release %1."_s.arg(plan.locks.size()));
    return Done;
}

QString outcomeText(const BulkReport &report)
{
    if (report.failed > 0 || report.firstError)
        return u"failed"_s;
    if (report.left > 0)
        return u"stopped"_s;
    return report.released > 0 ? u"released"_s : u"changed"_s;
}

int report(const Globals &globals, const BulkReport &total, int stoppedBy)
{
    if (globals.json) {
        printJson(QJsonObject{{u"outcome"_s, outcomeText(total)},
                              {u"released"_s, total.released},
                              {u"changed"_s, total.changed},
                              {u"failed"_s, total.failed},
                              {u"left"_s, total.left},
                              {u"error"_s, total.firstError ? total.firstError->toString() : QJsonValue()}});
    } else {
        printLine(
            u"Released %1; %2 had changed and were left alone, %3 failed, %4 were not tried."_s.arg(total.released)
                .arg(total.changed)
                .arg(total.failed)
                .arg(total.left));
    }
    if (total.notNotified > 0)
        printError(u"%1 next holders could not be woken and will notice by themselves."_s.arg(total.notNotified));
    if (total.firstError)
        return printError(*total.firstError);
    if (stoppedBy != 0)
        return Signalled + stoppedBy;
    return total.released > 0 ? Done : NothingDone;
}

int act(const Globals &globals, const BulkArguments &arguments, BulkRelease &release, const ReleasePlan &plan,
        const ServerAccess &access)
{
    SignalInbox inbox; // Ctrl+C ends it between two releases, and what was done is told
    std::stop_source stop;
    int stoppedBy = 0;
    const auto look = [&](const ReleaseOrder &order, const ForcedRelease &done) {
        if (done.outcome == ForcedRelease::Outcome::Failed && done.error)
            printError(u"%1: %2"_s.arg(printable(order.key.resource), printable(done.error->toString())));
        const auto signal = inbox.wait(std::chrono::milliseconds(0));
        if (signal == SIGTSTP)
            stopLikeCtrlZ();
        if (signal && isEnding(*signal)) {
            stoppedBy = *signal;
            stop.request_stop();
        }
    };
    const BulkReport total =
        release.act(plan, access, arguments.operatorName, arguments.reason, stop.get_token(), look);
    if (!total.recordError.isEmpty())
        printError(printable(total.recordError));
    return report(globals, total, stoppedBy);
}

} // namespace

int bulkRelease(const Globals &globals, const BulkArguments &arguments)
{
    const bool asks = !arguments.dryRun && !arguments.yes;
    if (asks && !mayAsk(globals.json, u"released"_s))
        return Usage;
    int exitCode = Done;
    const auto target = findEngineTarget(globals, &exitCode);
    if (!target)
        return exitCode;
    if (!isServerMeant(arguments.server, nameOf(*target)))
        return NothingDone;
    ReleasePlan plan;
    ReachedSource reached;
    auto error = openSource(*target, SourceUse::Act, &reached);
    if (!error)
        error = BulkRelease(*reached.source).plan(arguments.selection, &plan);
    if (error)
        return printError(*error);
    if (plan.locks.isEmpty())
        return reportNone(globals);
    if (!globals.json)
        print(lockTable(plan.locks, plan.clock.now()));
    if (arguments.dryRun)
        return preview(globals, plan);
    if (asks
        && !isServerTyped(u"\nThis releases %1, even if somebody is working under them."_s.arg(plan.locks.size()),
                          nameOf(*target))) {
        printError(u"nothing was done."_s);
        return NothingDone;
    }
    BulkRelease release(*reached.source);
    return act(globals, arguments, release, plan, accessTo(*target, reached, true)); // typed, or --server
}

} // namespace lockscope::ctl
