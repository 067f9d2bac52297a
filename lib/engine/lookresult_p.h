#pragma once

#include "lockrequest.h"
#include "server/session.h"

#include <optional>

namespace lockscope::detail {

/// What `engine/look` read.
struct LookResult
{
    bool exists = false;
    QByteArray presence; ///< empty = free
    quint64 token = 0;
    Duration remaining = Duration::zero(); ///< Forever for a lease without end; zero or less = expired
    bool kept = false;
    bool holderAlive = false;
    bool bellIsHeld = false; ///< so the heir waits on it
    Duration ttl = Forever;
    QByteArray owner;
    QByteArray heirPresence;
    QByteArray heirPlace;
    Duration heirTtl = Forever;
    bool heirAlive = false;
    bool waited = false;

    QByteArray aheadPlace; ///< of the nearest living ticket before ours; empty = none
    Duration aheadTtl = Forever;
    bool hasTicket = false;  ///< our own ticket is still there
    bool placeAlive = false; ///< our own place is held by our keeper
    qint64 clock = 0;        ///< the server's clock in µs

    /// A living first waiter takes an expired lease within milliseconds. One that did not for so long is frozen or cut
    /// off, and those behind it need not wait any longer; the same for all that have a ticket. See engine/claim.
    static constexpr Duration HeirGrace = std::chrono::seconds(1);
    static constexpr Duration TicketGrace = std::chrono::seconds(2);

    /// An expired lease whose holder lives may have been ended by a step of the server's clock. Its holder renews
    /// within a third of its TTL; that has to arrive.
    bool mayBeRenewed() const { return !kept && holderAlive && ttl != Forever; }
    Duration clockGrace() const { return ttl / 2; }

    bool isFree() const { return presence.isEmpty(); }
    bool isOverdue(Duration grace) const { return isExpired() && remaining <= -grace; }
    /// Somebody before us has the better right.
    bool othersFirst() const
    {
        return (heirAlive && !isOverdue(HeirGrace)) || (!aheadPlace.isEmpty() && !isOverdue(TicketGrace));
    }
    bool isExpired() const { return !isFree() && remaining <= Duration::zero(); }

    /// From a reply whose last three results are those of `engine/look`.
    static LookResult from(const Reply &reply);
};

/// The lease that a request found to be its own: a row of `engine/ask`.
struct Grant
{
    quint64 token = 0;
    Duration remaining = Duration::zero(); ///< Forever for a lease without end
    qint64 clock = 0;                      ///< the server's clock in µs, when this was read
    bool othersWait = true;                ///< somebody may wait for our place in the queue to be left

    static Grant from(const QVariantList &row);
};

} // namespace lockscope::detail
