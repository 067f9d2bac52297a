// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "server/waitscommand.h"
#include "terminal/columns.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/blockingtree.h"
#include "text/waitsjson.h"
#include "text/waitstext.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

int blockers(const Globals &globals, const WaitOptions &options)
{
    int exitCode = Done;
    WaitsPoll poll(options);
    if (!pollServer(globals, &poll, &exitCode))
        return exitCode;
    const ServerWaits &waits = poll.waits();
    warnAboutUnseen(waits, poll.capabilities());
    const ServerTime now = waits.clock.server;
    const WaitGraph graph = buildWaitGraph(waits, now);
    if (globals.json)
        printJson(blockersToJson(waits, graph, now));
    else if (graph.roots.isEmpty())
        printLine(u"Nobody waits."_s);
    else
        print(blockingTree(waits, graph, now, {outputColumns(), isOutputColoured()}).join(u'\n') + u'\n');
    return Done;
}

} // namespace

void addBlockers(CLI::App &app, Globals &globals)
{
    auto *command = addCommand(app, "blockers",
                               "Who blocks whom on the server's own locks: rows, tables, their definitions, GET_LOCK. "
                               "Needs no lock tables and writes nothing",
                               "lockctl blockers --json | jq '.[0] | {connectionId, frees}'");
    auto options = std::make_shared<WaitOptions>();
    addWithout(*command, *options);
    command->callback(
        [&globals, options] { globals.action = [&globals, options] { return blockers(globals, *options); }; });
}

} // namespace lockscope::ctl
