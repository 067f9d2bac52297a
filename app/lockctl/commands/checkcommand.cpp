// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "server/server.h"
#include "server/tablelook.h"
#include "server/waitscommand.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/waitscheck.h"

#include <array>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

CheckResult check(const Globals &globals, const WaitLimits &limits)
{
    int exitCode = Done;
    auto target = findServer(globals, &exitCode);
    if (!target)
        return unknownCheck(u"the server's name is not valid, or its password cannot be read."_s);
    WaitsPoll poll;
    if (const auto error = poll.open(&*target))
        return unknownCheck(printable(error->toString()));
    TableLocks tables;
    if (limits.maxHeld) { // else nobody asks how old a lock is
        const auto read = [&](Session &session) { return readTableLocks(session, {}, &tables); };
        if (const auto error = poll.server().ask(read))
            tables.unread.append({u"any lock table"_s, false, error});
    }
    return checkWaits(poll.waits(), limits, tables);
}

} // namespace

void addCheck(CLI::App &app, Globals &globals)
{
    auto *command = addCommand(app, "check",
                               "For monitoring systems: one line, and exit code 0 OK, 1 WARNING, 2 CRITICAL, or 3 "
                               "UNKNOWN when the server cannot be asked",
                               "lockctl check --max-wait 30s --warn 10s --max-held 10m");
    auto times = std::make_shared<std::array<Duration, 3>>();
    auto *maxWait = addDuration(*command, "--max-wait", times->at(0), "CRITICAL when somebody has waited for longer");
    auto *warn = addDuration(*command, "--warn", times->at(1), "WARNING when somebody has waited for longer");
    auto *maxHeld =
        addDuration(*command, "--max-held", times->at(2),
                    "CRITICAL when a transaction has held rows for longer, or another program a lock of its tables");
    maxWait->required();
    auto limits = std::make_shared<WaitLimits>();
    command->add_option("--max-queue", limits->maxQueue, "CRITICAL when more sessions wait")
        ->type_name("N")
        ->check(decimal());
    command->callback([&globals, limits, times, warn, maxHeld] {
        limits->maxWait = times->at(0);
        if (!warn->empty())
            limits->warn = times->at(1);
        if (!maxHeld->empty())
            limits->maxHeld = times->at(2);
        globals.action = [&globals, limits] {
            const CheckResult result = check(globals, *limits);
            // What cannot be found out is UNKNOWN to whoever asked.
            constexpr auto untold = int(CheckState::Unknown);
            globals.json ? printJson(result.json, untold) : printLine(result.line, untold);
            return int(result.state);
        };
    });
}

} // namespace lockscope::ctl
