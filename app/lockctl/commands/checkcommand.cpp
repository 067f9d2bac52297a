// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "server/keylook.h"
#include "server/reachedsource.h"
#include "server/server.h"
#include "server/storetarget.h"
#include "server/tablelook.h"
#include "server/waitscommand.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "text/waitscheck.h"

#include <array>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

/// How long leases are held, and how long somebody has waited for them.
std::optional<LockError> measure(LockSource &source, LeaseFigures *figures)
{
    std::optional<LockError> unread;
    const auto wait = [&](const LockRow &lease, ServerTime now) {
        QList<Waiter> queue;
        if (auto error = source.waiters(lease.key, &queue); error && !unread)
            unread = std::move(error);
        figures->queue += int(queue.size());
        for (const Waiter &waiter : std::as_const(queue)) {
            if (!waiter.since || now - *waiter.since < figures->wait)
                continue;
            figures->wait = now - *waiter.since;
            figures->waitsFor = lease.key.resource;
        }
    };
    const auto take = [&](const QList<LockRow> &leases, const SnapshotClock &clock) {
        for (const LockRow &lease : leases) {
            figures->unreadable += lease.state == LockState::Unknown ? 1 : 0;
            if (lease.waiters.value_or(0) > 0)
                wait(lease, clock.now());
            const auto held = lease.heldFor(clock.server);
            if (lease.state == LockState::Kept || !held || *held < figures->held)
                continue;
            figures->held = *held;
            figures->heldName = lease.key.resource;
            figures->holder = lease.owner;
        }
    };
    auto error = source.leases({}, take);
    return error ? error : unread;
}

/// How long other programs hold theirs, where that is known, and whether all of them were seen.
std::optional<LockError> measureKeys(LockSource &source, LeaseFigures *figures)
{
    constexpr int most = 100'000;
    KeyLocks found;
    lookForKeys(source);
    auto error = source.keyLocks({most}, {}, &found);
    figures->isOthersUnseen = error && error->kind == LockError::Kind::NoPermission;
    figures->othersUnreadable = found.unreadable;
    figures->areOthersTooMany = found.isCut;
    for (const LockRow &lock : std::as_const(found.rows)) {
        const auto held = lock.heldFor(found.clock.server);
        if (!held || *held < figures->held)
            continue;
        figures->held = *held;
        figures->heldName = lock.key.resource;
        figures->holder = lock.owner;
    }
    return figures->isOthersUnseen ? std::nullopt : error;
}

CheckResult checkStore(const Globals &globals, const WaitLimits &limits)
{
    int exitCode = Done;
    const auto target = findEngineTarget(globals, &exitCode);
    if (!target)
        return unknownCheck(u"the server's name is not valid, or its password cannot be read."_s);
    ReachedSource reached;
    LeaseFigures figures;
    auto error = openSource(*target, SourceUse::Look, &reached);
    if (!error)
        error = measure(*reached.source, &figures);
    if (!error && limits.maxHeld)
        error = measureKeys(*reached.source, &figures);
    return error ? unknownCheck(printable(error->toString())) : checkLeases(figures, limits);
}

CheckResult check(const Globals &globals, const WaitLimits &limits, const std::string &schema)
{
    int exitCode = Done;
    auto target = findServer(globals, &exitCode);
    if (!target)
        return unknownCheck(u"the server's name is not valid, or its password cannot be read."_s);
    WaitsPoll poll;
    if (const auto error = poll.open(&*target))
        return unknownCheck(printable(error->toString()));
    TableLocks tables;
    if (limits.maxHeld) { // else nobody asks how old a lock is
        TableReadOptions options;
        options.schema = QString::fromStdString(schema);
        const auto read = [&](Session &session) { return readTableLocks(session, options, &tables); };
        if (const auto error = poll.server().ask(read))
            tables.unread.append({u"any lock table"_s, false, error});
    }
    return checkWaits(poll.waits(), limits, tables);
}

} // namespace

void addCheck(CLI::App &app, Globals &globals)
{
    auto *command = addCommand(app, "check",
                               "For monitoring systems: one line, and exit code 0 OK, 1 WARNING, 2 CRITICAL, or 3 "
                               "UNKNOWN when the server cannot be asked",
                               "lockctl check --max-wait 30s --warn 10s --max-held 10m");
    auto times = std::make_shared<std::array<Duration, 3>>();
    auto *maxWait = addDuration(*command, "--max-wait", times->at(0), "CRITICAL when somebody has waited for longer");
    auto *warn = addDuration(*command, "--warn", times->at(1), "WARNING when somebody has waited for longer");
    auto *maxHeld =
        addDuration(*command, "--max-held", times->at(2),
                    "CRITICAL when a transaction has held rows for longer, or another program a lock of its tables; on "
                    "Redis, ZooKeeper and etcd when a lease has been held for longer, or another program's lock that "
                    "tells since when");
    maxWait->required();
    auto limits = std::make_shared<WaitLimits>();
    command->add_option("--max-queue", limits->maxQueue, "CRITICAL when more sessions wait")
        ->type_name("N")
        ->check(decimal());
    auto schema = std::make_shared<std::string>();
    command
        ->add_option("--schema", *schema,
                     "Of other programs' lock tables look into this schema alone; where there are too many tables to "
                     "look into all, --max-held is else UNKNOWN")
        ->type_name("S");
    command->callback([&globals, limits, times, schema, warn, maxHeld] {
        limits->maxWait = times->at(0);
        if (!warn->empty())
            limits->warn = times->at(1);
        if (!maxHeld->empty())
            limits->maxHeld = times->at(2);
        globals.action = [&globals, limits, schema] {
            const CheckResult result =
                isStore(namedUrl(globals)) ? checkStore(globals, *limits) : check(globals, *limits, *schema);
            // What cannot be found out is UNKNOWN to whoever asked.
            constexpr auto untold = int(CheckState::Unknown);
            globals.json ? printJson(result.json, untold) : printLine(result.line, untold);
            return int(result.state);
        };
    });
}

} // namespace lockscope::ctl
