// SPDX-License-Identifier: MIT
#pragma once

#include "console/auditfile.h"
#include "console/serveraccess.h"
#include "locktables/tablelock.h"

namespace lockscope {

class Session;

/// Who releases which row, and why.
struct TableReleaseOrder
{
    TableLock lock; ///< as it was shown
    QString operatorName;
    QString reason;       ///< not empty, at most MaxReasonCharacters characters
    QString profile = {}; ///< named by who knows that the table is this program's; else empty

    bool operator==(const TableReleaseOrder &) const = default;
};

/// `*why` is why it cannot be released here; empty: it can. English. Asks the server what else would change. Thread:
/// that of `session`.
std::optional<LockError> lookUpTableRefusal(Session &session, const TableReleaseOrder &order, QString *why);
/// Exactly what is sent, to show it before; whether the COMMIT is, depends on how many rows it hit. Pure; any thread.
QByteArray tableReleaseStatement(const TableLock &lock);

/// How it went.
struct TableReleaseReport
{
    enum class Outcome {
        Released,
        TargetChanged, ///< not exactly one row is as it was shown: what was begun is rolled back
        StillHeld,     ///< the row would be held after it, too: rolled back
        Refused,       ///< the order is not complete, or `access` forbids it: nothing was done
        Failed         ///< see `error`
    };
    Outcome outcome = Outcome::Failed;
    qint64 rows = 0;      ///< that were as shown
    QByteArray statement; ///< what was sent
    QString recordError;  ///< why it is not on record, though it was done; empty: it is
    std::optional<LockError> error;

    /// The connection was lost while it was committed.
    bool mayBeDone = false;
};

/// Changes or deletes the row as the program itself would, where everything that was shown of it is still so, in a
/// transaction that is committed only if that hit exactly one row. Two lines in the audit file, and refused where the
/// first cannot be written. Thread: that of `session`.
TableReleaseReport releaseTableLock(Session &session, const TableReleaseOrder &order, const ServerAccess &access,
                                    AuditFile *audit);

/// "released", "nothing was done: …" for the record; English.
QString outcomeOf(const TableReleaseReport &report);

} // namespace lockscope
