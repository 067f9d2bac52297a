// SPDX-License-Identifier: MIT
#pragma once

#include "locksource.h"

#include <map>

namespace lockscope {

/// Gathers what a walk finds, each lock once, until there is enough of it.
class KeyLockCollector
{
public:
    KeyLockCollector(qsizetype limit, const std::stop_token &stop);

    /// Ends the walk when there is enough, or `stop` says so.
    std::stop_token enough() const { return m_enough.get_token(); }
    void add(const QList<KeyLock> &locks);
    void finish(KeyLocks *found) const;

private:
    const qsizetype m_limit;
    std::stop_source m_enough;
    const std::stop_callback<std::function<void()>> m_stopped;
    std::map<QByteArray, LockRow> m_rows; ///< by name
};

/// Who waits for a lock that keeps its queue with it.
QList<Waiter> waitersOf(const KeyLock &lock);

} // namespace lockscope
