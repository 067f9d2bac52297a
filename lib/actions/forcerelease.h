// SPDX-License-Identifier: MIT
#pragma once

#include "console/auditfile.h"
#include "console/serveraccess.h"
#include "session/session.h"
#include "sources/locksource.h"

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

/// Of a lease in ZooKeeper or etcd: Curator, a Go program or etcdctl took it. Such a holder is told nothing of its end,
/// and works on. Pure; any thread.
bool isOfOtherProgram(const LockRow &lease);

/// How a force release ended.
struct ReleaseReport : ForcedRelease
{
    std::optional<LockRow> lockNow; ///< what is there now: the next holder, or what changed; none = free
    QString recordError;            ///< why the local record has no line of it, though it was done; empty: it has
};

/// The text that a force release sends, to show it before; of a source that is open. Pure; any thread.
QByteArray releaseStatement(const ReleaseOrder &order, Family family);
QByteArray releaseStatement(const ReleaseOrder &order, const LockSource &source);

/// What is there now. Thread: that of `source`.
std::optional<LockError> previewRelease(LockSource &source, const LockKey &key, ReleasePreview *preview);

/// What the local record says of a release; `source` is open.
AuditEntry releaseEntry(const ReleaseOrder &order, const ForcedRelease &release, const LockSource &source);

/// Ends the lease, with a line in the open audit file before it and one after it. Refused where the first cannot be
/// written; `*unrecorded` is why the second could not, else empty. Thread: that of `source`.
ForcedRelease endLease(LockSource &source, const ReleaseOrder &order, AuditFile *audit, QString *unrecorded);

/// Ends the lease on record: an event on the server, by the same transaction, and two lines in the audit file of
/// this machine; refused where that cannot be written, and by `access`. A connection that breaks is opened again, and
/// what became of the release is asked for: `outcome` and both records say what happened. Failed with an error of kind
/// ConnectionLost: it could not be asked. Thread: that of `source`.
ReleaseReport releaseByForce(LockSource &source, const ReleaseOrder &order, const ServerAccess &access,
                             AuditFile *audit);

} // namespace lockscope
