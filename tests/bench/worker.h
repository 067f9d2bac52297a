// SPDX-License-Identifier: MIT
#pragma once

#include "session/connectionthread.h"

#include <functional>
#include <future>
#include <memory>
#include <vector>

namespace lockscope::bench {

/// A thread that works off jobs one by one. Engines keep connections per thread, so contenders need threads that stay.
class Worker
{
public:
    /// Runs `work` after what was posted before; the answer comes through the future.
    template<typename Function>
    auto post(Function work)
    {
        auto task = std::make_shared<std::packaged_task<decltype(work())()>>(std::move(work));
        auto answer = task->get_future();
        m_thread.post([task](ReconnectingSession &) { (*task)(); });
        return answer;
    }
    /// Ends the thread, and with it its engine connections; before the engines go.
    void stop() { m_thread.stop(); }

private:
    ConnectionThread m_thread{SessionTarget{}}; // its session is never used, so it opens no connection
};

/// What worker number `i` does once.
using Turn = std::function<void(std::size_t i)>;

/// Every worker has `count` turns, all at once; microseconds per turn, until the last is through.
double timePerTurn(std::vector<Worker> &workers, int count, const Turn &turn);

} // namespace lockscope::bench
