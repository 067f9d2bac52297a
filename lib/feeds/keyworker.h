// SPDX-License-Identifier: MIT
#pragma once

#include "monitor.h"
#include "pacedworker.h"
#include "sources/locksource.h"

#include <map>
#include <stop_token>

namespace lockscope {

/// Shared, for there may be many.
using KeyLocksPtr = std::shared_ptr<const KeyLocks>;

/// Looks for other programs' locks in all the keys or nodes that a store has, in a thread and with a connection of its
/// own: a walk may take minutes, and leases are read beside it. The server is at work for it for a tenth of the time.
/// What was found before is asked again meanwhile, where that takes one flight. Of a server that has no such keys it
/// does nothing. Private to lib/feeds.
class KeyWorker : public PacedWorker
{
    Q_OBJECT
public:
    explicit KeyWorker(SourceMaker maker);

    /// From any thread: a walk that is going on ends, and nothing more is told.
    void interrupt() { m_stop.request_stop(); }

    /// All of these run in the worker's thread. What is set counts from the next walk on.
    void setGuesses(bool withGuesses);
    /// Also reads the user's conventions again.
    void refresh();
    void poll() override;

Q_SIGNALS:
    /// After each walk, before the first one, and once a second within one.
    void walked(const lockscope::KeyLocksPtr &found, const lockscope::KeyPasses &passes);

private:
    PollPace &pollPace() override { return m_pace; }
    void onStep(const QList<LockRow> &rows);
    void readAgain();
    void onWalked(const KeyLocks &found);
    void tell();

    const SourceMaker m_maker;
    std::unique_ptr<LockSource> m_source; ///< null until it is needed
    std::stop_source m_stop;
    PollPace m_pace;
    KeyPasses m_passes;
    std::map<QByteArray, LockRow> m_known; ///< by name
    QByteArray m_lastAgain;                ///< that was asked again
    PollPace::Clock::time_point m_toldAt{};
    bool m_withGuesses = false;
    bool m_areConventionsOld = true;
};

} // namespace lockscope
