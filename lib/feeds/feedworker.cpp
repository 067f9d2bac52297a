// SPDX-License-Identifier: MIT
#include "feedworker.h"

#include <algorithm>

namespace lockscope {

FeedWorker::FeedWorker(const SessionTarget &target, PollPace pace)
    : m_server(std::make_unique<ReconnectingSession>(target), pace,
               [this](Session &session) { return onOpened(session); })
    , m_timer(this)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &FeedWorker::poll);
}

void FeedWorker::setInterval(std::chrono::milliseconds interval)
{
    m_server.pace().setInterval(interval);
    plan();
}

void FeedWorker::setPaused(bool paused)
{
    m_server.pace().setPaused(paused);
    plan();
}

void FeedWorker::setHidden(bool hidden)
{
    m_server.pace().setHidden(hidden);
    plan();
}

void FeedWorker::soon()
{
    m_server.pace().soon();
    plan();
}

std::optional<LockError> FeedWorker::pollServer(const PolledSession::Step &read)
{
    auto error = m_server.poll(read);
    plan();
    return error;
}

std::optional<LockError> FeedWorker::askServer(const PolledSession::Step &read)
{
    auto error = m_server.ask(read);
    plan();
    return error;
}

void FeedWorker::plan()
{
    using std::chrono::milliseconds;
    if (const auto next = pace().next())
        m_timer.start(std::max(milliseconds(0), std::chrono::ceil<milliseconds>(*next - PollPace::Clock::now())));
    else
        m_timer.stop();
}

} // namespace lockscope
