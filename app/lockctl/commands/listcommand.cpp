// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "locks/leasereader.h"
#include "locks/serverrows.h"
#include "locktables/rowlockholders.h"
#include "server/recordedmoment.h"
#include "server/server.h"
#include "server/tablelook.h"
#include "server/waitscommand.h"
#include "terminal/columns.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/serverlocks.h"
#include "text/tabletext.h"
#include "text/waitstext.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

/// More than a person reads and than a script should parse; what is cut is said.
constexpr int kMaxRows = 100'000;

QJsonArray toArray(const LockSnapshot &snapshot, ServerTime now)
{
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

int printEngines(const Globals &globals, const LockSnapshot &snapshot, ServerTime now)
{
    warnAbout(snapshot);
    globals.json ? printJson(toArray(snapshot, now)) : print(lockTable(snapshot.rows, now));
    return Done;
}

int printAll(const Globals &globals, const LockSnapshot &snapshot, const ServerWaits &waits,
             const Capabilities &capabilities, ServerTime now, TableLocks tables = {})
{
    warnAbout(snapshot);
    warnAboutUnseen(waits, capabilities);
    const QList<HeldLock> locks = withoutLeases(heldLocks(waits), snapshot.rows);
    judgeByRowLocks(locks, waits, &tables.locks);
    const ServerTime then = waits.clock.server;
    if (globals.json) {
        QJsonArray array = toArray(snapshot, now);
        const QJsonArray own = serverLocksToJson(locks, waits, then);
        for (const auto &lock : own)
            array.append(lock);
        for (const TableLock &lock : std::as_const(tables.locks))
            array.append(toJson(lock, tables.clock.server));
        printJson(array);
    } else {
        const int columns = ::isatty(STDOUT_FILENO) != 0 ? outputColumns() : 0; // a pipe gets all of a note
        const auto cells =
            serverLockCells(locks, waits, then, columns) + tableLockCells(tables.locks, tables.clock.server);
        print(lockTable(snapshot.rows, now, cells, columns));
    }
    return Done;
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
    return printEngines(globals, snapshot, snapshot.clock.now());
}

/// Those of other programs. Without them everything else is still shown.
std::optional<LockError> readTables(WaitsPoll &poll, const TableLookArguments &look, TableLocks *tables)
{
    const auto error =
        poll.server().ask([&](Session &session) { return readTableLocks(session, look.options(), tables); });
    if (error)
        printError(*error);
    warnAboutTables(*tables);
    if (const QString hint = zoneHint(tables->locks); !hint.isEmpty())
        printError(hint);
    return error && error->connectionGone ? error : std::nullopt;
}

/// Also the server's own and those of other programs' tables. Without lock tables, or without a right to read them,
/// nothing of ours is shown.
int listAll(const Globals &globals, const TableLookArguments &look)
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
    TableLocks tables;
    if (const auto gone = readTables(poll, look, &tables))
        return exitCodeFor(*gone);
    return printAll(globals, snapshot, poll.waits(), poll.capabilities(), snapshot.clock.now(), std::move(tables));
}

int listRecorded(const Globals &globals, const RecordedAt &recorded, bool all)
{
    int exitCode = Done;
    RecordedMoment moment;
    if (!readRecorded(recorded, &moment, &exitCode))
        return exitCode;
    const RecordedLook &look = moment.look;
    return all ? printAll(globals, look.locks, look.waits, look.capabilities, moment.at)
               : printEngines(globals, look.locks, moment.at);
}

} // namespace

void addList(CLI::App &app, Globals &globals)
{
    auto *command = addCommand(app, "list", "What is held, and which optimistic commits were tried",
                               "lockctl list --json | jq -r '.[] | select(.waiters>0).resource'");
    auto all = std::make_shared<bool>(false);
    command->add_flag("--all", *all,
                      "Also the server's own locks: rows, tables, their definitions, GET_LOCK; and those that other "
                      "programs keep in tables of theirs; needs no lock tables of Lockscope");
    auto look = std::make_shared<TableLookArguments>();
    addTableLook(*command, *look);
    auto recorded = std::make_shared<RecordedAt>();
    addRecordedAt(*command, *recorded);
    command->callback([&globals, all, recorded, look] {
        const bool looks = !look->schema.empty() || !look->names.empty();
        if (looks && (!*all || !recorded->file.empty()))
            throw CLI::ValidationError("list", "--schema and --name are for --all, and for a server");
        globals.action = [&globals, all, recorded, look] {
            if (!recorded->file.empty())
                return listRecorded(globals, *recorded, *all);
            return *all ? listAll(globals, *look) : list(globals);
        };
    });
}

} // namespace lockscope::ctl
