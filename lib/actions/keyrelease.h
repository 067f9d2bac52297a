// SPDX-License-Identifier: MIT
#pragma once

#include "console/auditfile.h"
#include "console/serveraccess.h"
#include "sources/locksource.h"

namespace lockscope {

/// Who ends which lock of another program's in Redis, ZooKeeper or etcd, and why.
struct KeyReleaseOrder
{
    LockKey key;
    QByteArray guard; ///< KeyHolder::guard() as it was shown: only this hold is ended
    QString operatorName;
    QString reason;           ///< not empty, at most MaxReasonCharacters characters
    bool isForLeader = false; ///< the second question, for a lock whose end makes another one the leader

    bool operator==(const KeyReleaseOrder &) const = default;
};

/// What is there now, and what would be done to it.
struct KeyReleasePreview
{
    std::optional<LockRow> lock;     ///< whatever its guard; none: nobody holds it
    std::optional<KeyHolder> holder; ///< with the guard; none: it has changed since
    QString refusal;                 ///< why it cannot be released here; empty: it can. English
    QByteArray statement;            ///< exactly what is sent; empty: it is refused
    SnapshotClock clock;
};

/// Thread: that of `source`.
std::optional<LockError> previewKeyRelease(LockSource &source, const KeyReleaseOrder &order, KeyReleasePreview *seen);

struct KeyReleaseReport : ForcedRelease
{
    bool isRefused = false;         ///< by the order, the convention or `access`; see `error`: nothing was done
    std::optional<LockRow> lockNow; ///< what is there now; none: nobody holds it
    bool isNowKnown = true;         ///< false: what is there now cannot be read
    QString recordError;            ///< why it is not on record, though it was done; empty: it is
};

/// Ends it as its program itself would, where it is still what the guard says that was shown. Two lines in the audit
/// file, and refused where the first cannot be written. Thread: that of `source`.
KeyReleaseReport releaseKey(LockSource &source, const KeyReleaseOrder &order, const ServerAccess &access,
                            AuditFile *audit);

} // namespace lockscope
