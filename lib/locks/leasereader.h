// SPDX-License-Identifier: MIT
#pragma once

#include "engine/unique/leaserelease_p.h"
#include "leaserow.h"
#include "rowqueues.h"
#include "session/session.h"
#include "snapshot.h"

#include <QtCore/QByteArrayList>

namespace lockscope {

/// Which locks to read.
struct ListOptions
{
    /// At most this many of each kind; leases with a queue come first, then by name; the latest tried versions.
    int limit = 1000;
    /// Only locks with these bytes in resource, owner or note; empty = all.
    QByteArray contains = {};
    /// False: LeaseMirror has the leases.
    bool leasesToo = true;
};

/// A part of a walk through the leases.
struct LeasePage
{
    QList<LockRow> rows = {}; ///< those of this page that somebody holds
    SnapshotClock clock = {}; ///< when it was read
    detail::LeaseWalk walk;   ///< to the next page
};

/// Which events to read.
struct EventOptions
{
    quint64 afterId = 0;             ///< only newer ones
    std::optional<LockKey> key = {}; ///< only of this lock
    int limit = 500;                 ///< the newest ones, returned oldest first
};

/// The target with what a reader's session needs beside: holders of rows show themselves in open transactions.
inline SessionTarget forReading(SessionTarget target)
{
    target.readUncommitted = true;
    return target;
}

/// Reads the engine's tables. Writes nothing and takes no lock.
/// Thread: that of `session`, which must outlive the reader.
/// Cost of `list`: one pass over lock_lease (100,000 rows: see tests/bench) and lock_row, plus one row per lock shown;
/// where rows are held, the queues of RowQueues. Of optimistic mode it reads what was tried in the last ten minutes.
class LeaseReader
{
public:
    explicit LeaseReader(Session &session);

    /// All locks that are not free, sorted by key. Recent conflict rates need several lists: see ConflictRates.
    std::optional<LockError> list(const ListOptions &options, LockSnapshot *snapshot);
    /// One lock; `*row` is empty when it is free or unknown.
    std::optional<LockError> one(const LockKey &key, std::optional<LockRow> *row, SnapshotClock *clock = nullptr);
    /// The leases that are not free, in order, behind a key (the first one: all), at most `limit`: a list of any length
    /// page by page. Cost: by the key, as many rows as are read.
    std::optional<LockError> leasesBehind(const LockKey &key, int limit, QList<LockRow> *leases, SnapshotClock *clock);
    /// Goes on to the next page.
    std::optional<LockError> next(LeasePage *page);
    /// The live queue of a lock, next one first; empty where LockRow::waiters is not known.
    std::optional<LockError> waiters(const LockKey &key, QList<Waiter> *waiters);
    /// Events, oldest first.
    std::optional<LockError> events(const EventOptions &options, QList<Event> *events);

private:
    Reply runWithClock(const QByteArrayList &names, const Params &params, SnapshotClock *clock);
    std::optional<LockError> readKinds(const ListOptions &options, QList<LockRow> *all, LockSnapshot *snapshot);
    LockRow toRow(LockKind kind, const QVariantList &values, ServerTime now);
    std::optional<LockError> findQueues(LockKind kind, const QList<QVariantList> &found, QList<LockRow> *rows);
    std::optional<LockError> findLeaseQueues(const QList<QVariantList> &found, QList<LockRow> *rows);
    std::optional<LockError> count(LockKind kind, const QList<LockRow> &rows, const ListOptions &options,
                                   LockCounts *counts);
    std::optional<LockError> countLeases(const ListOptions &options, LockCounts *counts);

    Session &m_session;
    RowQueues m_queues;
    OwnerTexts m_owners;
};

} // namespace lockscope
