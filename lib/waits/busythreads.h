// SPDX-License-Identifier: MIT
#pragma once

#include "session/session.h"

#include <QtCore/QSet>

#include <chrono>
#include <optional>

namespace lockscope {

/// The threads of a MySQL that wait for metadata locks and user-level locks, and those that have more of them than
/// engines have to tell that they live. To find the latter means to go through all of these locks (105,000: a tenth of
/// a second), so where that takes long they are kept for a while.
class BusyThreads
{
public:
    using Clock = std::chrono::steady_clock;

    /// Who waits is of now. The others are found where twenty times as long has passed as it took, which keeps it to a
    /// twentieth of the time: one that got something meanwhile, without waiting, may be missing.
    std::optional<LockError> look(Session &session, Clock::time_point now = Clock::now());
    /// They are found anew when they are wanted next.
    void forget() { m_foundAt.reset(); }

    /// For the last look.
    QSet<quint64> ids() const { return m_found | m_waiting; }
    bool areKept() const { return m_areKept; }

private:
    std::optional<LockError> find(Session &session, Clock::time_point now);

    QSet<quint64> m_found;
    QSet<quint64> m_waiting;
    bool m_areKept = false;
    std::optional<Clock::time_point> m_foundAt;
    std::chrono::nanoseconds m_took{};
};

} // namespace lockscope
