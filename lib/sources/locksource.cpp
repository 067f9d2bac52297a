// SPDX-License-Identifier: MIT
#include "locksource.h"

namespace lockscope {

LockSource::LockSource() = default;
LockSource::~LockSource() = default;

std::optional<LockError> LockSource::keyLocks(qsizetype /*limit*/, const std::stop_token & /*stop*/, KeyLocks *found)
{
    *found = {};
    return std::nullopt;
}

ForcedRelease LockSource::endKey(const KeyLock & /*lock*/, const KeyHolder & /*holder*/)
{
    return {ForcedRelease::Outcome::TargetChanged, {}};
}

} // namespace lockscope
