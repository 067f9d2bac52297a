// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "server/keylook.h"
#include "server/leasefigures.h"
#include "server/reachedsource.h"
#include "server/server.h"
#include "server/storetarget.h"
#include "server/tablelook.h"
#include "server/waitscommand.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/waitscheck.h"

#include <array>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

/// What was said of it stands among the errors, which monitoring systems drop.
CheckResult withoutServer(int exitCode)
{
    return unknownCheck(exitCode == Unavailable ? u"no server is named, and the private server is not running."_s
                                                : u"the server's name is not valid, or its password cannot be read."_s);
}

CheckResult checkStore(const Globals &globals, const WaitLimits &limits)
{
    int exitCode = Done;
    const auto target = findEngineTarget(globals, &exitCode);
    if (!target)
        return withoutServer(exitCode);
    ReachedSource reached;
    if (const auto error = openSource(*target, SourceUse::Look, &reached))
        return unknownCheck(printable(error->toString()));
    if (limits.maxHeld) // else nobody asks how old a lock is
        lookForKeys(*reached.source);
    return checkLeases(measureLeases(*reached.source, limits.maxHeld.has_value()), limits);
}

CheckResult check(const Globals &globals, const WaitLimits &limits, const std::string &schema)
{
    int exitCode = Done;
    auto target = findServer(globals, &exitCode);
    if (!target)
        return withoutServer(exitCode);
    WaitsPoll poll;
    if (const auto error = poll.open(&*target))
        return unknownCheck(printable(error->toString()));
    TableLocks tables;
    if (limits.maxHeld) { // else nobody asks how old a lock is
        TableReadOptions options;
        options.schema = QString::fromStdString(schema);
        const auto read = [&](Session &session) { return readAskedTables(session, options, &tables); };
        if (const auto error = poll.server().ask(read))
            tables.unread.append({QString(), false, error});
    }
    return checkWaits(poll.waits(), limits, tables);
}

} // namespace

void addCheck(CLI::App &app, Globals &globals)
{
    auto *command =
        addCommand(app, "check",
                   "For monitoring systems: one line, and exit code 0 OK, 1 WARNING, 2 CRITICAL, or 3 "
                   "UNKNOWN when the server cannot be asked, or does not tell how long somebody has waited and "
                   "--max-queue is not given",
                   "lockctl check --max-wait 30s --warn 10s --max-held 10m");
    auto times = std::make_shared<std::array<Duration, 3>>();
    auto *maxWait = addDuration(*command, "--max-wait", times->at(0), "CRITICAL when somebody has waited for longer");
    auto *warn = addDuration(*command, "--warn", times->at(1), "WARNING when somebody has waited for longer");
    auto *maxHeld =
        addDuration(*command, "--max-held", times->at(2),
                    "CRITICAL when a transaction has held rows for longer, or another program a lock of its tables; on "
                    "Redis, ZooKeeper and etcd when a lease has been held for longer, or another program's lock that "
                    "tells since when");
    maxWait->required();
    auto limits = std::make_shared<WaitLimits>();
    command->add_option("--max-queue", limits->maxQueue, "CRITICAL when more sessions wait")
        ->type_name("N")
        ->check(decimal());
    auto schema = std::make_shared<std::string>();
    command
        ->add_option("--schema", *schema,
                     "Of other programs' lock tables look into this schema alone; where there are too many tables to "
                     "look into all, --max-held is else UNKNOWN")
        ->type_name("S");
    command->callback([&globals, limits, times, schema, warn, maxHeld] {
        limits->maxWait = times->at(0);
        if (!warn->empty())
            limits->warn = times->at(1);
        if (!maxHeld->empty())
            limits->maxHeld = times->at(2);
        if (limits->warn && *limits->warn > limits->maxWait)
            throw CLI::ValidationError("--warn", "it is longer than --max-wait, so there is never a WARNING");
        globals.action = [&globals, limits, schema] {
            const CheckResult result =
                isStore(namedUrl(globals)) ? checkStore(globals, *limits) : check(globals, *limits, *schema);
            // What cannot be found out is UNKNOWN to whoever asked.
            constexpr auto untold = int(CheckState::Unknown);
            globals.json ? printJson(result.json, untold) : printLine(result.line, untold);
            return int(result.state);
        };
    });
}

} // namespace lockscope::ctl
