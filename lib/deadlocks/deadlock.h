// SPDX-License-Identifier: MIT
#pragma once

#include "waits/keycolumns.h"
#include "waits/printedlock.h"

#include <chrono>

namespace lockscope {

/// One of the transactions in a deadlock.
struct DeadlockSide
{
    int number = 0;          ///< as the server counts them, from 1
    quint64 transaction = 0; ///< 0: MariaDB gives none to one that only shares locks
    quint64 session = 0;
    QString client = {}; ///< as the server printed it: host, account and what the session did
    std::chrono::seconds active{};
    QString statement = {}; ///< the one that waited; empty: none was printed
    bool isStatementCut = false;
    QList<PrintedLock> holds = {}; ///< of these others wait
    QList<PrintedLock> waitsFor = {};
};

/// One deadlock that InnoDB found and ended. A value.
struct Deadlock
{
    QString at; ///< on the server's own clock and in its time zone, "2026-11-26 01:22:39"
    QList<DeadlockSide> sides;
    int victim = 0;     ///< the number of the side that was rolled back; 0: not told
    bool isCut = false; ///< the text has no end: sides, locks or the victim may be missing
    QByteArray text;    ///< as the server sent it
    /// Of the schemas that it names, where the account may read them.
    QMap<QString, IndexColumns> columns = {};

    const DeadlockSide *side(int number) const;
    /// "20, 'b'"; "0x80000014, 0x62" where the columns are not known; "end of the index"; empty for a table's lock.
    QString keyOf(const PrintedLock &lock) const;
};

/// An arrow of the cycle: who waits for whom, and for which lock.
struct DeadlockEdge
{
    int waiter = 0; ///< numbers of sides
    int holder = 0;
    PrintedLock lock; ///< that the waiter asks for
};

/// By the records alone: a wait belongs to whoever holds the same record of the same index. A wait whose holder the
/// text does not name is left out. At most 2000.
QList<DeadlockEdge> edgesOf(const Deadlock &deadlock);

/// What such deadlocks have in common, and so what ends them.
enum class DeadlockCause {
    Order,        ///< the same records, in different orders
    Upgrade,      ///< several share a lock that each then wants alone
    Gap,          ///< several lock one gap and insert into it
    DuplicateKey, ///< inserts of one unique key wait for each other's row
    Indexes,      ///< the same rows of one table, by different indexes
    Tables,       ///< different tables, in different orders
    Unknown
};
/// "order", "upgrade", "gap", "duplicate key", "indexes", "tables", "unknown".
QString causeName(DeadlockCause cause);
DeadlockCause causeOf(const Deadlock &deadlock);

/// The same for two deadlocks of the same statements (whatever their values), indexes and modes, whoever came first.
QByteArray shapeOf(const Deadlock &deadlock);

/// A lesson or the lab made it on purpose: all that it locked lies in the schema of one run, which nobody else uses.
bool isOfRun(const Deadlock &deadlock);

} // namespace lockscope
