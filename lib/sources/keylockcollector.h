// SPDX-License-Identifier: MIT
#pragma once

#include "locksource.h"

#include <chrono>
#include <map>

namespace lockscope {

/// Lets the server rest for nine times as long as it was at work; not longer than a second, and no longer once `stop`
/// says so.
void restAfter(std::chrono::steady_clock::duration atWork, const std::stop_token &stop);

/// Gathers what a walk finds, each lock once, until there is enough of it.
class KeyLockCollector
{
public:
    KeyLockCollector(const KeyWalk &walk, const std::stop_token &stop);

    /// Ends the walk when there is enough, or `stop` says so.
    std::stop_token enough() const { return m_enough.get_token(); }
    /// What a step of it found. Where it is resting, the server has a rest before the next step.
    void add(const QList<KeyLock> &locks);
    void finish(KeyLocks *found) const;

private:
    const KeyWalk m_walk;
    std::stop_source m_enough;
    const std::stop_callback<std::function<void()>> m_stopped;
    std::chrono::steady_clock::time_point m_stepBegan = std::chrono::steady_clock::now();
    std::map<QByteArray, LockRow> m_rows; ///< by name
};

/// Who waits for a lock that keeps its queue with it.
QList<Waiter> waitersOf(const KeyLock &lock);

} // namespace lockscope
