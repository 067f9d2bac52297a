// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "server/server.h"
#include "session/schema.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

int init(const Globals &globals)
{
    int exitCode = Done;
    const auto target = reachServer(globals, &exitCode, [](SessionTarget to) {
        to.readTimeout = {}; // a large table is upgraded for as long as it takes
        return installSchema(to);
    });
    if (!target)
        return exitCode;
    if (globals.json)
        printJson(QJsonObject{{u"schema"_s, target->url.schema}, {u"version"_s, SchemaVersion}});
    else
        printLine(u"The lock tables in %1 are ready (version %2)."_s.arg(target->url.schema).arg(SchemaVersion));
    return Done;
}

} // namespace

void addInit(CLI::App &app, Globals &globals)
{
    auto *command =
        addCommand(app, "init", "Install or upgrade the lock tables; safe to repeat and to run by several at once",
                   "lockctl --url mysql://admin@db1/locks init");
    command->callback([&globals] { globals.action = [&globals] { return init(globals); }; });
}

} // namespace lockscope::ctl
