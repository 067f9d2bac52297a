// SPDX-License-Identifier: MIT
#pragma once

#include "waits/waitgraph.h"

namespace lockscope {

/// Those who wait for one session, directly or over others, while they do. Written in files.
struct WaitQueue
{
    quint64 blocker = 0;                     ///< as rootBlocker() says it
    ServerTime from{};                       ///< of the longest wait that the first look saw
    ServerTime seen{};                       ///< by the first look
    ServerTime to{};                         ///< seen by the last look
    ServerTime worst{};                      ///< the first moment at which most waited
    int waiting = 0;                         ///< then
    std::optional<ServerObject> object = {}; ///< for which most of them waited then
    Microseconds longest{};                  ///< of their waits

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

    void take(const WaitQueue &queue);
    const QList<WaitQueue> &all() const { return m_all; }
    void clear() { *this = {}; }

private:
    QList<WaitQueue> m_all;
    QHash<quint64, qsizetype> m_last; ///< of each blocker
};

} // namespace lockscope
