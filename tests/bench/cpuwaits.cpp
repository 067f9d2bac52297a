// SPDX-License-Identifier: MIT
#include "cpuwaits.h"

#include "clocktime.h"

#include <array>
#include <cstdlib>

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

namespace lockscope::bench {

using namespace std::chrono_literals;

CpuWaits::CpuWaits()
    : m_thread([this](const std::stop_token &stop) { run(stop); })
{
}

CpuWaits::~CpuWaits()
{
    stop();
    for (const auto &[connection, thread] : m_threads)
        ::close(thread.file);
}

void CpuWaits::stop()
{
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join();
}

void CpuWaits::follow(Session &session, const test::TestServer &server)
{
    const Reply reply = must(session,
                             server.family() == Family::MySql
                                 ? "SELECT processlist_id, thread_os_id FROM performance_schema.threads "
                                   "WHERE processlist_id > CONNECTION_ID()"
                                 : "SELECT id, tid FROM information_schema.processlist WHERE id > CONNECTION_ID()");
    const std::lock_guard lock(m_mutex);
    for (const QVariantList &row : reply.set(-1).rows) {
        const quint64 connection = row.value(0).toULongLong();
        if (m_threads.contains(connection))
            continue;
        const QByteArray path =
            "/proc/" + QByteArray::number(server.pid()) + "/task/" + row.value(1).toByteArray() + "/schedstat";
        if (const int file = ::open(path.constData(), O_RDONLY | O_CLOEXEC); file >= 0)
            m_threads[connection].file = file;
    }
}

void CpuWaits::run(const std::stop_token &stop)
{
    sched_param first{};
    first.sched_priority = 1;
    ::sched_setscheduler(0, SCHED_FIFO, &first); // without it its looks are later where there is much to do
    double before = milliseconds(CLOCK_REALTIME);
    while (!stop.stop_requested()) {
        const double now = milliseconds(CLOCK_REALTIME);
        m_longestGap = std::max(m_longestGap, now - before);
        before = now;
        {
            const std::lock_guard lock(m_mutex);
            for (auto &[connection, thread] : m_threads)
                lookAt(&thread, now);
        }
        std::this_thread::sleep_for(1ms);
    }
}

void CpuWaits::lookAt(Followed *thread, double now) const
{
    std::array<char, 128> text{};
    if (::pread(thread->file, text.data(), text.size() - 1, 0) <= 0)
        return; // it has ended
    char *rest = nullptr;
    const double running = double(std::strtoull(text.data(), &rest, 10)) / 1e6;
    const double ready = double(std::strtoull(rest, nullptr, 10)) / 1e6;
    auto &looks = thread->looks;
    if (!looks.empty() && looks.back().soFar.running == running && looks.back().soFar.ready == ready)
        return;
    looks.push_back({now, {running, ready}});
}

/// A wait is known when it is over, which may be told after the end of what had to wait.
CpuWaits::Times CpuWaits::between(quint64 connection, double begin, double end) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_threads.find(connection);
    if (found == m_threads.end())
        return {};
    const auto &looks = found->second.looks;
    const auto firstBehind = [&looks](double moment) {
        return std::upper_bound(looks.begin(), looks.end(), moment,
                                [](double at, const Look &look) { return at < look.at; });
    };
    auto first = firstBehind(begin);
    auto last = firstBehind(end);
    if (first == looks.begin() || looks.empty())
        return {};
    --first;
    last = last == looks.end() ? last - 1 : last;
    return {last->soFar.running - first->soFar.running, last->soFar.ready - first->soFar.ready};
}

} // namespace lockscope::bench
