// SPDX-License-Identifier: MIT
#pragma once

#include "capabilities.h"
#include "serverwaits.h"
#include "session/session.h"
#include "userlockthreads.h"

#include <QtCore/QSet>

#include <functional>

namespace lockscope {

/// What to ask.
struct WaitOptions
{
    QSet<WaitSource> off; ///< switched off by the person
    int limit = 1000; ///< of transactions (that wait, and that do not), of locks and of sessions that only their state
                      ///< tells, at most this many
    std::chrono::seconds probeEvery{60};    ///< a changed grant or setting shows after this long
    QSet<quint64> sessions;                 ///< that are looked up whatever they do: see ServerWaits::tracked
    QSet<quint64> rowsOf;                   ///< sessions whose row locks are wanted one by one
    std::function<bool()> isCalledOff = {}; ///< asked between statements: something more urgent waits for the thread
};

/// Reads the server's own locks and who waits for whom. Writes nothing and takes no lock; a source that is missing or
/// fails is told in ServerWaits::sources and stops nothing else.
/// Thread: that of `session` (any isolation level), which must outlive the reader; better one with a time limit of its
/// own. Cost: a few milliseconds; row locks are read only where somebody waits for one, and never by a walk over
/// performance_schema.data_locks, which takes seconds with a million of them.
class WaitsReader
{
public:
    /// MariaDB makes InnoDB's lists anew only when nobody has read them for 100 ms: a look that begins this long after
    /// one before it, or after an act, is of new ones unless another program has read them meanwhile.
    static constexpr std::chrono::milliseconds UntilListsAreNew{150};

    explicit WaitsReader(Session &session);

    /// An error only where nothing could be read at all: the connection broke, the user may see no session, or the
    /// reading was called off (Interrupted).
    std::optional<LockError> read(ServerWaits *waits, const WaitOptions &options = {});
    /// The next reading sees what was granted or switched on since.
    void probeSoon() { m_probedAt.reset(); }
    /// As probed last; empty before the first read.
    const Capabilities &capabilities() const { return m_capabilities; }

private:
    Session &m_session;
    Capabilities m_capabilities;
    UserLockThreads m_threads;
    std::optional<std::chrono::steady_clock::time_point> m_probedAt;
};

} // namespace lockscope
