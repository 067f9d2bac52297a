// SPDX-License-Identifier: MIT
#include "toplook.h"

#include "console/pollpace.h"

#include <algorithm>
#include <utility>

namespace lockscope::ctl {

TopLooker::TopLooker(SessionTarget target, WaitOptions options, SignalInbox &inbox)
    : m_target(std::move(target))
    , m_options(std::move(options))
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
    SessionTarget target = m_target;
    WaitsLook look(m_options);
    bool isFirst = true;
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_isWanted || m_isEnding; });
        if (m_isEnding)
            return;
        lock.unlock();
        TopLook last;
        last.error = isFirst ? look.open(&target) : look.again();
        isFirst = false;
        if (!last.error) {
            last.target = look.target();
            last.capabilities = look.capabilities();
            last.waits = look.waits();
        }
        lock.lock();
        m_last = std::move(last);
        m_isWanted = false;
        m_inbox.wake();
    }
}

void TopPace::end(bool isSeen)
{
    const auto now = Clock::now();
    m_soonest = std::max(m_began + least, isSeen ? m_began + RestPerCost * (now - m_began) : now);
    if (isSeen) {
        m_failures = 0;
        m_next = std::max(m_began + m_interval, m_soonest);
        return;
    }
    m_next = now + retryPause(m_failures++);
}

} // namespace lockscope::ctl
