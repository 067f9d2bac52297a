// SPDX-License-Identifier: MIT
#pragma once

#include "hold_p.h"

#include <algorithm>

// When a lease is renewed, whatever it lives on.
namespace lockscope::detail {

/// A lease without end is looked at this often, so that its holder learns of a force release.
inline constexpr Duration ForeverCheck = std::chrono::seconds(30);

/// A lease that is not to be renewed is left alone. One without end is looked at all the same: it changes nothing.
inline bool isChecked(const Hold &hold, Duration ttl)
{
    return ttl == Forever || (hold.autoRenew && !hold.isPastMaxHold());
}

inline Duration intervalOf(Duration ttl)
{
    return ttl == Forever ? ForeverCheck : ttl / 3;
}

/// After something that may be over soon.
inline Duration soonAfter(Duration interval)
{
    return std::clamp<Duration>(interval / 3, std::chrono::milliseconds(20), std::chrono::seconds(1));
}

} // namespace lockscope::detail
