// SPDX-License-Identifier: MIT
#pragma once

#include "console/auditfile.h"
#include "console/serveraccess.h"
#include "waits/capabilities.h"
#include "waits/waitforecast.h"

namespace lockscope {

/// What becomes of a prepared transaction. Its coordinator has decided that, or will; nobody else knows.
enum class PreparedFate { Commit, Rollback };

/// A prepared transaction as a person saw it. The same name may be given again once it has ended.
struct PreparedTarget
{
    QString identity; ///< Capabilities::identity
    Xid xid;
    quint64 transaction = 0; ///< InnoDB's number; 0: which of several has this name is not told
    ServerTime started{};    ///< of that one

    /// Of what stands for it, with one of the names that it may have.
    static PreparedTarget of(const ServerWaits &waits, quint64 number, const Xid &xid);
    bool operator==(const PreparedTarget &) const = default;
};

/// Who ends what, and why.
struct PreparedOrder
{
    PreparedTarget target;
    PreparedFate fate = PreparedFate::Rollback;
    QString operatorName;
    QString reason; ///< not empty, at most MaxReasonCharacters characters

    bool operator==(const PreparedOrder &) const = default;
};

/// "XA ROLLBACK 'x1'"
QByteArray preparedCommand(const PreparedOrder &order);
/// Exactly what is sent, to show it before. Pure; any thread.
QByteArray preparedStatement(const PreparedOrder &order, Family family);

/// Why it cannot be ended by anybody but its session; empty: it can. English.
QString preparedRefusal(const PreparedTransaction &prepared);

/// How it went.
struct PreparedReport
{
    enum class Outcome {
        Ended,         ///< and, where this user may know, no such name is there any more
        AlreadyGone,   ///< there was nothing of this name
        TargetChanged, ///< the name is another transaction's by now, or a session's: nothing was done
        Refused,       ///< the order is not complete, or `access` forbids it: nothing was done
        Failed         ///< see `error`
    };
    Outcome outcome = Outcome::Failed;
    QByteArray statement; ///< what was sent
    QString recordError;  ///< why it is not on record, though it was done; empty: it is
    std::optional<LockError> error;

    /// The connection was lost: the server goes on with what it has got.
    bool mayBeDone() const;
};

/// Ends it, guarded: the server does so only while the name is a prepared transaction's that no session has, and in the
/// same packet before it the transaction has to be the one that was seen. On record as a kill is, and refused where
/// that cannot be kept. Thread: that of `session`.
PreparedReport endPrepared(Session &session, const Capabilities &capabilities, const PreparedOrder &order,
                           const ServerAccess &access, AuditFile *audit);

/// "ended", "nothing was done: …" for the record; English.
QString outcomeOf(const PreparedReport &report);

} // namespace lockscope
