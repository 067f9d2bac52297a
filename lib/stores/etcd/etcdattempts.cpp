// SPDX-License-Identifier: MIT
#include "etcdattempts.h"

#include <algorithm>
#include <utility>

namespace lockscope::detail {

namespace {

/// Nothing happens by itself that libcurl does not know of.
constexpr std::chrono::nanoseconds kLook = std::chrono::minutes(1);

} // namespace

EtcdAttempts::EtcdAttempts()
    : m_multi(curl_multi_init(), curl_multi_cleanup)
{
}

EtcdAttempts::~EtcdAttempts()
{
    for (const auto &attempt : m_running)
        curl_multi_remove_handle(m_multi.get(), attempt->transfer.handle());
}

void EtcdAttempts::begin(std::unique_ptr<EtcdAttempt> attempt)
{
    if (curl_multi_add_handle(m_multi.get(), attempt->transfer.handle()) != CURLM_OK)
        attempt->code = CURLE_FAILED_INIT;
    m_running.push_back(std::move(attempt));
}

std::unique_ptr<EtcdAttempt> EtcdAttempts::next(Clock::time_point until)
{
    for (;;) {
        int running = 0;
        curl_multi_perform(m_multi.get(), &running);
        if (auto ended = takeEnded())
            return ended;
        const auto left = std::min(until - Clock::now(), kLook);
        if (left <= Clock::duration::zero())
            return nullptr;
        const auto wait = std::chrono::ceil<std::chrono::milliseconds>(left);
        curl_multi_poll(m_multi.get(), nullptr, 0, int(wait.count()), nullptr);
    }
}

bool EtcdAttempts::areRunning() const
{
    return !m_running.empty() && !m_running.back()->isLate;
}

void EtcdAttempts::leave()
{
    for (const auto &attempt : m_running)
        attempt->isLate = true;
}

bool EtcdAttempts::isLate(int member) const
{
    return std::any_of(m_running.begin(), m_running.end(),
                       [member](const auto &attempt) { return attempt->isLate && attempt->member == member; });
}

std::vector<int> EtcdAttempts::membersSilentSince(LeaseClock::time_point time) const
{
    std::vector<int> members;
    for (const auto &attempt : m_running) {
        if (attempt->isLate && !attempt->code && attempt->sentAt < time)
            members.push_back(attempt->member);
    }
    return members;
}

/// Of several, the one that began first.
std::unique_ptr<EtcdAttempt> EtcdAttempts::takeEnded()
{
    int left = 0;
    while (const CURLMsg *const message = curl_multi_info_read(m_multi.get(), &left)) {
        for (const auto &attempt : m_running) {
            if (attempt->transfer.handle() == message->easy_handle)
                attempt->code = message->data.result;
        }
    }
    const auto ended =
        std::find_if(m_running.begin(), m_running.end(), [](const auto &attempt) { return attempt->code.has_value(); });
    if (ended == m_running.end())
        return nullptr;
    auto attempt = std::move(*ended);
    m_running.erase(ended);
    curl_multi_remove_handle(m_multi.get(), attempt->transfer.handle());
    return attempt;
}

} // namespace lockscope::detail
