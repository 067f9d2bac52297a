// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockrequest.h"

#include <QtCore/QByteArray>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <tuple>

namespace lockscope::detail {

/// Of an owner's requests for one lock, one at a time asks the server. The others wait here, because they may enter
/// what it is granted; on the server they would wait for their own owner. Thread: any.
class OwnerTurns
{
public:
    using Key = std::tuple<QByteArray, Mode, QByteArray>; ///< owner, mode, resource
    using Clock = std::chrono::steady_clock;

    enum class Turn {
        Mine, ///< to be ended with leave()
        Past, ///< another one's has ended: look at what it brought
        Over, ///< `until` has come
        Cancelled
    };

    Turn take(const Key &key, Clock::time_point until, const std::stop_token &stop);
    void leave(const Key &key);
    /// The engine ends: whoever waits is cancelled.
    void close();

private:
    std::mutex m_mutex; // protects the members below
    std::condition_variable_any m_changed;
    std::set<Key> m_taken;
    bool m_isClosed = false;
};

} // namespace lockscope::detail
