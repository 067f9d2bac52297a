// SPDX-License-Identifier: MIT
#pragma once

#include "console/polledsession.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

namespace lockscope {

/// The half of a feed that lives in its thread and polls whenever it is time to. Private to lib/feeds.
class FeedWorker : public QObject
{
    Q_OBJECT
public:
    FeedWorker(const SessionTarget &target, PollPace pace);

    /// All of these run in the feed's thread.
    void setInterval(std::chrono::milliseconds interval);
    void setPaused(bool paused);
    void setHidden(bool hidden);
    virtual void poll() = 0;

protected:
    /// Of each new session, before it is read.
    virtual std::optional<LockError> onOpened(Session &session) = 0;

    /// As PolledSession and PollPace say; then the next poll is planned.
    std::optional<LockError> pollServer(const PolledSession::Step &read);
    std::optional<LockError> askServer(const PolledSession::Step &read);
    void soon();
    const PollPace &pace() { return m_server.pace(); }
    ReconnectingSession &link() { return m_server.link(); }
    Session *session() { return m_server.session(); }

private:
    void plan();

    PolledSession m_server;
    QTimer m_timer;
};

} // namespace lockscope
