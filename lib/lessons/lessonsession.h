// SPDX-License-Identifier: MIT
// One session of a lesson: a connection in a thread of its own, which runs one statement at a time.
#pragma once

#include "lesson.h"
#include "session/session.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace lockscope {

/// Rings when any session of a run is answered. Shared by them and the run.
struct LessonBell
{
    std::mutex mutex;
    std::condition_variable rung;
};

/// All calls by one thread, the run's.
class LessonSession
{
public:
    using Clock = std::chrono::steady_clock;

    struct Answered
    {
        LessonAnswer answer;
        Clock::time_point at;
        bool isGone = false; ///< the connection broke
    };

    /// Connects, and runs `opening` first. An error in `*error` when that failed; nothing else may be called then.
    LessonSession(const SessionTarget &target, const QByteArray &opening, LessonBell &bell,
                  std::optional<LockError> *error);
    /// As close().
    ~LessonSession();

    quint64 connection() const { return m_connection; }
    /// Begins a statement; none may be under way.
    void send(const QByteArray &sql);
    /// Whether a statement was sent whose answer was not yet taken.
    bool isAsked() const { return m_isAsked; }
    /// The connection broke, by the last answer that was taken.
    bool isGone() const { return m_isGone; }
    /// Both with the bell's mutex locked.
    bool hasAnswer() const { return m_answered.has_value(); }
    /// Takes the answer, once it has come.
    std::optional<Answered> takeAnswer();
    /// Closes the connection. A statement that is under way and was killed ends by that; one that nothing has ended, as
    /// the network is gone or the lesson changed its password, loses its socket two seconds later.
    void close();

private:
    void work(const SessionTarget &target, const QByteArray &opening, std::optional<LockError> *error);
    std::optional<QByteArray> nextStatement();

    LessonBell &m_bell; // its mutex protects the members below it
    bool m_isOpened = false;
    bool m_mustEnd = false;
    bool m_hasEnded = false;
    int m_socket = -1; ///< of the connection, while it is open
    std::optional<QByteArray> m_statement;
    std::optional<Answered> m_answered;

    quint64 m_connection = 0;
    bool m_isAsked = false;
    bool m_isGone = false;
    std::thread m_thread; // last: starts when the rest is ready
};

} // namespace lockscope
