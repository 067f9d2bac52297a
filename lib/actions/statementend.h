// SPDX-License-Identifier: MIT
#pragma once

#include "waits/serverwaits.h"

namespace lockscope {

/// Whether a session's transaction ends with the statement that it runs.
enum class TransactionEnd {
    No,      ///< it was begun before
    Perhaps, ///< it was begun in the statement's second, or is none of InnoDB's: no server tells whose it is
    Yes      ///< the statement commits, as a definition does, or waits to commit
};

/// What ends when KILL QUERY ends a session's statement, and what stays. Pure; valid as long as what it is made of.
/// Source: how long metadata locks last, by sql/sql_base.cc and sql/lock.cc of both servers; a row lock lasts until the
/// end of its transaction, and one for AUTO_INCREMENT until that of its statement.
class StatementEnd
{
public:
    enum class Effect {
        Freed,
        FreedIfOwn,    ///< only if the transaction ends with the statement, and not under LOCK TABLES
        FreedIfUnheld, ///< only if the session has not locked before what its statement locks
        Kept
    };

    StatementEnd(const ServerWaits &waits, const ServerSession &session);

    TransactionEnd transaction() const { return m_transaction; }
    /// Of a lock that this session holds.
    Effect on(const ServerLock &lock) const;
    /// Of a wait for this session.
    Effect on(const WaitEdge &edge) const;

private:
    Effect onHeld(const ServerLock &lock) const;
    Effect onOpened(const ServerLock &lock) const;
    Effect onServerWide(bool isWeak) const;
    Effect withTransaction(Effect otherwise) const;
    Effect unlessLocked() const;

    const ServerSession &m_session;
    QList<ServerLock> m_held;
    QSet<ServerObject> m_wanted;
    bool m_isCommitting; ///< with all that it holds
    TransactionEnd m_transaction;
    bool m_isTold = false;      ///< which metadata locks it holds
    bool m_keepsTables = false; ///< by LOCK TABLES or FLUSH TABLES
};

} // namespace lockscope
