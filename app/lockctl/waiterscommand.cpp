#include "arguments.h"
#include "exitcode.h"
#include "monitor/duration.h"
#include "monitor/leasereader.h"
#include "output.h"
#include "server.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

QStringList toCells(const Waiter &waiter, ServerTime now)
{
    return {QString::number(waiter.position), waiter.since ? formatDuration(now - *waiter.since) : u"-"_s,
            waiter.connectionId ? QString::number(*waiter.connectionId) : u"-"_s,
            printable(waiter.owner.toString().toUtf8()), printable(waiter.note)};
}

int waiters(const Globals &globals, const std::string &resource)
{
    int exitCode = Done;
    const auto session = connectToServer(globals, &exitCode);
    if (!session)
        return exitCode;
    LeaseReader reader(*session);
    const LockKey key{LockKind::Lease, QByteArray::fromStdString(resource), 0};
    QList<Waiter> queue;
    std::optional<LockRow> lock;
    SnapshotClock clock;
    if (const auto error = reader.waiters(key, &queue))
        return complain(*error);
    if (const auto error = reader.one(key, &lock, &clock)) // for the clock, which is then not older than the queue
        return complain(*error);
    QJsonArray array;
    QList<QStringList> rows;
    for (const Waiter &waiter : queue) {
        array.append(toJson(waiter, clock.server));
        rows.append(toCells(waiter, clock.server));
    }
    if (globals.json)
        printJson(array);
    else
        print(table({u"PLACE"_s, u"WAITED"_s, u"CONNECTION"_s, u"OWNER"_s, u"NOTE"_s}, rows));
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
