// SPDX-License-Identifier: MIT
#pragma once

#include "pollpace.h"
#include "session/reconnectingsession.h"

namespace lockscope {

/// A server that is polled again and again: connects when there is no session, closes one that a poll has found
/// broken or without its tables, and counts what polls cost. Belongs to one thread, as its session does.
class PolledSession
{
public:
    using Step = std::function<std::optional<LockError>(Session &session)>;

    /// `onOpened` gets each new session before it is read; one that it has an error for is closed.
    PolledSession(std::unique_ptr<ReconnectingSession> link, PollPace pace, Step onOpened = {});

    /// One poll; the pause after it grows with its cost.
    std::optional<LockError> poll(const Step &read);
    /// Something beside the polls: only an error counts.
    std::optional<LockError> ask(const Step &read);

    /// For what opens sessions by itself.
    ReconnectingSession &link() { return *m_link; }
    /// Null while there is none.
    Session *session() { return m_link->isOpen() ? m_link->session(nullptr) : nullptr; }
    PollPace &pace() { return m_pace; }

private:
    const std::unique_ptr<ReconnectingSession> m_link;
    PollPace m_pace;
    const Step m_onOpened;
};

} // namespace lockscope
