// SPDX-License-Identifier: MIT
#pragma once

#include "session/session.h"

#include <QtCore/QHash>
#include <QtCore/QSet>

#include <optional>

namespace lockscope {

/// The threads of a MySQL whose user-level locks are of interest: of those that wait for one, of those that have one,
/// and of those of which the server does not count them; but for engines' connections, which have one for each lease.
/// Whose a thread's locks are is looked up once, by one of them: what an application locks by GET_LOCK on an engine's
/// connection is missing.
/// Thread: that of the session that it is given, always the same one: threads of a server that was restarted have the
/// numbers of others.
class UserLockThreads
{
public:
    std::optional<LockError> look(Session &session);

    /// At the last look.
    const QList<quint64> &ids() const { return m_ids; }
    /// Somebody waits for a kind of lock that is of no other interest.
    bool hasRareWaits() const { return m_hasRareWaits; }

private:
    std::optional<LockError> lookUpNames(Session &session, const QList<quint64> &threads);

    QList<quint64> m_ids;
    QHash<quint64, bool> m_areEngines; ///< those that had some at the last look
    bool m_hasRareWaits = false;
};

} // namespace lockscope
