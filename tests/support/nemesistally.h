// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QtGlobal>

#include <atomic>
#include <chrono>

namespace lockscope::test {

inline constexpr std::chrono::milliseconds NemesisTtl{400};

/// What the processes of a nemesis run count together, in memory that they share; zero at the start.
struct NemesisTally
{
    std::atomic<quint64> lastToken;
    std::atomic<quint64> lastTicket; ///< a place in the queue
    std::atomic<quint64> holder;     ///< process and thread; 0: nobody
    std::atomic<qint64> holderUntil; ///< its own deadline, nanoseconds of LeaseClock
    std::atomic<quint32> grants;
    std::atomic<quint32> refusals; ///< timed out, or unknown
    std::atomic<quint32> doubleHolders;
    std::atomic<quint32> tokensOutOfOrder;
    std::atomic<quint32> inversions;
};
static_assert(std::atomic<quint64>::is_always_lock_free);

} // namespace lockscope::test
