// SPDX-License-Identifier: MIT
#include "toppoll.h"

#include <utility>

namespace lockscope::ctl {

TopPoller::TopPoller(SessionTarget target, WaitOptions options, std::chrono::milliseconds interval, SignalInbox &inbox)
    : m_target(std::move(target))
    , m_poll(std::move(options), interval)
    , m_inbox(inbox)
    , m_thread([this] { work(); })
{
}

TopPoller::~TopPoller()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_changed.notify_one();
    m_thread.join();
}

void TopPoller::poll()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isWanted = true;
    }
    m_changed.notify_one();
}

bool TopPoller::isPolling()
{
    const std::lock_guard lock(m_mutex);
    return m_isWanted;
}

std::optional<TopPoll> TopPoller::take()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_last, std::nullopt);
}

void TopPoller::work()
{
    bool isFirst = true;
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_isWanted || m_isEnding; });
        if (m_isEnding)
            return;
        lock.unlock();
        TopPoll last{isFirst ? m_poll.open(&m_target) : m_poll.again(), m_poll.server().pace(), {}, {}, {}};
        isFirst = false;
        if (!last.error) {
            last.target = m_poll.target();
            last.capabilities = m_poll.capabilities();
            last.waits = m_poll.waits();
        }
        lock.lock();
        m_last = std::move(last);
        m_isWanted = false;
        m_inbox.wake();
    }
}

} // namespace lockscope::ctl
