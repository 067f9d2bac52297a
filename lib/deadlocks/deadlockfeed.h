// SPDX-License-Identifier: MIT
#pragma once

#include "deadlock.h"
#include "lockscope/lockerror.h"

namespace lockscope {

class Session;

/// What a reading found that the one before did not have.
struct DeadlockNews
{
    std::optional<Deadlock> latest; ///< none: it is the one of before, or there was none
    /// How many came since the last reading (the first: since the server started) without being seen: the server keeps
    /// the text of the latest alone. None: the server's counter is switched off.
    std::optional<quint64> notCaptured = 0;
    bool isRestarted = false; ///< the counter began anew
};

/// Reads one server's deadlocks again and again. Belongs to the thread of its session.
class DeadlockFeed
{
public:
    std::optional<LockError> read(Session &session, DeadlockNews *news);

private:
    std::optional<quint64> m_count; ///< of the last reading
    QByteArray m_text;
    bool m_wasRead = false;
};

} // namespace lockscope
