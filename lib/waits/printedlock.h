// SPDX-License-Identifier: MIT
// Locks as SHOW ENGINE INNODB STATUS prints them, on both families, among the transactions and in the latest deadlock.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>

#include <optional>

namespace lockscope {

/// One record that is locked, in one mode, or a whole table.
struct PrintedLock
{
    quint64 transaction = 0;
    quint64 session = 0; ///< 0: none has it
    QString schema;
    QString table;
    QString index = {}; ///< none: the table itself
    QString mode = {};  ///< as data_locks says it: "X", "S,REC_NOT_GAP", "X,GAP", "X,GAP,INSERT_INTENTION", "IX"
    bool isWaiting = false;
    bool isEndOfIndex = false; ///< the supremum: no record, but the gap before the end
    bool isDeleteMarked = false;
    /// Bytes of the record's fields in the order of the index, none for NULL; they may be cut by the server.
    QList<std::optional<QByteArray>> fields = {};
    /// Where the record is, "5:3:2": tablespace, page, place in it. None of a table.
    QString place = {};

    bool operator==(const PrintedLock &) const = default;
};

/// Takes the lines of printed locks, one after the other. Whatever is not as expected is left out.
class PrintedLockLines
{
public:
    void take(const QString &line);
    /// What came since the last call; no further line is of the lock before.
    QList<PrintedLock> takeLocks();

private:
    QList<PrintedLock> m_locks;
    std::optional<PrintedLock> m_heading; ///< what all records below it have in common
    QString m_page;
    bool m_isInRecord = false;
};

} // namespace lockscope
