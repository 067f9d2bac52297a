// SPDX-License-Identifier: MIT
#pragma once

#include "waits/waitgraph.h"

#include <set>

namespace lockscope {

/// Those who wait for one session, directly or over others, while they do. Written in files.
struct WaitQueue
{
    quint64 blocker = 0;                     ///< as rootBlocker() says it
    ServerTime from{};                       ///< of the longest wait that the first look saw, or a look without any
    ServerTime seen{};                       ///< by the first look
    ServerTime to{};                         ///< seen by the last look
    ServerTime worst{};                      ///< the first moment at which most waited
    int waiting = 0;                         ///< then
    std::optional<ServerObject> object = {}; ///< for which most of those waited then who wait for it directly
    Microseconds longest{};                  ///< of their waits, also of the time that they waited for others
    int locks = 0;                           ///< of one look, for how many these wait; not written

    void join(const WaitQueue &later);
};

/// Of one look.
QList<WaitQueue> queuesOf(const ServerWaits &waits, const WaitGraph &graph);

/// Of several looks, in the order in which they were first seen.
class WaitQueues
{
public:
    /// A queue that nobody is in for longer than this is over.
    static constexpr std::chrono::seconds Same{15};

    void take(WaitQueue queue);
    const QList<WaitQueue> &all() const { return m_all; }
    void clear() { *this = {}; }

private:
    ServerTime lookBefore(ServerTime at) const;

    QList<WaitQueue> m_all;
    QHash<quint64, qsizetype> m_last; ///< of each blocker
    std::set<ServerTime> m_looks;     ///< the first and last ones of each
};

} // namespace lockscope
