// SPDX-License-Identifier: MIT
#include "arguments.h"
#include "console/duration.h"
#include "server/keylook.h"
#include "server/reachedsource.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

QStringList toCells(LockKind kind, const Waiter &waiter, ServerTime now)
{
    const QString owner = waiter.account.isEmpty() ? waiter.owner.toString() : waiter.account;
    return {QString::number(waiter.position),
            modeText(kind),
            waiter.since ? formatDuration(now - *waiter.since) : u"-"_s,
            waiter.connectionId ? QString::number(*waiter.connectionId) : u"-"_s,
            printable(owner),
            printable(waiter.note)};
}

/// The queues of the lease and of the row of one name.
struct Queues
{
    QJsonArray array;
    QList<QStringList> rows;
    bool isHeld = false; ///< or may be
};

std::optional<LockError> addQueue(LockSource &source, const LockKey &key, Queues *queues)
{
    QList<Waiter> queue;
    std::optional<LockRow> lock;
    SnapshotClock clock;
    if (auto error = source.oneWithWaiters(key, &lock, &queue, &clock))
        return error;
    queues->isHeld |= lock.has_value();
    if (lock && lock->keyLock && !lock->waiters)
        printError(u"%1: %2 keeps no queue, so who waits is not known."_s.arg(
            printable(key.resource), printable(lock->keyLock->convention.title)));
    else if (lock && !lock->waiters)
        warnAboutWaiters();
    for (const Waiter &waiter : queue) {
        QJsonObject object = toJson(waiter, clock.server);
        object.insert(u"mode"_s, modeText(key.kind));
        queues->array.append(object);
        queues->rows.append(toCells(key.kind, waiter, clock.server));
    }
    return std::nullopt;
}

/// Of a name that a list may show all the same.
void warnAboutOthers(const LockSource &source, const std::string &resource)
{
    const QString name = printable(QByteArray::fromStdString(resource));
    const auto text = source.keyKind()
        ? u"no lease or other program's lock of the name %1 is held or waited for; what other programs hold: lockctl "
          "list --all, with --perhaps also what is only guessed."_s
        : u"no lease or row of the name %1 is held or waited for; what other programs hold: lockctl list --all, who "
          "waits for the server's own locks: lockctl blockers."_s;
    printError(text.arg(name));
}

int waiters(const Globals &globals, const std::string &resource)
{
    int exitCode = Done;
    const auto reached = reachSource(globals, SourceUse::Look, &exitCode);
    if (!reached)
        return exitCode;
    Queues queues;
    lookForKeys(*reached->source);
    QList<LockKind> kinds{LockKind::Lease, LockKind::Row};
    if (const auto others = reached->source->keyKind())
        kinds.append(*others);
    for (const LockKind kind : std::as_const(kinds)) {
        const auto error = addQueue(*reached->source, {kind, QByteArray::fromStdString(resource), 0}, &queues);
        const bool isOfOthers = kind == reached->source->keyKind();
        if (error && (!isOfOthers || error->kind != LockError::Kind::NoPermission))
            return printError(*error);
        if (error) { // leases are shown all the same
            printError(*error);
            queues.isHeld = true;
        }
    }
    if (globals.json)
        printJson(queues.array);
    else
        print(table({u"PLACE"_s, u"MODE"_s, u"WAITED"_s, u"CONNECTION"_s, u"OWNER"_s, u"NOTE"_s}, queues.rows));
    if (!queues.isHeld && queues.rows.isEmpty())
        warnAboutOthers(*reached->source, resource);
    return Done;
}

} // namespace

void addWaiters(CLI::App &app, Globals &globals)
{
    auto *command = addCommand(app, "waiters", "Who waits for a resource, next one first", "lockctl waiters invoices");
    auto resource = std::make_shared<std::string>();
    addResource(*command, *resource);
    command->callback(
        [&globals, resource] { globals.action = [&globals, resource] { return waiters(globals, *resource); }; });
}

} // namespace lockscope::ctl
