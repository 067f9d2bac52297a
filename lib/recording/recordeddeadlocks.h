// SPDX-License-Identifier: MIT
#pragma once

#include "deadlocks/deadlockinbox.h"
#include "recording.h"

namespace lockscope {

/// The deadlocks of a recording as the inbox that a window would have had at a moment. Belongs to one thread.
class RecordedDeadlocks
{
public:
    /// All that were kept until then. The same one while that are the same. Cost: forward in time those that came
    /// since, backward all of them.
    DeadlockInboxPtr until(Recording &recording, ServerTime time);
    /// Why they could not be read at the moment that was asked for last; empty: they could.
    const QString &refusal() const { return m_refusal; }

private:
    void startOver(Recording &recording);
    void take(const RecordedMark &mark);

    DeadlockInbox m_inbox;
    DeadlockInboxPtr m_told; ///< what m_inbox is, for others; null: nothing yet
    ServerTime m_until{};
    QString m_refusal;
    bool m_isCounted = true;
};

} // namespace lockscope
