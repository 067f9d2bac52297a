#pragma once

#include "engine/lockrequest.h"
#include "leasereader.h"
#include "waits/auditfile.h"

namespace lockscope {

/// Who releases what, and why.
struct ReleaseOrder
{
    LockKey key;
    quint64 token = 0; ///< only the lease with this token is released
    QString operatorName;
    QString reason; ///< not empty, at most MaxReasonCharacters characters
};

/// What is wrong with an order's name or reason: ForceRelease::act() refuses it with the same words before any I/O.
std::optional<LockError> checkOrder(const ReleaseOrder &order);

/// What an operator must know before releasing somebody else's lock.
struct ReleasePreview
{
    std::optional<LockRow> lock; ///< what is there now, whatever its token; none: free
    QList<Waiter> queue;         ///< live requests, the first gets the lock
    SnapshotClock clock;
};

/// How a force release ended.
struct ReleaseReport
{
    enum class Outcome {
        Released,      ///< the lease is free or belongs to the next waiter; an event is written
        TargetChanged, ///< another token or nobody holds it: nothing was done
        Failed         ///< see `error`
    };
    Outcome outcome = Outcome::Failed;
    std::optional<LockRow> lockNow; ///< what is there now: the next holder, or what changed; none = free
    std::optional<LockError> error;
    bool isAwake = true; ///< false: the next holder could not be woken and notices within its own time limit
    QString recordError; ///< why the local record has no line of it, though it was done; empty: it has
};

/// The text that a force release sends, to show it before. Pure; any thread.
QByteArray releaseStatement(const ReleaseOrder &order, Family family);

/// Ends somebody else's lease: guarded by its token, recorded in lock_event by the same transaction.
/// Hands the lock to the first live waiter and wakes it, or frees it.
/// Thread: that of `session` (READ COMMITTED), which must outlive this.
class ForceRelease
{
public:
    explicit ForceRelease(Session &session);

    std::optional<LockError> preview(const LockKey &key, ReleasePreview *preview);
    ReleaseReport act(const ReleaseOrder &order);
    /// True when this release is on record. For after a lost connection: `act` ran on another session.
    std::optional<LockError> isRecorded(const ReleaseOrder &order, bool *recorded);

private:
    bool wake(quint64 connection, const QByteArray &presence);

    Session &m_session;
};

/// What the local record says of a release. Pure.
AuditEntry releaseEntry(const ReleaseOrder &order, const ReleaseReport &report, const QString &server, Family family);

/// ForceRelease::act() with a line in the audit file of this machine; refused where that cannot be opened.
ReleaseReport recordedRelease(Session &session, const ReleaseOrder &order, AuditFile *audit);

} // namespace lockscope
