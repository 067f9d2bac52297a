// SPDX-License-Identifier: MIT
#pragma once

#include "lockerror.h"
#include "lockscope_export.h"

#include <QtCore/QString>
#include <QtCore/QVariant>

#include <optional>

class QSqlDatabase;

namespace lockscope {

/// Where a table of the application remembers the largest fencing token that wrote to a row. An InnoDB table; names are
/// 1–64 characters and may hold anything a server allows.
struct FencedTable
{
    QString table = {};
    /// Identifies the row; unique by itself. An integer, text or binary column.
    QString keyColumn = {};
    /// BIGINT UNSIGNED NOT NULL DEFAULT 0; smaller integers and NULL are refused.
    QString fenceColumn = {};
    /// Empty: the schema that the connection uses.
    QString schema = {};
};

enum class FenceOutcome {
    Passed,   ///< the row is locked and remembers the token: write, then commit
    Stale,    ///< a holder with a larger token was here first: do not write. The lock is somebody else's
    NotFound, ///< there is no such row; insert it once, before it is fenced
    Failed    ///< see `error`; nothing was changed
};

struct FenceResult
{
    FenceOutcome outcome = FenceOutcome::Failed;
    quint64 seen = 0; ///< Passed: the token before this one; Stale: the larger one
    std::optional<LockError> error;
};

/// Keeps a holder that froze past its TTL from writing into the application's tables: each row remembers the largest
/// fencing token that it saw, and refuses a smaller one. Equal tokens pass, so a holder may write as often as it likes.
///
/// In a transaction, before its writes:
///
///     db.transaction();
///     if (guard.pass(db, orderId, handle.token()).outcome == FenceOutcome::Passed)
///         … writes to this row and others …
///     db.commit(); // or rollback(), which takes the raised fence back as well
///
/// In one statement, which needs no transaction:
///
///     QSqlQuery update(db);
///     update.prepare("UPDATE orders SET state = :state, " + guard.assignment()
///                    + " WHERE id = :id AND " + guard.condition());
///     update.bindValue(FenceGuard::Placeholder, handle.token());
///     …
///     bool isWritten = update.exec() && update.lastInsertId().toULongLong() == handle.token();
///
/// A value; copy it freely. Thread: that of the connection that is passed in; the engine is not needed.
/// Errors: never throws.
class LOCKSCOPE_EXPORT FenceGuard
{
public:
    /// Stands for the token in assignment() and condition(); bound once, it is set everywhere.
    static constexpr QLatin1String Placeholder{":fence_token"};

    /// Does no I/O.
    explicit FenceGuard(FencedTable table);

    /// What is wrong with the table's description, if anything: pass() refuses it with the same words before any I/O.
    std::optional<LockError> check() const;

    /// Locks the row of `key` until the transaction ends, and raises its fence to `token`. `key` is an integer, a text
    /// or, for a binary column, a QByteArray; `token` is that of a held lock, never 0.
    /// `database` is an open QMYSQL connection with an open transaction or without autocommit, such as that of
    /// LockHandle::inTransaction(). Without a transaction the row would be free again before the first write, so that
    /// is refused. Read what the writes depend on after this, and with FOR UPDATE under REPEATABLE READ: an older
    /// snapshot does not show what the holder before has written.
    /// Waits for another transaction that has locked the row, at most the connection's innodb_lock_wait_timeout; a
    /// longer wait, or a deadlock, is an error of kind Contention: try again. After an error with `transactionGone`
    /// begin again.
    /// Cost: one packet, and a second one when `token` is larger than the row's.
    FenceResult pass(QSqlDatabase &database, const QVariant &key, quint64 token) const;

    /// For the SET of an UPDATE. Empty when check() finds an error. The insert id of the statement is the token if a
    /// row was written, even where the number of changed rows does not show it: a row written again with the same
    /// values counts only with CLIENT_FOUND_ROWS.
    QString assignment() const;
    /// For the WHERE of the same UPDATE, beside the key: false for a smaller token, for NULL in the column, and for the
    /// token 0 of a lock that is not held. Empty when check() finds an error.
    QString condition() const;

private:
    FencedTable m_table;
};

} // namespace lockscope
