#pragma once

#include "capabilities.h"
#include "rowwaits.h"

#include <QtCore/QSet>

namespace lockscope {

/// Sessions with these numbers, and on MariaDB all that wait for a metadata lock or a user-level lock.
std::optional<LockError> readSessions(Session &session, const Capabilities &capabilities, const QList<quint64> &ids,
                                      QHash<quint64, ServerSession> *found);
/// Adds the last statements.
std::optional<LockError> readStatements(Session &session, const QList<quint64> &ids,
                                        QHash<quint64, ServerSession> *sessions);
/// Adds what the programs behind them said of themselves.
std::optional<LockError> readAttributes(Session &session, const QList<quint64> &ids,
                                        QHash<quint64, ServerSession> *sessions);
/// Marks who must not be ended. `own` are connections of this program; so is every one of its process on this machine.
void protect(QHash<quint64, ServerSession> *sessions, const QSet<quint64> &own);

/// Who waits for a metadata lock or a user-level lock by the server's word for what it does, which is all that
/// MariaDB tells without its performance schema.
bool waitsForMetadata(const ServerSession &session);
bool waitsForUserLock(const ServerSession &session);

} // namespace lockscope
