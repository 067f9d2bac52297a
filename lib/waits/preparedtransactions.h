// SPDX-License-Identifier: MIT
#pragma once

#include "capabilities.h"
#include "metadatalocks.h"
#include "rowwaits.h"

namespace lockscope {

/// What the server tells of transactions that outlive their sessions: names, and whose some of them are. InnoDB tells
/// which have locks, XA RECOVER which names there are, and no server which name belongs to which transaction.
class PreparedTransactions
{
public:
    /// Adds to `open` which sessions' transactions are prepared; after the transactions were read, before their edges.
    std::optional<LockError> read(Session &session, const Capabilities &capabilities, OpenTransactions *open);
    /// All that there are, yet without names; after the edges, which bring more of them.
    std::optional<LockError> addTo(ServerWaits *waits, const OpenTransactions &open);
    /// Metadata locks that the end of a session leaves with its transaction are the transaction's; those whose session
    /// is not there and that are nobody's by that go.
    void takeLocks(QList<MetadataLock> *locks, const ServerWaits &waits) const;
    /// After statements were read, which may tell it.
    void name(ServerWaits *waits) const;

private:
    struct Preparing ///< a session, and what it prepared last
    {
        quint64 session = 0;
        quint64 thread = 0;
        std::optional<Xid> xid; ///< none: it may be either of two
    };

    std::optional<LockError> readSessions(Session &session);
    std::optional<LockError> readStatus(Session &session, OpenTransactions *open);
    std::optional<LockError> readThreads(ServerWaits *waits);

    Session *m_session = nullptr;
    Family m_family = Family::MariaDb;
    bool m_hasLocks = false; ///< the performance schema tells those of transactions
    QList<Xid> m_xids;
    QList<Preparing> m_preparing;
    QHash<quint64, quint64> m_byThread; ///< thread → the number that stands for its transaction
    QHash<quint64, quint64> m_attached; ///< session → the same
};

/// All names that XA RECOVER lists.
std::optional<LockError> readXids(Session &session, QList<Xid> *xids);

/// The names that MySQL's performance schema may print so.
QList<Xid> readingsOf(qint64 format, const QByteArray &gtrid, const QByteArray &bqual);

/// The prepared transactions in InnoDB's text, with their sessions; `isCut`: there may be more.
QHash<quint64, quint64> preparedInStatus(const QByteArray &status, bool *isCut);

} // namespace lockscope
