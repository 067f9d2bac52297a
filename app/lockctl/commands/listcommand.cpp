// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "locks/leasereader.h"
#include "locks/serverrows.h"
#include "server/server.h"
#include "server/waitscommand.h"
#include "terminal/columns.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/serverlocks.h"
#include "text/waitstext.h"

#include <unistd.h>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

/// More than a person reads and than a script should parse; what is cut is said.
constexpr int kMaxRows = 100'000;

QJsonArray toArray(const LockSnapshot &snapshot)
{
    const ServerTime now = snapshot.clock.now();
    QJsonArray array;
    for (const LockRow &row : snapshot.rows)
        array.append(toJson(row, now));
    return array;
}

std::optional<LockError> readLocks(Session &session, LockSnapshot *snapshot)
{
    return LeaseReader(session).list({kMaxRows, {}}, snapshot);
}

void warnAbout(const LockSnapshot &snapshot)
{
    if (snapshot.isCut())
        printError(u"only %1 of %2 are shown."_s.arg(snapshot.rows.size()).arg(snapshot.counts.total()));
    if (std::any_of(snapshot.rows.cbegin(), snapshot.rows.cend(), [](const LockRow &row) { return !row.waiters; }))
        warnAboutWaiters();
}

int list(const Globals &globals)
{
    int exitCode = Done;
    const auto session = connectToServer(globals, &exitCode);
    if (!session)
        return exitCode;
    LockSnapshot snapshot;
    if (const auto error = readLocks(*session, &snapshot))
        return printError(*error);
    warnAbout(snapshot);
    globals.json ? printJson(toArray(snapshot)) : print(lockTable(snapshot.rows, snapshot.clock.now()));
    return Done;
}

/// Also the server's own. Without lock tables, or without a right to read them, nothing of ours is shown.
int listAll(const Globals &globals)
{
    int exitCode = Done;
    WaitsPoll poll;
    if (!pollServer(globals, &poll, &exitCode))
        return exitCode;
    LockSnapshot snapshot;
    const auto error = poll.server().ask([&](Session &session) { return readLocks(session, &snapshot); });
    if (error && error->connectionGone)
        return printError(*error);
    if (error && error->kind != LockError::Kind::SchemaMissing)
        printError(*error);
    warnAbout(snapshot);
    warnAboutUnseen(poll.waits(), poll.capabilities());
    const QList<HeldLock> locks = withoutLeases(heldLocks(poll.waits()), snapshot.rows);
    const ServerTime now = poll.waits().clock.server;
    if (globals.json) {
        QJsonArray array = toArray(snapshot);
        const QJsonArray own = serverLocksToJson(locks, poll.waits(), now);
        for (const auto &lock : own)
            array.append(lock);
        printJson(array);
    } else {
        const int columns = ::isatty(STDOUT_FILENO) != 0 ? outputColumns() : 0; // a pipe gets all of a note
        const auto cells = serverLockCells(locks, poll.waits(), now, columns);
        print(lockTable(snapshot.rows, snapshot.clock.now(), cells, columns));
    }
    return Done;
}

} // namespace

void addList(CLI::App &app, Globals &globals)
{
    auto *command = addCommand(app, "list", "What is held, and which optimistic commits were tried",
                               "lockctl list --json | jq -r '.[] | select(.waiters>0).resource'");
    auto all = std::make_shared<bool>(false);
    command->add_flag("--all", *all,
                      "Also the server's own locks: rows, tables, their definitions, GET_LOCK; needs no lock tables");
    command->callback(
        [&globals, all] { globals.action = [&globals, all] { return *all ? listAll(globals) : list(globals); }; });
}

} // namespace lockscope::ctl
