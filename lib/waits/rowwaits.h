// SPDX-License-Identifier: MIT
#pragma once

#include "serverwaits.h"
#include "session/session.h"

namespace lockscope {

/// Transactions by InnoDB's number, with the session of each.
struct OpenTransactions
{
    QHash<quint64, quint64> sessions; ///< number of the transaction → of the session; 0: it has none
    /// Sessions whose transactions have no number, by the lock that they wait for: on MariaDB those that changed
    /// nothing.
    QMultiHash<QByteArray, quint64> unnumbered;
    QHash<quint64, Transaction> transactions; ///< number of the session → its transaction
    QHash<quint64, Transaction> loose;        ///< number of the transaction → one that has no session
    QHash<quint64, quint64> attached;         ///< the same → the session, of prepared ones that have it still
    bool isCut = false;

    bool hasWaiters() const;
};

/// At most `limit` of those that wait and of those that do not, the longest wait and those that changed something
/// first.
std::optional<LockError> readTransactions(Session &session, int limit, OpenTransactions *found);

/// Adds those of these sessions.
std::optional<LockError> readTransactionsOf(Session &session, QList<quint64> sessions, OpenTransactions *open);

/// Who waits for rows and InnoDB's table locks, and the locks at which somebody waits: those of holders as far as they
/// hold somebody up, and those waited for.
struct RowWaits
{
    QList<WaitEdge> edges;
    QList<ServerLock> locks;
    bool isCut = false; ///< each waiter has those that hold it up, and one that stands before it
};
/// Adds the transactions to `open` that hold somebody up and are not among them; what has gone on since they were read
/// waits no longer there.
std::optional<LockError> readRowWaits(Session &session, OpenTransactions *open, RowWaits *found);

/// Of MySQL, where the transaction has no more than RowLocks::MaxHeld.
std::optional<LockError> readRowLocks(Session &session, quint64 transaction, RowLocks *found);

/// Those that wait by InnoDB's word while nothing in `waits` says for whom.
QList<LostWaiter> lostRowWaiters(const OpenTransactions &open, const ServerWaits &waits);

/// "`shop`.`stock`" or "`shop`.`stock` /* Partition `p0` */" as schema and table; quotes doubled in names are halved.
std::pair<QString, QByteArray> splitTable(const QString &text);

} // namespace lockscope
