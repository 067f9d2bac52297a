// SPDX-License-Identifier: MIT
#pragma once

#include "capabilities.h"
#include "rowwaits.h"

#include <initializer_list>

namespace lockscope {

/// Which sessions to look up.
struct WantedSessions
{
    QList<quint64> ids; ///< ascending
    /// At most this many whose state says that they wait for a lock or a flush, which perhaps no table tells.
    int others = 0;
};
/// `isCut`, if anybody wants to know: there are more of the others.
std::optional<LockError> readSessions(Session &session, const Capabilities &capabilities, const WantedSessions &wanted,
                                      QHash<quint64, ServerSession> *found, bool *isCut = nullptr);
/// Adds the last statements.
std::optional<LockError> readStatements(Session &session, const QList<quint64> &ids,
                                        QHash<quint64, ServerSession> *sessions);
/// Adds what the programs behind them said of themselves.
std::optional<LockError> readAttributes(Session &session, const QList<quint64> &ids,
                                        QHash<quint64, ServerSession> *sessions);
/// Adds whose they are, of those with a transaction, where an engine holds rows in it.
std::optional<LockError> readOwners(Session &session, QHash<quint64, ServerSession> *sessions);
/// Who must not be ended, by what it is and does; that does not tell whether it is Lockscope's own.
Protection protectionOf(const ServerSession &session);
/// Marks who must not be ended; `own` looks.
void protect(QHash<quint64, ServerSession> *sessions, const Session &own);

/// Who waits for a metadata lock or a user-level lock, by the server's word for what it does: that is all that MariaDB
/// tells without its performance schema.
bool waitsForMetadata(const ServerSession &session);
bool waitsForUserLock(const ServerSession &session);
/// Who waits until others close a table, or for a lock of a table without transactions: no table of locks tells these.
bool waitsForTable(const ServerSession &session);
/// Whether its statement, of whatever source, begins with one of these, their words parted by one blank each. Comments
/// before them do not count, but one that the server runs.
bool beginsWithOne(const ServerSession &session, std::initializer_list<const char *> beginnings);

} // namespace lockscope
