// SPDX-License-Identifier: MIT
#pragma once

#include "serverwaits.h"
#include "session/session.h"

#include <QtCore/QSet>

namespace lockscope {

/// The names that a statement asks GET_LOCK for, written as literals in it.
QList<QByteArray> userLockNames(const QByteArray &statement);

/// A table as a statement names it.
struct TableName
{
    QString schema; ///< empty: not named
    QByteArray name;
};
/// The table that a statement changes the definition of; without a name when it does not.
TableName redefinedTable(const QByteArray &statement);

/// True when `name` stands in `statement` as a word.
bool mentions(const QString &statement, const QString &name);

/// Who waits for definitions, by the tables that the statements name. All edges are marked as inferred; what cannot be
/// told so is in `waits->lost`.
void inferMetadata(ServerWaits *waits);

/// Those whose state says that they wait for a definition or a table, while no edge says for whom.
void addLostWaiters(ServerWaits *waits);

/// For servers that tell that somebody waits, but not for what: definitions as inferMetadata(), user-level locks as
/// inferUserLocks(). Nothing of the kinds that are `off`.
std::optional<LockError> inferWaits(Session &session, const QSet<WaitSource> &off, ServerWaits *waits);

/// Those whose state says that they wait for a user-level lock while no edge says for whom: who holds the name in the
/// statement is asked for. Edges are marked as inferred only where the statement has several names: the server itself
/// tells the holder. Also for servers that tell it by themselves: they may not have recorded it.
std::optional<LockError> inferUserLocks(Session &session, ServerWaits *waits);

} // namespace lockscope
