// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "console/serveraccess.h"
#include "server/server.h"
#include "session/schema.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

int init(const Globals &globals, const std::string &server)
{
    int exitCode = Done;
    auto target = findServer(globals, &exitCode);
    if (!target)
        return exitCode;
    if (!isServerMeant(server, nameOf(*target)))
        return NothingDone;
    if (const auto refusal = ServerAccess::ofCommand(target->url, {}, !server.empty()).refusal())
        return printRefusal(*refusal);
    const auto failed = withPassword(&*target, [](SessionTarget to) {
        to.readTimeout = {}; // a large table is upgraded for as long as it takes
        return installSchema(to);
    });
    if (failed)
        return printError(*failed);
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
    auto server = std::make_shared<std::string>();
    addServerName(*command, *server);
    command->callback([&globals, server] { globals.action = [&globals, server] { return init(globals, *server); }; });
}

} // namespace lockscope::ctl
