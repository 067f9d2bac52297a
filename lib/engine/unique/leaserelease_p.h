// SPDX-License-Identifier: MIT
#pragma once

#include "engine/core/leaseid_p.h"
#include "lockscope/heldleases.h"
#include "session/reconnectingsession.h"

#include <functional>
#include <stop_token>

// Ending leases of others: what an engine does for its application, and the console for an operator.
namespace lockscope::detail {

/// What is wrong with a note, or with a selection where names have `prefixBytes` in front of them. Pure.
std::optional<LockError> validate(const ReleaseNote &note);
std::optional<LockError> validate(const LeaseSelection &selection, qsizetype prefixBytes = 0);

/// The packet that ends a lease. Pure.
QByteArray endStatement(const LeaseId &lease, const ReleaseNote &note, Family family);

/// Ends somebody's lease: guarded by its token, recorded in lock_event by the same transaction. Hands the lock to the
/// first live waiter and wakes it, or frees it. Thread: that of `session` (READ COMMITTED).
ForcedRelease endLease(Session &session, const LeaseId &lease, const ReleaseNote &note);

/// True when this end, with this note, is on record. For after a lost connection: the event was written by the same
/// transaction.
std::optional<LockError> isEndRecorded(Session &session, const LeaseId &lease, const ReleaseNote &note, bool *recorded);

/// The same over a session that is opened again when it breaks; then the record tells what became of it. Failed with a
/// LockError of kind ConnectionLost: it may have been carried out.
ForcedRelease endLease(ReconnectingSession &link, const LeaseId &lease, const ReleaseNote &note);

/// Calls `end` for 0 … count-1, until `stop` is requested or the server is away, and adds up what it answers.
ForcedReleases endAll(qsizetype count, const std::stop_token &stop,
                      const std::function<ForcedRelease(qsizetype index)> &end);

/// Columns of engine/lease_page. The first of monitor/list are the same.
enum LeaseColumn {
    ResourceCol,
    SlotCol,
    TokenCol,
    KeptCol,
    HolderCol,
    AcquiredCol,
    ExpiresCol,
    TtlCol,
    OwnerCol,
    NoteCol,
    QueueCol,
    IsHeldCol, ///< this and the next of engine/lease_page alone
    IsExpiredCol
};

/// A walk through the leases in the order of their names, a bounded number of rows of the table at a time: run
/// engine/lease_page with params(), and pass() what it answered, until the end.
class LeaseWalk
{
public:
    /// Of the names that begin with `prefix`; empty: of all.
    explicit LeaseWalk(const QByteArray &prefix = {});

    bool isAtEnd() const { return m_isAtEnd; }
    Params params() const;
    void pass(const QList<QVariantList> &rows);

private:
    QByteArray m_resource; // behind this and the slot
    int m_slot;
    QByteArray m_last;
    bool m_isAtEnd = false;
};

/// The leases of a selection that are held now, of the names that begin with `namePrefix`, which is taken off them.
/// `run` calls its argument with a session, in any thread.
HeldLeases readHeldLeases(const LeaseSelection &selection, const QByteArray &namePrefix, const std::stop_token &stop,
                          const std::function<void(const std::function<void(ReconnectingSession &)> &)> &run);

} // namespace lockscope::detail
