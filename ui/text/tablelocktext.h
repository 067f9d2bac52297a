// SPDX-License-Identifier: MIT
#pragma once

#include "actions/tablerelease.h"
#include "locks/snapshot.h"
#include "locktables/tablereader.h"

#include <QtCore/QCoreApplication>

namespace lockscope::ui {

/// What the window says of locks that other programs keep in tables. Rows are such locks.
class TableLockText
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::TableLockText)
public:
    /// "ShedLock", "looks like ShedLock".
    static QString program(const TableLock &lock);
    /// Whose clock wrote its times.
    static QString clock(const TableLock &lock);
    /// Why its state, or since when, is not known; empty: it is.
    static QString reason(const TableLock &lock);
    static QString stateMeaning(const TableLock &lock);
    /// What is left of its time: "26 s", "expired 3 s ago", "no end", or "–".
    static QString left(const LockRow &row, ServerTime now);
    /// The sentence over the inspector.
    static QString summary(const LockRow &row, ServerTime now);
    /// The row as it is in the table, a line for each column.
    static QStringList values(const TableLock &lock);
    /// Without a look at the server; empty: nothing is against it.
    static QString whyNotReleasable(const TableLock &lock);
    /// Why nothing was done, where the server refused nothing.
    static QString outcome(const TableReleaseReport &report);
    /// What of them was not seen, and why; empty: nothing. `failure` is why none could be read since.
    static QString unseen(const TableLocks &tables, const std::optional<LockError> &failure = {});

private:
    static QString unread(const QList<UnreadTable> &tables);
    static QString held(const LockRow &row, ServerTime now);
};

} // namespace lockscope::ui
