// SPDX-License-Identifier: MIT
#pragma once

#include "deadlocks/deadlockinbox.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

namespace lockscope::ui {

/// What the page of deadlocks says, in one place.
class DeadlockText
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::DeadlockText)
public:
    static QString help();
    /// What such deadlocks have in common, in few words: "Different orders".
    static QString cause(DeadlockCause cause);
    /// The same as a sentence, and what ends such deadlocks.
    static QString why(DeadlockCause cause);
    static QString remedy(const DeadlockShape &shape);

    /// Of the statement that was rolled back, without its values; of all where nobody tells.
    static QString victimStatement(const Deadlock &deadlock);
    /// "Transaction 2".
    static QString name(int side);
    /// "Transaction 2, session 34".
    static QString nameInFull(const DeadlockSide &side);
    static QString rolledBack();
    /// "shop.orders PRIMARY 5"; without the schema where there is little room.
    static QString place(const Deadlock &deadlock, const PrintedLock &lock, bool isWithSchema = true);
    /// "waits for orders PRIMARY 5".
    static QString wanted(const Deadlock &deadlock, const PrintedLock &lock);
    /// "exclusive, record".
    static QString mode(const PrintedLock &lock);
    /// "shop.orders PRIMARY 5 (exclusive, record)".
    static QString lock(const Deadlock &deadlock, const PrintedLock &lock);
    /// "Transaction 1 waits for transaction 2: shop.orders PRIMARY 5 (exclusive, record)".
    static QString wait(const Deadlock &deadlock, const DeadlockEdge &edge);
    /// One line, and whole.
    static QString statement(const DeadlockSide &side);
    /// What a side is, holds and waits for, without its name and statement.
    static QStringList facts(const Deadlock &deadlock, const DeadlockSide &side);
    /// The picture in words.
    static QString picture(const Deadlock &deadlock);
    /// "4 times, first 2026-11-26 01:22:39".
    static QString seen(const DeadlockShape &shape);
    static QString ofRun();
    static QString cutText();
    /// Everything, with the server's own text.
    static QString all(const DeadlockShape &shape);
    /// What is not in the list; empty: nothing.
    static QString missing(const DeadlockInbox &inbox);
};

} // namespace lockscope::ui
