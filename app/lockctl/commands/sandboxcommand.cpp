// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "globals.h"
#include "privateserver/privateserver.h"
#include "session/schema.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

void printUrl(const Globals &globals, const ServerUrl &url, QJsonObject object = {})
{
    if (!globals.json)
        return printLine(url.toString());
    object.insert(u"url"_s, url.toString());
    printJson(object);
}

int start(const Globals &globals, const QString &folder)
{
    const PrivateServer::StartResult result = PrivateServer::start(folder);
    if (!result.error.isEmpty()) {
        printError(result.error);
        return Unavailable;
    }
    SessionTarget target;
    target.url = result.url;
    if (const auto error = installSchema(target))
        return printError(*error);
    printUrl(globals, result.url, {{u"started"_s, result.started}});
    return Done;
}

int stop(const Globals &globals, const QString &folder)
{
    const PrivateServer::StopResult result = PrivateServer::stop(folder);
    if (!result.error.isEmpty()) {
        printError(result.error);
        return Failed;
    }
    if (globals.json)
        printJson(
            QJsonObject{{u"stopped"_s, result.wasRunning}, {u"users"_s, QJsonArray::fromStringList(result.users)}});
    else if (!result.wasRunning)
        printError(u"the private server was not running."_s);
    else if (!result.users.isEmpty())
        printError(u"the private server was stopped while it was used by %1."_s.arg(result.users.join(u", "_s)));
    return Done;
}

int url(const Globals &globals, const QString &folder)
{
    const auto found = PrivateServer::url(folder);
    if (!found) {
        printError(u"the private server is not running. Start it with `lockctl sandbox start`."_s);
        return Unavailable;
    }
    printUrl(globals, *found);
    return Done;
}

void addVerb(CLI::App &sandbox, Globals &globals, const std::string &name, const std::string &purpose,
             int (*verb)(const Globals &, const QString &))
{
    auto *command = addCommand(sandbox, name, purpose, "lockctl sandbox " + name);
    auto folder = std::make_shared<std::string>();
    command->add_option("--dir", *folder, "The server's folder; without it the one below your data folder")
        ->type_name("DIR")
        ->check([](const std::string &value) { return value.empty() ? "names no folder" : ""; });
    command->callback([&globals, folder, verb] {
        globals.action = [&globals, folder, verb] { return verb(globals, QString::fromStdString(*folder)); };
    });
}

} // namespace

void addSandbox(CLI::App &app, Globals &globals)
{
    auto *sandbox =
        addCommand(app, "sandbox", "The private server: a MariaDB or MySQL of your own that only you can reach",
                   "export LOCKSCOPE_URL=$(lockctl sandbox start)");
    sandbox->require_subcommand(0, 1);
    addVerb(*sandbox, globals, "start", "Start it, unless it is running, to stay until `sandbox stop`; print its URL",
            start);
    addVerb(*sandbox, globals, "stop", "Shut it down, whoever uses it, and say who does; returns when it is gone",
            stop);
    addVerb(*sandbox, globals, "url", "Print the URL of the running one", url);
}

} // namespace lockscope::ctl
