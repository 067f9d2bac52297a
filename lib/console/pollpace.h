// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockerror.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

#include <chrono>
#include <optional>

namespace lockscope {

/// The server refuses user or password: the same again would be refused again, and may lock the user out. Tried again
/// only when somebody asks for it.
bool isPermanent(const LockError &error);

/// Asking takes at most this part of the time, as a factor on a look's cost.
constexpr int RestPerCost = 10;
/// How long to wait after so many failures before this one.
std::chrono::milliseconds retryPause(int failures);

/// When to look at a server next: after an interval, but asking takes at most a tenth of the time; seldom while nobody
/// looks; after a failure in growing pauses; not at all while paused or refused for good.
/// Thread: that of its parent, with which it moves.
class PollPace : public QObject
{
    Q_OBJECT
public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds hiddenInterval{5000};

    /// No interval is shorter than `least`.
    PollPace(std::chrono::milliseconds interval, std::chrono::milliseconds least, QObject *parent);

    void setInterval(std::chrono::milliseconds interval);
    /// A pause that ends also ends the waiting for another try.
    void setPaused(bool paused);
    void setHidden(bool hidden);
    /// Soon, not now: several settings that change together make one look. No sooner than planned after a failure.
    void soon();

    void succeeded(Clock::time_point started);
    /// Tried again by itself, but after isPermanent().
    void failed(const LockError &error);
    bool isFailing() const { return m_failures > 0; }
    /// How long the rest is that has begun; none while there will be no look.
    std::optional<std::chrono::milliseconds> rest() const;

Q_SIGNALS:
    void due();

private:
    QTimer m_timer;
    std::chrono::milliseconds m_interval;
    const std::chrono::milliseconds m_least;
    int m_failures = 0;
    bool m_isPermanent = false;
    bool m_isPaused = false;
    bool m_isHidden = false;
};

} // namespace lockscope
