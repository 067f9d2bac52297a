#pragma once

#include "server/session.h"
#include "serverwaits.h"

#include <QtCore/QSet>

namespace lockscope {

/// The names that a statement asks GET_LOCK for, written as literals in it.
QList<QByteArray> userLockNames(const QByteArray &statement);

/// The table that a statement changes the definition of; empty when it does not.
QByteArray redefinedTable(const QByteArray &statement);

/// True when `name` stands in `statement` as a word.
bool mentions(const QByteArray &statement, const QByteArray &name);

/// For servers that tell that somebody waits, but not for what: user-level locks by asking who holds the name in the
/// statement; definitions by the tables that the statement names. What cannot be told so is in `waits->lost`.
/// All edges are marked as inferred but those of user-level locks, whose holder the server itself names.
/// Nothing of the kinds that are `off`.
std::optional<LockError> guessWaits(Session &session, const QSet<WaitSource> &off, ServerWaits *waits);

} // namespace lockscope
