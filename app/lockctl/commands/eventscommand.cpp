// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "console/polledsession.h"
#include "engine/records/cleanup_p.h"
#include "locks/newevents.h"
#include "server/server.h"
#include "session/validation_p.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"

#include <chrono>
#include <thread>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

constexpr auto kFollowInterval = std::chrono::seconds(1);
constexpr int kMaxEvents = 10'000;

QJsonObject toJson(const Event &event)
{
    QJsonObject object{{u"id"_s, static_cast<qint64>(event.id)},
                       {u"at"_s, ctl::toJson(std::optional(event.at))},
                       {u"kind"_s, QString::fromUtf8(event.kindName)},
                       {u"token"_s, static_cast<qint64>(event.token)},
                       {u"owner"_s, ctl::toJson(event.owner)},
                       {u"operator"_s, event.operatorName},
                       {u"account"_s, event.account},
                       {u"reason"_s, event.reason}};
    addResource(&object, event.key.resource);
    return object;
}

/// No table: its widths would change from poll to poll while the output is followed.
QString toLine(const Event &event)
{
    QString line = u"%1  %2  %3  token %4  %5"_s.arg(toDateTime(event.at).toUTC().toString(Qt::ISODateWithMs),
                                                     printable(event.kindName), printable(event.key.resource),
                                                     QString::number(event.token), printable(event.owner.toString()));
    if (!event.operatorName.isEmpty())
        line += u"  by %1"_s.arg(printable(event.actor()));
    if (!event.reason.isEmpty())
        line += u": %1"_s.arg(printable(event.reason));
    return line;
}

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
    PolledSession server(std::move(link), PollPace(kFollowInterval, kFollowInterval));
    NewEvents news(kMaxEvents);
    for (;;) {
        QList<Event> found;
        const bool isReported = server.pace().isFailing(); // the next errors say the same
        const auto error = server.poll([&](Session &session) {
            LeaseReader reader(session);
            return news.read(reader, &found);
        });
        if (error && (!follow || !detail::isUnreachable(*error))) // it goes on following once the server is back
            return printError(*error);
        if (error && !isReported)
            printError(*error);
        if (!error)
            printEvents(globals, follow, found);
        if (!follow)
            return Done;
        std::this_thread::sleep_until(*server.pace().next());
    }
}

/// For the account of grants/retention: whoever writes events cannot take them away.
int removeOld(const Globals &globals, Duration kept)
{
    int exitCode = Done;
    const auto link = linkToServer(globals, &exitCode);
    if (!link)
        return exitCode;
    qint64 removed = 0;
    if (const auto error = detail::removeOldEvents(*link, kept, &removed))
        return printError(*error);
    if (globals.json)
        printJson(QJsonObject{{u"removed"_s, removed}});
    else
        printLine(u"%1 events were removed."_s.arg(removed));
    return Done;
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
    addDuration(*command, "--remove-older-than", *kept, "Remove older events; needs the account of grants/retention")
        ->excludes("--follow");
    command->callback([&globals, follow, kept] {
        globals.action = [&globals, follow, kept] {
            return *kept == Forever ? events(globals, *follow) : removeOld(globals, *kept);
        };
    });
}

} // namespace lockscope::ctl
