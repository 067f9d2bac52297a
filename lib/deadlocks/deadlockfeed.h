// SPDX-License-Identifier: MIT
#pragma once

#include "deadlock.h"
#include "lockscope/lockerror.h"

namespace lockscope {

class Session;

/// What a reading found that the one before did not have.
struct DeadlockNews
{
    std::optional<Deadlock> latest = {}; ///< none: it is the one of before, or there was none
    /// How many came since the last reading (the first: since the server started) without being seen: the server keeps
    /// the text of the latest alone. None: the server's counter is switched off.
    std::optional<quint64> notCaptured = 0;
    bool isRestarted = false; ///< the counter began anew
};

/// Reads one server's deadlocks again and again: their text only when there is one more, or where the counter is off,
/// for it may be 1 MB. Belongs to the thread of its session.
class DeadlockFeed
{
public:
    std::optional<LockError> read(Session &session, DeadlockNews *news);
    /// The server counts them, as far as the last reading tells.
    bool isCounted() const { return m_count.has_value(); }

private:
    std::optional<quint64> m_count; ///< of the last reading
    QByteArray m_text;
    quint64 m_session = 0; ///< Session::number() of the last reading
    bool m_wasRead = false;
};

} // namespace lockscope
