// SPDX-License-Identifier: MIT
#include "locksource.h"

namespace lockscope {

LockSource::LockSource() = default;
LockSource::~LockSource() = default;

std::optional<LockError> LockSource::oneWithWaiters(const LockKey &key, std::optional<LockRow> *row,
                                                    QList<Waiter> *waiters, SnapshotClock *clock)
{
    if (auto error = this->waiters(key, waiters))
        return error;
    return one(key, row, clock);
}

std::optional<LockError> LockSource::keyLocks(const KeyWalk & /*walk*/, const std::stop_token & /*stop*/,
                                              KeyLocks *found)
{
    *found = {};
    return std::nullopt;
}

ForcedRelease LockSource::endKey(const KeyLock & /*lock*/, const KeyHolder & /*holder*/)
{
    return {ForcedRelease::Outcome::TargetChanged, {}};
}

} // namespace lockscope
