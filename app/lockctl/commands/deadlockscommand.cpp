// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "server/follow.h"
#include "server/server.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/deadlocktext.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

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

int deadlocks(const Globals &globals, bool follow)
{
    int exitCode = Done;
    auto link = linkToServer(globals, &exitCode, nullptr, LinkUse::Watch);
    if (!link)
        return exitCode;
    DeadlockFeed feed;
    DeadlockNews news;
    bool isFirst = true;
    const auto printFound = [&] { printNews(globals, news, std::exchange(isFirst, false)); };
    return pollOrFollow(
        std::move(link), follow, [&](Session &session) { return feed.read(session, &news); }, printFound);
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
