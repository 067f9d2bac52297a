#include "arguments.h"
#include "exitcode.h"
#include "monitor/leasereader.h"
#include "output.h"
#include "server.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

/// More than a person reads and than a script should parse; what is cut is said.
constexpr int kMaxRows = 100'000;

void printArray(const LockSnapshot &snapshot)
{
    const ServerTime now = snapshot.clock.now();
    QJsonArray array;
    for (const LockRow &row : snapshot.rows)
        array.append(toJson(row, now));
    printJson(array);
}

/// Without lock tables nothing of ours is held, which is an answer when every kind is asked for.
bool isNoTables(const LockError &error)
{
    return error.kind == LockError::Kind::SchemaMissing;
}

int list(const Globals &globals, bool all)
{
    int exitCode = Done;
    auto target = findServer(globals, &exitCode);
    if (!target)
        return exitCode;
    LockSnapshot snapshot;
    const auto error = withPassword(&*target, [&snapshot](const SessionTarget &to) -> std::optional<LockError> {
        LockError refused;
        const auto session = Session::open(forReading(to), &refused);
        return session ? LeaseReader(*session).list({kMaxRows, {}}, &snapshot) : std::optional(refused);
    });
    if (error && !(all && isNoTables(*error)))
        return complain(*error);
    if (all)
        complain(
            u"this version shows its own leases, row locks and optimistic resources only, no other row, metadata or "
            "user-level locks."_s);
    if (snapshot.isCut())
        complain(u"shown %1 of %2."_s.arg(snapshot.rows.size()).arg(snapshot.counts.total()));
    if (std::any_of(snapshot.rows.cbegin(), snapshot.rows.cend(), [](const LockRow &row) { return !row.waiters; }))
        complainAboutWaiters();
    globals.json ? printArray(snapshot) : print(lockTable(snapshot.rows, snapshot.clock.now()));
    return Done;
}

} // namespace

void addList(CLI::App &app, Globals &globals)
{
    auto *command = addCommand(app, "list", "What is held, and what is tried optimistically",
                               "lockctl list --json | jq -r '.[] | select(.waiters>0).resource'");
    auto all = std::make_shared<bool>(false);
    command->add_flag("--all", *all, "Every kind of lock, not only leases");
    command->callback([&globals, all] { globals.action = [&globals, all] { return list(globals, *all); }; });
}

} // namespace lockscope::ctl
