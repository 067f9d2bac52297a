// SPDX-License-Identifier: MIT
#pragma once

#include "waits/waitgraph.h"

#include <QtCore/QSet>

namespace lockscope {

/// Those who wait for one session, directly or over others, while they do. Written in files.
struct WaitQueue
{
    quint64 blocker = 0;                     ///< as rootBlocker() says it
    ServerTime from{};                       ///< of the longest wait, as far as it was for it
    ServerTime seen{};                       ///< by the first look
    ServerTime to{};                         ///< seen by the last look
    ServerTime worst{};                      ///< the first moment at which most waited
    int waiting = 0;                         ///< then
    std::optional<ServerObject> object = {}; ///< for which most of those waited then who wait for it directly
    Microseconds longest{};                  ///< of their waits, also of the time that they waited for others
    int locks = 0;                           ///< of one look, for how many these wait; not written

    void join(const WaitQueue &later);
};

/// What the look before knew, by which it is told since when a session blocks: whom it did not hold up then waited for
/// others, or not at all.
struct EarlierLook
{
    ServerTime at{};
    QHash<quint64, ServerTime> blocking; ///< since when; not who waited: what they had not got held up nobody
    QHash<quint64, ServerTime> unnamed;  ///< who waited for nobody known, perhaps for who is known by now: since when
    QHash<quint64, ServerTime> inRings;  ///< who waited in a ring or behind one: since when

    /// Since when `waiter`, who has waited since `wait`, has waited for `blocker`.
    ServerTime begunFor(quint64 blocker, quint64 waiter, ServerTime wait) const;
    EarlierLook followedBy(const ServerWaits &waits, const WaitGraph &graph) const;
};

/// Of one look.
QList<WaitQueue> queuesOf(const ServerWaits &waits, const WaitGraph &graph, const EarlierLook &before = {});

/// Of several looks, in the order in which they were first seen.
class WaitQueues
{
public:
    /// A queue that nobody is in for longer than this is over.
    static constexpr std::chrono::seconds Same{15};
    /// What a file has of so long is one mark, of the moment at which most waited.
    static constexpr std::chrono::seconds WrittenEvery{5};

    void take(const WaitQueue &queue);
    const QList<WaitQueue> &all() const { return m_all; }
    void clear() { *this = {}; }

private:
    QList<WaitQueue> m_all;
    QHash<quint64, qsizetype> m_last; ///< of each blocker
};

} // namespace lockscope
