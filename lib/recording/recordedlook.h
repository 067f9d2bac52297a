// SPDX-License-Identifier: MIT
#pragma once

#include "locks/snapshot.h"
#include "locktables/tablereader.h"
#include "recordeditems.h"
#include "statementkeeping.h"
#include "waits/capabilities.h"

#include <QtCore/QMap>

namespace lockscope {

/// What one look at a server saw: the engine's locks, and the server's own.
struct RecordedLook
{
    bool hasTables = false; ///< false: there are no lock tables, or they may not be read
    LockSnapshot locks;
    QMap<LockKey, QList<Waiter>> queues; ///< of the locks that most wait for
    /// Of other programs' tables, with what of their profiles is shown; judged by the row locks of then. Which tables
    /// were read, and faulty profiles, are not recorded.
    TableLocks tables;
    ServerWaits waits;
    Capabilities capabilities;
};

/// `keeper` decides what is kept of statements.
RecordedItems itemsOf(const RecordedLook &look, StatementKeeper *keeper);
/// As of `at` on the server's clock. Whatever is damaged is left out. Costs and what was asked for single sessions
/// (ServerWaits::tracked, rows) are not recorded. Locks and edges come in an order of their own.
RecordedLook lookOf(const RecordedItems &items, ServerTime at);

/// Some times are computed by the server from a length, so that each look finds another microsecond, or second. These
/// become what they were in the look before: else everything would change with every look.
class SteadyTimes
{
public:
    void settle(ServerWaits *waits);

private:
    void settle(size_t what, ServerTime *time);
    void settle(size_t what, std::optional<ServerTime> *time);

    QHash<size_t, ServerTime> m_before;
    QHash<size_t, ServerTime> m_now;
};

} // namespace lockscope
