// SPDX-License-Identifier: MIT
#pragma once

#include "waits/waitgraph.h"

#include <QtCore/QSet>

namespace lockscope {

/// Those who wait for one session, directly or over others, while they do. Written in files.
struct WaitQueue
{
    quint64 blocker = 0;                     ///< as rootBlocker() says it
    ServerTime from{};                       ///< of the longest wait that the first look saw, as far as it was for it
    ServerTime seen{};                       ///< by the first look
    ServerTime to{};                         ///< seen by the last look
    ServerTime worst{};                      ///< the first moment at which most waited
    int waiting = 0;                         ///< then
    std::optional<ServerObject> object = {}; ///< for which most of those waited then who wait for it directly
    Microseconds longest{};                  ///< of their waits, also of the time that they waited for others
    int locks = 0;                           ///< of one look, for how many these wait; not written

    void join(const WaitQueue &later);
};

/// The look before, by which it is known since when a session blocks: whom it did not hold up then waited for others.
struct EarlierLook
{
    ServerTime at{};
    QSet<quint64> blockers; ///< not those who waited themselves: what they had not got yet held up nobody
    QSet<quint64> unnamed;  ///< who waited for nobody known: perhaps for whoever is known by now

    static EarlierLook of(const ServerWaits &waits, const WaitGraph &graph);
};

/// Of one look.
QList<WaitQueue> queuesOf(const ServerWaits &waits, const WaitGraph &graph, const EarlierLook &before = {});

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
