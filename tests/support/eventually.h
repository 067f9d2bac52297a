// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QDeadlineTimer>
#include <QtCore/QThread>

#include <chrono>

namespace lockscope::test {

/// Longer than anything that works takes, even on a loaded machine.
inline constexpr std::chrono::seconds Patience{60};

/// Waits until `condition` holds, looking every few milliseconds; false after Patience.
template<typename Condition>
bool eventually(Condition condition)
{
    const QDeadlineTimer deadline(Patience);
    while (!condition()) {
        if (deadline.hasExpired())
            return false;
        QThread::msleep(5);
    }
    return true;
}

} // namespace lockscope::test
