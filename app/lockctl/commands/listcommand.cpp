// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "locks/serverrows.h"
#include "locktables/rowlockholders.h"
#include "server/keylook.h"
#include "server/reachedsource.h"
#include "server/recordedmoment.h"
#include "server/server.h"
#include "server/storetarget.h"
#include "server/tablelook.h"
#include "server/waitscommand.h"
#include "sources/mysqlsource.h"
#include "terminal/columns.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "terminal/progressline.h"
#include "text/keytext.h"
#include "text/serverlocks.h"
#include "text/tabletext.h"
#include "text/waitstext.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

/// Of kinds other than leases: more than a person reads and than a script should parse; what is cut is said.
constexpr int kMaxRows = 100'000;

/// Writes the parts of a list as they come. Where the server goes away in between, the array stays open: what a pipe
/// behind it got is no JSON then, and so nobody takes it for the whole.
class ListPrinter
{
public:
    /// In a terminal long notes are cut where there are `columns`; a pipe gets all of them.
    explicit ListPrinter(bool json, int columns = 0)
        : m_isJson(json)
        , m_columns(columns)
        , m_table(columns)
    {
    }
    void add(const QList<LockRow> &rows, ServerTime now)
    {
        m_isUntold =
            m_isUntold || std::any_of(rows.cbegin(), rows.cend(), [](const LockRow &row) { return !row.waiters; });
        if (!m_isJson) {
            m_table.add(rows, now);
            return;
        }
        QJsonArray part;
        for (const LockRow &row : rows)
            part.append(toJson(row, now));
        m_array.add(part);
    }
    void addServers(const QList<HeldLock> &locks, const ServerWaits &waits, const TableLocks &tables)
    {
        const ServerTime now = waits.clock.server;
        if (!m_isJson) {
            m_table.add(serverLockCells(locks, waits, now, m_columns)
                        + tableLockCells(tables.locks, tables.clock.server));
            return;
        }
        m_array.add(serverLocksToJson(locks, waits, now));
        QJsonArray others;
        for (const TableLock &lock : tables.locks)
            others.append(toJson(lock, tables.clock.server));
        m_array.add(others);
    }
    void addKeys(const KeyLocks &found)
    {
        const ServerTime now = found.clock.now();
        if (!m_isJson) {
            m_table.add(keyLockCells(found.rows, now));
            return;
        }
        QJsonArray part;
        for (const LockRow &row : found.rows)
            part.append(toJson(row, now));
        m_array.add(part);
    }
    void end()
    {
        m_isJson ? m_array.end() : m_table.end();
        if (m_isUntold)
            warnAboutWaiters();
    }

private:
    const bool m_isJson;
    const int m_columns;
    bool m_isUntold = false; ///< how many wait for some
    JsonArrayPrinter m_array;
    LockTablePrinter m_table;
};

/// The leases in pages, and the rest of `others` where it belongs in their order.
std::optional<LockError> printLocks(LockSource &source, ListPrinter *printer, QList<SharedLockRow> *others)
{
    LockSnapshot rest;
    if (auto error = source.others(kMaxRows, &rest))
        return error;
    if (rest.isCut())
        printError(
            u"only %1 of %2 rows and optimistic resources are shown."_s.arg(rest.rows.size()).arg(rest.counts.total()));
    auto next = rest.rows.cbegin();
    SnapshotClock clock = rest.clock;
    const auto take = [&](QList<LockRow> page, const SnapshotClock &read) {
        clock = read;
        const LockKey last = page.isEmpty() ? LockKey() : page.last().key;
        for (; next != rest.rows.cend() && (*next)->key < last; ++next)
            page.append(*next);
        std::sort(page.begin(), page.end(), [](const LockRow &a, const LockRow &b) { return a.key < b.key; });
        printer->add(page, clock.now());
    };
    if (auto error = source.leases({}, take))
        return error;
    if (next != rest.rows.cend())
        printer->add(QList<LockRow>(next, rest.rows.cend()), clock.now());
    *others = rest.rows;
    return std::nullopt;
}

/// In a terminal long notes are cut; a pipe gets all of them.
int columnsOfNotes()
{
    return ::isatty(STDOUT_FILENO) != 0 ? outputColumns() : 0;
}

/// What others hold, behind the engine's own.
void printServers(ListPrinter *printer, const QList<SharedLockRow> &engines, const ServerWaits &waits,
                  const Capabilities &capabilities, TableLocks tables)
{
    warnAboutUnseen(waits, capabilities);
    const QList<HeldLock> locks = withoutLeases(heldLocks(waits), engines);
    judgeByRowLocks(locks, waits, &tables.locks);
    printer->addServers(locks, waits, tables);
}

int list(const Globals &globals)
{
    int exitCode = Done;
    const auto reached = reachSource(globals, SourceUse::Look, &exitCode);
    if (!reached)
        return exitCode;
    ListPrinter printer(globals.json);
    QList<SharedLockRow> others;
    if (const auto error = printLocks(*reached->source, &printer, &others))
        return printError(*error);
    printer.end();
    return Done;
}

/// Those of other programs. Without them everything else is still shown.
std::optional<LockError> readTables(WaitsPoll &poll, const TableLookArguments &look, TableLocks *tables)
{
    const auto error =
        poll.server().ask([&](Session &session) { return readAskedTables(session, look.options(), tables); });
    if (error)
        printError(*error);
    else
        warnAboutTables(*tables);
    if (const QString hint = zoneHint(tables->locks); !hint.isEmpty())
        printError(hint);
    return error;
}

