// SPDX-License-Identifier: MIT
#include "actions/eventremoval.h"
#include "arguments.h"
#include "locks/newevents.h"
#include "server/follow.h"
#include "server/server.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/acttext.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

constexpr int kMaxEvents = 10'000;

void printEvents(const Globals &globals, bool follow, const QList<Event> &events)
{
    if (!globals.json) {
        for (const Event &event : events)
            printLine(toLine(event));
        return;
    }
    QJsonArray array;
    for (const Event &event : events) {
        if (follow)
            printJson(toJson(event)); // one document a line, since the array would never end
        else
            array.append(toJson(event));
    }
    if (!follow)
        printJson(array);
}

int events(const Globals &globals, bool follow)
{
    int exitCode = Done;
    auto link = linkToServer(globals, &exitCode);
    if (!link)
        return exitCode;
    NewEvents news(kMaxEvents);
    QList<Event> found;
    const auto read = [&](Session &session) {
        LeaseReader reader(session);
        found.clear();
        return news.read(reader, &found);
    };
    return pollOrFollow(std::move(link), follow, read, [&] { printEvents(globals, follow, found); });
}

/// For the account of grants/retention: whoever writes events cannot take them away.
int removeOld(const Globals &globals, Duration kept, const std::string &server)
{
    int exitCode = Done;
    SessionTarget target;
    const auto link = linkToServer(globals, &exitCode, &target);
    if (!link)
        return exitCode;
    if (!isServerMeant(server, nameOf(target)))
        return NothingDone;
    AuditFile audit;
    const ServerAccess access = ServerAccess::ofCommand(target.url, link->ownName(), !server.empty());
    if (const auto refusal = access.refusal())
        return printRefusal(*refusal);
    const EventRemoval done = removeEvents(*link, kept, access, &audit);
    if (!done.recordError.isEmpty())
        printError(printable(done.recordError));
    if (done.isRefused)
        return printError(*done.error);
    if (globals.json)
        printJson(QJsonObject{{u"removed"_s, done.removed}});
    else
        printLine(u"%1 events were removed."_s.arg(done.removed));
    if (done.error)
        return printError(*done.error);
    return done.recordError.isEmpty() ? Done : Failed;
}

} // namespace

void addEvents(CLI::App &app, Globals &globals)
{
    auto *command =
        addCommand(app, "events", "What happened that is not routine: takeovers, losses, force releases, kills",
                   "lockctl events --follow");
    auto follow = std::make_shared<bool>(false);
    command->add_flag("--follow", *follow, "Keep printing as events come; with --json one document per line");
    auto kept = std::make_shared<Duration>(Forever);
    auto *removal = addDuration(*command, "--remove-older-than", *kept,
                                "Remove events that are older, 24h at least; needs the account of grants/retention. "
                                "Recorded on this machine");
    removal->excludes("--follow");
    auto server = std::make_shared<std::string>();
    addServerName(*command, *server)->needs(removal);
    command->callback([&globals, follow, kept, server] {
        if (*kept < MinEventAge)
            throw CLI::ValidationError("--remove-older-than", "events of the last 24 hours are not removed");
        globals.action = [&globals, follow, kept, server] {
            return *kept == Forever ? events(globals, *follow) : removeOld(globals, *kept, *server);
        };
    });
}

} // namespace lockscope::ctl
