// SPDX-License-Identifier: MIT
// A job that every host starts at the same time, and that one of them runs. In the crontab of each host:
//   */15 * * * *  example_cron report $(date +\%Y\%m\%d\%H\%M)
//
//   example_cron [--url URL] JOB SLOT [STEPS]
//
// The first one to come runs the job; the others wait in the queue, which costs the server nothing. When the first is
// done, they find the slot done and skip it. When it crashes, its lease ends after the TTL and the next one runs the
// job.
//
// A lease that is free does not tell whether its last holder finished or died, so the slot that was done is kept in a
// row. It is written by compare-and-swap: a host that froze in the middle cannot report a job that others have done
// since. The job itself may run twice in that case, so it must bear to be begun again.
#include "example.h"

#include <lockscope/optimistic.h>

#include <thread>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const QString kSlot = QStringLiteral("slot");

VersionedTable jobTable()
{
    VersionedTable table;
    table.table = QStringLiteral("example_job");
    table.keyColumn = QStringLiteral("name");
    table.versionColumn = QStringLiteral("version");
    table.readColumns = {kSlot};
    return table;
}

void makeTable(const EngineConfig &config, const QByteArray &job)
{
    QSqlDatabase own = example::database(config);
    example::execute(own,
                     QStringLiteral("CREATE TABLE IF NOT EXISTS example_job (name VARBINARY(255) PRIMARY KEY, "
                                    "version BIGINT NOT NULL, slot BIGINT NOT NULL) ENGINE = InnoDB"));
    example::execute(own, QStringLiteral("INSERT IGNORE INTO example_job VALUES (?, 0, 0)"), {job});
    own.close();
}

/// The job: here it takes a tenth of a second a step. False: the lease was lost on the way, and others may have begun.
bool work(const LockHandle &lease, int steps)
{
    for (int i = 0; i < steps && lease.isHeld(); ++i)
        std::this_thread::sleep_for(100ms);
    return lease.isHeld();
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const auto [config, words] = example::arguments(QStringLiteral("example_cron [--url URL] JOB SLOT [STEPS]"), 2, 3);
    const QByteArray job = words[0].toUtf8();
    const qint64 slot = words[1].toLongLong();
    if (slot <= 0)
        example::fail(QStringLiteral("A slot is a number that grows, such as 202611201815."), 64);
    const int steps = words.value(2, QStringLiteral("3")).toInt();
    makeTable(config, job);
    LockEngine engine(config);

    LockRequest request;
    request.resource = "cron/" + job;
    request.ttl = 10s;  // a crash stops the job for this long; the engine renews it while we live
    request.wait = 60s; // no longer than to the next slot, which has its own hosts waiting
    const AcquireResult lease = engine.acquire(request);
    if (lease.outcome == Outcome::TimedOut) {
        example::say(QStringLiteral("slot %1: somebody else still runs it, skipped").arg(slot));
        return 0;
    }
    if (lease.outcome != Outcome::Granted)
        example::fail(lease.error.value_or(LockError()));

    OptimisticStore jobs(engine, jobTable());
    const ReadResult before = jobs.read(job);
    if (before.outcome != ReadOutcome::Read)
        example::fail(before.error.value_or(LockError()));
    if (before.snapshot.values[0].toLongLong() >= slot) {
        example::say(QStringLiteral("slot %1: done already, skipped").arg(slot));
        return 0;
    }
    example::say(QStringLiteral("slot %1: runs with token %2").arg(slot).arg(lease.handle.token()));
    const bool isWhole = work(lease.handle, steps);
    if (!isWhole || jobs.commit(before.snapshot, {{kSlot, slot}}).outcome != CommitOutcome::Committed) {
        example::say(QStringLiteral("slot %1: lost on the way").arg(slot));
        return 1;
    }
    example::say(QStringLiteral("slot %1: done").arg(slot));
    return 0; // the lease is released here
}