/// Who asks for all has the locks of others all the same, so that this is no failure.
void warnWithoutEngines(const LockError &error)
{
    if (error.kind == LockError::Kind::NoPermission)
        printError(
            u"this account may not read the engine's tables, if there are any: the locks of others are listed."_s);
    else if (error.kind != LockError::Kind::SchemaMissing)
        printError(error);
}

/// Through all that the server has, which may take minutes.
std::optional<LockError> walkKeys(LockSource &source, KeyLocks *found)
{
    ProgressLine progress;
    qsizetype locks = 0;
    const auto show = [&](const QList<LockRow> &rows) {
        locks += rows.size();
        progress.show(u"looking through all keys, slowly, so that nobody is held up: "_s
                      + counted(locks, u"lock"_s, u"locks"_s) + u" of other programs so far"_s);
    };
    return source.keyLocks({kMaxRows, false, show}, {}, found);
}

/// Also those of other programs on Redis, ZooKeeper or etcd. On a server that is not safe for locks of ours only these.
/// What may be read is listed, and the exit code tells that something may not.
int listKeys(const Globals &globals, bool withGuesses)
{
    int exitCode = Done;
    const auto target = findEngineTarget(globals, &exitCode);
    if (!target)
        return exitCode;
    ReachedSource reached;
    ListPrinter printer(globals.json, columnsOfNotes());
    QList<SharedLockRow> ignored;
    auto error = openSource(*target, SourceUse::Look, &reached);
    if (!error)
        error = printLocks(*reached.source, &printer, &ignored);
    if (error && error->kind != LockError::Kind::UnsafeServer && error->kind != LockError::Kind::NoPermission)
        return printError(*error);
    if (error)
        printError(*error);
    KeyLocks found;
    lookForKeys(*reached.source, withGuesses);
    const auto unread = walkKeys(*reached.source, &found);
    if (unread && !(error && error->toString() == unread->toString()))
        printError(*unread);
    warnAboutKeys(found);
    printer.addKeys(found);
    printer.end();
    if (unread)
        return exitCodeFor(*unread);
    return error && error->kind == LockError::Kind::NoPermission ? exitCodeFor(*error) : int(Done);
}

/// Also the server's own and those of other programs' tables. Without lock tables, or without a right to read them,
/// nothing of ours is shown. The exit code tells where no other program's table could be looked for.
int listAll(const Globals &globals, const TableLookArguments &look)
{
    int exitCode = Done;
    WaitsPoll poll;
    if (!pollServer(globals, &poll, &exitCode))
        return exitCode;
    ListPrinter printer(globals.json, columnsOfNotes());
    QList<SharedLockRow> others;
    MySqlSource source(poll.server().link());
    const auto error = poll.server().ask([&](Session & /*session*/) { return printLocks(source, &printer, &others); });
    if (error && error->connectionGone)
        return printError(*error);
    if (error)
        warnWithoutEngines(*error);
    TableLocks tables;
    const auto unread = readTables(poll, look, &tables);
    if (unread && unread->connectionGone)
        return exitCodeFor(*unread);
    printServers(&printer, others, poll.waits(), poll.capabilities(), std::move(tables));
    printer.end();
    return unread ? exitCodeFor(*unread) : int(Done);
}

int listRecorded(const Globals &globals, const RecordedAt &recorded, bool all)
{
    int exitCode = Done;
    RecordedMoment moment;
    if (!readRecorded(recorded, &moment, &exitCode))
        return exitCode;
    const RecordedLook &look = moment.look;
    const QList<SharedLockRow> &rows = look.locks.rows;
    if (look.locks.isCut())
        printError(u"only %1 of %2 are shown."_s.arg(rows.size()).arg(look.locks.counts.total()));
    ListPrinter printer(globals.json, all ? columnsOfNotes() : 0);
    printer.add(QList<LockRow>(rows.cbegin(), rows.cend()), moment.at);
    if (all) {
        for (const QString &note : look.tables.notes)
            printError(printable(note));
        printServers(&printer, rows, look.waits, look.capabilities, look.tables);
    }
    printer.end();
    return Done;
}

} // namespace

void addList(CLI::App &app, Globals &globals)
{
    auto *command = addCommand(app, "list", "What is held, and which optimistic commits were tried",
                               "lockctl list --json | jq -r '.[] | select(.waiters>0).resource'");
    auto all = std::make_shared<bool>(false);
    command->add_flag(
        "--all", *all,
        "Also the server's own locks: rows, tables, their definitions, GET_LOCK; and those that other "
        "programs keep in tables of theirs, or on Redis, ZooKeeper and etcd in keys; needs no lock tables "
        "of Lockscope");
    auto perhaps = std::make_shared<bool>(false);
    command->add_flag("--perhaps", *perhaps,
                      "With --all on Redis: also keys of which only the name says that they are locks");
    auto look = std::make_shared<TableLookArguments>();
    addTableLook(*command, *look);
    auto recorded = std::make_shared<RecordedAt>();
    addRecordedAt(*command, *recorded);
    command->callback([&globals, all, perhaps, recorded, look] {
        const bool looks = !look->schema.empty() || !look->names.empty();
        if (looks && (!*all || !recorded->file.empty()))
            throw CLI::ValidationError("list", "--schema and --name are for --all, and for a server");
        if (*perhaps && (!*all || !recorded->file.empty()))
            throw CLI::ValidationError("list", "--perhaps is for --all, and for a server");
        globals.action = [&globals, all, perhaps, recorded, look] {
            if (!recorded->file.empty())
                return listRecorded(globals, *recorded, *all);
            if (*all && isStore(namedUrl(globals)))
                return listKeys(globals, *perhaps);
            return *all ? listAll(globals, *look) : list(globals);
        };
    });
}

} // namespace lockscope::ctl
