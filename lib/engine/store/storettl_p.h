// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockstore.h"

#include <algorithm>

namespace lockscope::detail {

/// Why a store cannot have such a lease, before any I/O.
std::optional<LockError> validateTtl(Duration ttl, const LockStore::Traits &traits);

/// As which a lease of that TTL is kept alive.
inline Duration believedTtl(Duration ttl, const LockStore::Traits &traits)
{
    return std::min(ttl, traits.longestBelief);
}

} // namespace lockscope::detail
