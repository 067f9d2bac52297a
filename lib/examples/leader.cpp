// SPDX-License-Identifier: MIT
// One leader among several processes; the others wait in the order in which they came.
//
//   example_leader [--url URL] NAME [BEATS]     start it several times; kill, freeze or stop the one that leads
//
// The leader writes ten beats a second and steps down after BEATS of them (default: never). A leader that loses the
// lead, because it was frozen or cut off for longer than the TTL, stops working and queues again.
//
// No process can know that it will not be frozen between its last look at the clock and its write. So the write carries
// the fencing token, and the store refuses a token that is smaller than one it has seen: a leader of yesterday cannot
// overwrite what today's has written.
#include "example.h"

#include <thread>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

void makeTable(QSqlDatabase &own, const QByteArray &name)
{
    example::execute(own,
                     QStringLiteral("CREATE TABLE IF NOT EXISTS example_leader (name VARBINARY(255) PRIMARY KEY, "
                                    "fence_seen BIGINT UNSIGNED NOT NULL, beats BIGINT UNSIGNED NOT NULL) "
                                    "ENGINE = InnoDB"));
    example::execute(own, QStringLiteral("INSERT IGNORE INTO example_leader VALUES (?, 0, 0)"), {name});
    own.close(); // the wait for the lead may be long
}

/// The leader's work: a write that the store takes only from the newest leader.
bool beat(QSqlDatabase &own, const QByteArray &name, quint64 token)
{
    const QString write = QStringLiteral("UPDATE example_leader SET beats = beats + 1, fence_seen = ? "
                                         "WHERE name = ? AND fence_seen <= ?");
    return example::execute(own, write, {token, name, token}) == 1;
}

/// Leads until the lead is lost, or until `beats` are done: then true.
bool lead(const LockHandle &lease, QSqlDatabase &own, qint64 beats)
{
    const QByteArray name = lease.resource();
    for (qint64 i = 0; lease.isHeld(); ++i) { // asks nobody: the engine renews, and knows its own deadline
        if (i == beats)
            return true;
        if (!beat(own, name, lease.token())) {
            example::say(QStringLiteral("refused: a newer leader has written"));
            return false;
        }
        std::this_thread::sleep_for(100ms);
    }
    example::say(QStringLiteral("lost the lead"));
    return false;
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const auto [config, words] = example::arguments(QStringLiteral("example_leader [--url URL] NAME [BEATS]"), 1, 2);
    const qint64 beats = words.value(1, QStringLiteral("-1")).toLongLong();
    LockRequest request;
    request.resource = "leader/" + words[0].toUtf8();
    request.ttl = 10s; // after a crash nobody leads for this long
    request.wait = Forever;

    QSqlDatabase own = example::database(config);
    makeTable(own, request.resource);
    LockEngine engine(config);
    for (bool isDone = false; !isDone;) {
        example::say(QStringLiteral("waits"));
        const AcquireResult lease = engine.acquire(request);
        if (lease.outcome != Outcome::Granted)
            example::fail(lease.error.value_or(LockError()));
        example::say(QStringLiteral("leads with token %1").arg(lease.handle.token()));
        isDone = lead(lease.handle, own, beats);
        own.close();
    } // the lease is released here, and the next in the queue leads at once
    example::say(QStringLiteral("stepped down"));
    return 0;
}
