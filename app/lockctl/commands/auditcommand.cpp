// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "console/auditlog.h"
#include "globals.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/acttext.h"

#include <CLI/CLI.hpp>

#include <memory>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

struct AuditOptions
{
    std::string server;
    quint64 last = 100;
};

int audit(const Globals &globals, const AuditOptions &options)
{
    AuditLog log;
    QList<AuditLine> acts = auditActs(log.readNew());
    if (!log.error().isEmpty()) {
        printError(log.error());
        return Failed;
    }
    if (log.isCut())
        printError(u"only the last 4 MiB of %1 were read"_s.arg(log.path()));
    const bool isEmpty = acts.isEmpty();
    const QString server = QString::fromStdString(options.server);
    acts.removeIf([&server](const AuditLine &act) { return !act.server.contains(server, Qt::CaseInsensitive); });
    if (static_cast<quint64>(acts.size()) > options.last)
        acts = acts.last(static_cast<qsizetype>(options.last));
    if (isEmpty)
        printError(u"nothing is on record in %1"_s.arg(log.path()));
    else if (acts.isEmpty())
        printError(u"no line of %1 is about a server whose address contains %2"_s.arg(log.path(), printable(server)));
    QJsonArray array;
    for (const AuditLine &act : std::as_const(acts)) {
        if (globals.json)
            array.append(toJson(act));
        else
            printLine(toLine(act));
    }
    if (globals.json)
        printJson(array);
    return Done;
}

} // namespace

void addAudit(CLI::App &app, Globals &globals)
{
    auto *command = addCommand(app, "audit", "What was done from this machine to any server, from its audit file",
                               "lockctl audit --last 5");
    auto options = std::make_shared<AuditOptions>();
    command->add_option("--server", options->server, "Only to servers whose address contains this")->type_name("TEXT");
    command->add_option("--last", options->last, "Only the newest N; 100 if not given")
        ->type_name("N")
        ->check(decimal(1));
    command->callback(
        [&globals, options] { globals.action = [&globals, options] { return audit(globals, *options); }; });
}

} // namespace lockscope::ctl
