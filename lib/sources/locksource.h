// SPDX-License-Identifier: MIT
#pragma once

#include "engine/core/leaseid_p.h"
#include "locks/snapshot.h"
#include "lockscope/heldleases.h"
#include "session/statement.h"

#include <functional>
#include <stop_token>

namespace lockscope {

/// Other programs' locks of a server, as they were found.
struct KeyLocks
{
    QList<LockRow> rows; ///< sorted by key
    SnapshotClock clock;
    qint64 unreadable = 0; ///< keys that the account may not read
    bool isCut = false;    ///< there are more than were asked for
};

/// A walk through all that a server has.
struct KeyWalk
{
    qsizetype limit = 0;    ///< of locks: with more of them it ends
    bool isResting = false; ///< the server is at work for it for a tenth of the time, however long it takes then
    /// After each step of it, with what that found; may ask the source for more. None: nobody wants to know.
    std::function<void(const QList<LockRow> &rows)> onStep = {};
};

/// To look is to see open transactions too: only there holders of rows show themselves.
enum class SourceUse { Look, Act };

/// Locks of one server as an operator sees and ends them, whatever they live in. Each call opens a connection where
/// there is none. Thread: one at a time.
class LockSource
{
public:
    /// Gets a part of a walk: leases by name, and when they were read.
    using Take = std::function<void(const QList<LockRow> &leases, const SnapshotClock &clock)>;

    LockSource();
    virtual ~LockSource();
    LockSource(const LockSource &) = delete;
    LockSource &operator=(const LockSource &) = delete;

    /// Connects, unless that is done.
    virtual std::optional<LockError> open() = 0;
    /// Its address, and as whom it takes this program: as the record of actions names them.
    virtual QString server() const = 0;
    virtual QString account() const = 0;
    /// Of MySQL or MariaDB, once it was open.
    virtual Family family() const { return Family::MariaDb; }
    /// ServerInfo::ownName of such a one; of others empty.
    virtual QString ownName() const { return {}; }

    /// The leases that are not free, by name, part by part. Stopped, it leaves the rest.
    virtual std::optional<LockError> leases(const std::stop_token &stop, const Take &take) = 0;
    /// Those that somebody holds, of the names that begin with `prefix`; the same.
    virtual std::optional<LockError> heldLeases(const QByteArray &prefix, const std::stop_token &stop,
                                                const Take &take) = 0;
    /// What it has beside leases, at most `limit` of each kind.
    virtual std::optional<LockError> others(int limit, LockSnapshot *others) = 0;
    /// One lock; `*row` is empty when it is free or unknown.
    virtual std::optional<LockError> one(const LockKey &key, std::optional<LockRow> *row, SnapshotClock *clock) = 0;
    /// The live queue of a lock, next one first.
    virtual std::optional<LockError> waiters(const LockKey &key, QList<Waiter> *waiters) = 0;
    /// Both of these, and the time is not before what the queue says.
    virtual std::optional<LockError> oneWithWaiters(const LockKey &key, std::optional<LockRow> *row,
                                                    QList<Waiter> *waiters, SnapshotClock *clock);

    /// By which conventions it knows other programs' locks; before the first use. None: it shows none.
    virtual void useConventions(const QList<KeyConvention> & /*conventions*/) { }
    /// What kind of lock those are here; none: there are none of them.
    virtual std::optional<LockKind> keyKind() const { return std::nullopt; }
    /// They; one() and waiters() know them by name, without a walk.
    virtual std::optional<LockError> keyLocks(const KeyWalk &walk, const std::stop_token &stop, KeyLocks *found);
    /// Those of these names that are locks now, in one flight; none: that cannot be told so, or failed.
    virtual std::optional<QList<LockRow>> keysNow(const QByteArrayList & /*names*/) { return std::nullopt; }
    /// What endKey() sends.
    virtual QByteArray keyStatement(const KeyLock & /*lock*/, const KeyHolder & /*holder*/) const { return {}; }
    /// Ends what `holder` holds there, if it is still as it was shown. As endLease(), without a record of the server's.
    virtual ForcedRelease endKey(const KeyLock &lock, const KeyHolder &holder);

    /// What endLease() sends, once it is open.
    virtual QByteArray statement(const detail::LeaseId &lease, const detail::ReleaseNote &note) const = 0;
    /// The script that it names, where it names one.
    virtual QByteArray script() const { return {}; }
    /// Ends somebody's lease if it is still this one, on the server's record; the next waiter gets it. Failed with an
    /// error of kind ConnectionLost: it may have been carried out.
    virtual ForcedRelease endLease(const detail::LeaseId &lease, const detail::ReleaseNote &note) = 0;
};

} // namespace lockscope
