// SPDX-License-Identifier: MIT
#pragma once

#include "console/polledsession.h"
#include "pacedworker.h"

namespace lockscope {

/// The half of a feed that lives in its thread, with a session of MySQL or MariaDB. Private to lib/feeds.
class FeedWorker : public PacedWorker
{
    Q_OBJECT
public:
    FeedWorker(const SessionTarget &target, PollPace pace);

protected:
    /// Of each new session, before it is read.
    virtual std::optional<LockError> onOpened(Session &session) = 0;

    /// As PolledSession and PollPace say; then the next poll is planned.
    std::optional<LockError> pollServer(const PolledSession::Step &read);
    std::optional<LockError> askServer(const PolledSession::Step &read);
    ReconnectingSession &link() { return m_server.link(); }
    Session *session() { return m_server.session(); }

private:
    PollPace &pollPace() override { return m_server.pace(); }

    PolledSession m_server;
};

} // namespace lockscope
