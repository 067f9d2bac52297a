// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockrequest.h"
#include "session/session.h"

#include <optional>
#include <vector>

namespace lockscope::detail {

/// One waiting request: a line of `lock_lease.queue` (sql/schema/002_lock_lease.sql tells its fields).
struct QueueEntry
{
    QByteArray name;     ///< of the user-level lock that its process holds
    quint64 arrival = 0; ///< grows along the queue
    Duration ttl = Forever;
    qint64 since = 0; ///< microseconds since 1970 UTC
    QByteArray note;
    QByteArray owner; ///< as JSON
    QByteArray line;  ///< all of it, as it is stored
};

/// Whatever is not a line of that form is left out. Pure.
std::vector<QueueEntry> parseQueue(const QByteArray &stored);
/// The names of the same, and nothing else of them.
QByteArrayList queueNames(const QByteArray &stored);

/// A lease and its queue in one moment, as `engine/look` or `engine/granted` read them. What is said to be held may be
/// newer than the rest.
struct LeaseView
{
    bool exists = false;
    QByteArray presence; ///< empty = free
    quint64 token = 0;
    Duration remaining = Duration::zero(); ///< Forever for a lease without end; zero or less = expired
    bool kept = false;
    bool isHolderAlive = false;
    Duration ttl = Forever;
    QByteArray owner;
    qint64 clock = 0;           ///< the server's, in µs
    bool isOwnNameHeld = false; ///< the asker's, by its keeper
    QByteArray storedQueue;     ///< empty for the holder itself
    std::vector<QueueEntry> queue;

    /// A living first waiter takes an expired lease within milliseconds. One that has not done so for this long is
    /// frozen or cut off, and the next one need not wait any longer, nor, a little later each, those behind it.
    static constexpr Duration FirstGrace = std::chrono::seconds(1);
    static constexpr Duration NextGrace = std::chrono::milliseconds(100);
    static constexpr Duration LastGrace = std::chrono::milliseconds(1900);
    /// The same for a request that does not wait.
    static constexpr Duration NewcomerGrace = std::chrono::seconds(2);
    /// How long after the end of a lease a waiter with this many before it may take it.
    static Duration graceBehind(std::size_t ahead);

    bool isFree() const { return presence.isEmpty(); }
    bool isExpired() const { return !isFree() && remaining <= Duration::zero(); }
    bool isOverdue(Duration grace) const { return isExpired() && remaining <= -grace; }
    /// An expired lease whose holder lives may have been ended by a step of the server's clock. Its holder renews
    /// within a third of its TTL; that has to arrive.
    bool mayBeRenewed() const { return !kept && isHolderAlive && ttl != Forever; }
    Duration clockGrace() const { return ttl / 2; }

    /// How long ago the one at that place of the queue joined it, or asked first.
    Duration waited(std::size_t place) const;
    /// Whether those who wait have overslept, for one that does not wait. Whoever came after the end may have left it
    /// to a living holder, for the grace that is due to him.
    bool isFreeForNewcomers() const;

    /// How many are before the request of this name; none = it is not in the queue.
    std::optional<std::size_t> placeOf(const QByteArray &name) const;

    /// From a reply whose last result is that of `engine/look`.
    static LeaseView from(const Reply &reply);
    /// From one whose last result is that of `engine/granted`; without a row it does not exist. The rest is left empty.
    static LeaseView ofHolder(const QByteArray &name, const Reply &reply);
};

} // namespace lockscope::detail
