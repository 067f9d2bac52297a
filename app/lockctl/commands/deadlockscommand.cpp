// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "console/polledsession.h"
#include "server/server.h"
#include "session/validation_p.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/deadlocktext.h"

#include <chrono>
#include <thread>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

constexpr auto kFollowInterval = std::chrono::seconds(1);

void printNews(const Globals &globals, const DeadlockNews &news, bool isFirst)
{
    const bool isNew = news.latest || news.notCaptured.value_or(0) > 0;
    if (!isFirst && !isNew)
        return;
    if (globals.json) {
        printJson(toJson(news));
        return;
    }
    if (news.latest)
        print(deadlockLines(*news.latest).join(u'\n') + u'\n');
    else if (isFirst && news.notCaptured == std::optional<quint64>(0))
        printLine(u"No deadlock since the server started."_s);
    if (const QString line = notCapturedLine(news); !line.isEmpty() && (isNew || isFirst))
        printLine(line);
}

/// Needs no schema.
std::unique_ptr<ReconnectingSession> linkToWatch(const Globals &globals, int *exitCode)
{
    std::unique_ptr<ReconnectingSession> link;
    reachServer(globals, exitCode, [&link](const SessionTarget &to) {
        link = std::make_unique<ReconnectingSession>(forWatching(to));
        LockError error;
        return link->session(&error) ? std::nullopt : std::optional(error);
    });
    return link && link->isOpen() ? std::move(link) : nullptr;
}

int deadlocks(const Globals &globals, bool follow)
{
    int exitCode = Done;
    auto link = linkToWatch(globals, &exitCode);
    if (!link)
        return exitCode;
    PolledSession server(std::move(link), PollPace(kFollowInterval, kFollowInterval));
    DeadlockFeed feed;
    for (bool isFirst = true;;) {
        DeadlockNews news;
        const bool isReported = server.pace().isFailing(); // the next errors say the same
        const auto error = server.poll([&](Session &session) { return feed.read(session, &news); });
        if (error && (!follow || !detail::isUnreachable(*error)))
            return printError(*error);
        if (error && !isReported)
            printError(*error);
        if (!error) {
            printNews(globals, news, isFirst);
            isFirst = false;
        }
        if (!follow)
            return Done;
        std::this_thread::sleep_until(*server.pace().next());
    }
}

} // namespace

void addDeadlocks(CLI::App &app, Globals &globals)
{
    auto *command =
        addCommand(app, "deadlocks",
                   "The server's latest deadlock: who waited for whom, who was rolled back, and why. Needs no "
                   "lock tables and writes nothing",
                   "lockctl deadlocks --follow");
    auto follow = std::make_shared<bool>(false);
    command->add_flag("--follow", *follow, "Keep printing as deadlocks come; with --json one document per line");
    command->callback(
        [&globals, follow] { globals.action = [&globals, follow] { return deadlocks(globals, *follow); }; });
}

} // namespace lockscope::ctl
