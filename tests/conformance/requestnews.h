// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QString>

#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

namespace lockscope::test {

/// What a holder was asked by those who want its lock. Thread: any.
class RequestNews
{
public:
    void tell(const QString &reason)
    {
        const std::lock_guard lock(m_mutex);
        m_reasons.push_back(reason.toStdString());
        m_told.notify_all();
    }

    /// Waits for the next request; its reason.
    std::string next()
    {
        std::unique_lock lock(m_mutex);
        m_told.wait(lock, [this] { return m_taken < m_reasons.size(); });
        return m_reasons[m_taken++];
    }

    std::size_t count()
    {
        const std::lock_guard lock(m_mutex);
        return m_reasons.size();
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_told;
    std::vector<std::string> m_reasons;
    std::size_t m_taken = 0;
};

} // namespace lockscope::test
