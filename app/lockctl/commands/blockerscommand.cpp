// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "server/recordedmoment.h"
#include "server/waitscommand.h"
#include "terminal/columns.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/blockingtree.h"
#include "text/waitsjson.h"
#include "text/waitstext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

/// Seeing nothing does not prove that nobody waits, and a script must not take it for proof.
int exitCodeOf(const SourceStatus *unseen)
{
    if (!unseen)
        return Done;
    return unseen->remedy.startsWith(u"GRANT"_s) ? NoPermission : Failed;
}

QString nobodyText(const ServerWaits &waits, const SourceStatus *unseen)
{
    const bool isOff = std::any_of(waits.sources.cbegin(), waits.sources.cend(),
                                   [](const SourceStatus &status) { return status.state == SourceStatus::State::Off; });
    if (unseen)
        return u"Whether somebody waits cannot be seen."_s;
    return isOff ? u"Nobody waits, as far as was asked."_s : u"Nobody waits."_s;
}

int printBlockers(const Globals &globals, const ServerWaits &waits, const Capabilities &capabilities)
{
    warnAboutUnseen(waits, capabilities);
    const ServerTime now = waits.clock.server;
    const SourceStatus *unseen = essentialUnseen(waits);
    const WaitGraph graph = buildWaitGraph(waits, now);
    if (globals.json)
        printJson(blockersToJson(waits, graph, now));
    else if (graph.roots.isEmpty())
        printLine(nobodyText(waits, unseen));
    else
        print(blockingTree(waits, graph, now, {outputColumns(), isOutputColoured()}).join(u'\n') + u'\n');
    return exitCodeOf(unseen);
}

int blockers(const Globals &globals, const WaitOptions &options)
{
    int exitCode = Done;
    WaitsPoll poll(options);
    if (!pollServer(globals, &poll, &exitCode))
        return exitCode;
    return printBlockers(globals, poll.waits(), poll.capabilities());
}

int blockersRecorded(const Globals &globals, const RecordedAt &recorded)
{
    int exitCode = Done;
    RecordedMoment moment;
    if (!readRecorded(recorded, &moment, &exitCode))
        return exitCode;
    return printBlockers(globals, moment.look.waits, moment.look.capabilities);
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
    auto recorded = std::make_shared<RecordedAt>();
    addRecordedAt(*command, *recorded);
    command->callback([&globals, options, recorded] {
        globals.action = [&globals, options, recorded] {
            return recorded->file.empty() ? blockers(globals, *options) : blockersRecorded(globals, *recorded);
        };
    });
}

} // namespace lockscope::ctl
