// SPDX-License-Identifier: MIT
#include "toplook.h"

#include <utility>

namespace lockscope::ctl {

TopLooker::TopLooker(SessionTarget target, WaitOptions options, std::chrono::milliseconds interval, SignalInbox &inbox)
    : m_target(std::move(target))
    , m_look(std::move(options), interval)
    , m_inbox(inbox)
    , m_thread([this] { work(); })
{
}

TopLooker::~TopLooker()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_changed.notify_one();
    m_thread.join();
}

void TopLooker::look()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isWanted = true;
    }
    m_changed.notify_one();
}

bool TopLooker::isLooking()
{
    const std::lock_guard lock(m_mutex);
    return m_isWanted;
}

std::optional<TopLook> TopLooker::take()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_last, std::nullopt);
}

void TopLooker::work()
{
    bool isFirst = true;
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_isWanted || m_isEnding; });
        if (m_isEnding)
            return;
        lock.unlock();
        TopLook last{isFirst ? m_look.open(&m_target) : m_look.again(), m_look.server().pace(), {}, {}, {}};
        isFirst = false;
        if (!last.error) {
            last.target = m_look.target();
            last.capabilities = m_look.capabilities();
            last.waits = m_look.waits();
        }
        lock.lock();
        m_last = std::move(last);
        m_isWanted = false;
        m_inbox.wake();
    }
}

} // namespace lockscope::ctl
