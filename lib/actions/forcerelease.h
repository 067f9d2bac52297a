// SPDX-License-Identifier: MIT
#pragma once

#include "console/auditfile.h"
#include "locks/leasereader.h"
#include "lockscope/heldleases.h"

namespace lockscope {

/// Who releases what, and why.
struct ReleaseOrder
{
    LockKey key;
    quint64 token = 0; ///< only the lease with this token is released
    QString operatorName;
    QString reason; ///< not empty, at most MaxReasonCharacters characters
};

/// What an operator must know before releasing somebody else's lock.
struct ReleasePreview
{
    std::optional<LockRow> lock; ///< what is there now, whatever its token; none: free
    QList<Waiter> queue;         ///< live requests, the first gets the lock
    SnapshotClock clock;
};

/// How a force release ended.
struct ReleaseReport : ForcedRelease
{
    std::optional<LockRow> lockNow; ///< what is there now: the next holder, or what changed; none = free
    QString recordError;            ///< why the local record has no line of it, though it was done; empty: it has
};

/// The text that a force release sends, to show it before. Pure; any thread.
QByteArray releaseStatement(const ReleaseOrder &order, Family family);

/// The engine's force release of one lease with what an operator sees around it.
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
    Session &m_session;
};

/// What the local record says of a release. Pure.
AuditEntry releaseEntry(const ReleaseOrder &order, const ForcedRelease &release, const QString &server, Family family);

/// ForceRelease::act() with a line in the audit file of this machine; refused where that cannot be opened.
ReleaseReport recordedRelease(Session &session, const ReleaseOrder &order, AuditFile *audit);

} // namespace lockscope
