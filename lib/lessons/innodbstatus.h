// SPDX-License-Identifier: MIT
// The row locks that MariaDB prints in SHOW ENGINE INNODB STATUS when innodb_status_output_locks is on: the only place
// where it shows granted locks for which nobody waits. It prints at most ten pages of locks for a transaction.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>

#include <optional>

namespace lockscope {

/// One record that is locked, in one mode.
struct PrintedLock
{
    quint64 transaction = 0;
    quint64 session = 0; ///< 0: none has it
    QString schema;
    QString table;
    QString index;
    QString mode; ///< as data_locks says it: "X", "S,REC_NOT_GAP", "X,GAP", "X,GAP,INSERT_INTENTION"
    bool isWaiting = false;
    bool isEndOfIndex = false; ///< the supremum: no record, but the gap before the end
    bool isDeleteMarked = false;
    /// Bytes of the record's fields in the order of the index, none for NULL; they may be cut by the server.
    QList<std::optional<QByteArray>> fields = {};

    bool operator==(const PrintedLock &) const = default;
};

struct PrintedLocks
{
    QList<PrintedLock> locks;
    bool isCut = false; ///< the server printed not all of them
};

/// Of the whole text; whatever is not as expected is left out. Any bytes.
PrintedLocks printedLocks(const QByteArray &status);

} // namespace lockscope
