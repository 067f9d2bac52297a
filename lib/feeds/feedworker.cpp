// SPDX-License-Identifier: MIT
#include "feedworker.h"

namespace lockscope {

FeedWorker::FeedWorker(const SessionTarget &target, PollPace pace)
    : m_server(std::make_unique<ReconnectingSession>(target), pace,
               [this](Session &session) { return onOpened(session); })
{
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

} // namespace lockscope
