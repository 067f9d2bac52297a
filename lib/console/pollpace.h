// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockerror.h"

#include <array>
#include <chrono>
#include <optional>

namespace lockscope {

/// The server refuses user or password: the same again would be refused again, and may lock the user out. Tried again
/// only when somebody asks for it.
bool isPermanent(const LockError &error);

/// Asking takes at most this part of the time, as a factor on a poll's cost.
constexpr int RestPerCost = 10;

/// When to poll a server next: after an interval, but asking takes at most a tenth of the time; seldom while nobody
/// looks; after a failure in growing pauses; not at all while paused or refused for good.
///
/// A poll that costs much more than most of the last ones, because the server stood still, is no reason not to look at
/// it for ten times as long: after it there is a rest of LongestRest, and what is missing of its share is rested after
/// the polls that follow. So in the long run asking keeps to its part of the time all the same.
class PollPace
{
public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds HiddenInterval{5000};
    /// After a poll that cost more than they usually do.
    static constexpr std::chrono::milliseconds LongestRest{2000};

    /// No interval is shorter than `least`. A costly poll is still made every `steady`, as long as it then takes two
    /// thirds of the time at most; zero: not.
    PollPace(std::chrono::milliseconds interval, std::chrono::milliseconds least,
             std::chrono::milliseconds steady = {});

    void setInterval(std::chrono::milliseconds interval);
    /// A pause that ends also ends the waiting for another try.
    void setPaused(bool paused);
    void setHidden(bool hidden);
    /// Soon, not now: several settings that change together make one poll. No sooner than planned after a failure.
    void soon();
    /// As early as asking keeps to its part of the time; also after a failure.
    void hurry() { m_next = m_soonest; }

    void succeeded(Clock::time_point started);
    /// Tried again by itself, but after isPermanent().
    void failed(const LockError &error);
    bool isFailing() const { return m_failures > 0; }
    /// More than twice, and some seconds, what is usual from one poll to the next: the server was out of sight.
    bool isGap(std::chrono::microseconds time) const;
    /// None while there will be no poll.
    std::optional<Clock::time_point> next() const { return m_isPaused ? std::nullopt : m_next; }

private:
    Clock::duration shareOf(Clock::duration cost) const;
    Clock::duration usualCost() const;
    Clock::duration wantedInterval() const;

    std::chrono::milliseconds m_interval;
    std::chrono::milliseconds m_least;
    std::chrono::milliseconds m_steady;
    std::optional<Clock::time_point> m_next;
    Clock::time_point m_soonest;
    std::array<Clock::duration, 5> m_costs{}; ///< of the last polls
    std::size_t m_oldest = 0;                 ///< of them
    Clock::duration m_owed{};                 ///< rest that is still to come
    int m_failures = 0;
    bool m_isPaused = false;
    bool m_isHidden = false;
};

} // namespace lockscope
