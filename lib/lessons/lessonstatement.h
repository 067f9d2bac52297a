// SPDX-License-Identifier: MIT
// What a session of a lesson may ask and be answered.
#pragma once

#include "lesson.h"
#include "session/session.h"

#include <functional>
#include <optional>
#include <stop_token>

namespace lockscope {

struct LessonReply
{
    Reply reply;         ///< with the first 100 rows of all its results together
    qint64 moreRows = 0; ///< that came behind them and were only counted
    bool isGone = false; ///< the connection broke
};

/// Runs one statement, of a session that has SingleStatements. An answer of more than 16 MiB ends the connection.
LessonReply runStatement(Session &session, const QByteArray &sql);

/// While this is there, a stop breaks the session's connection, and so ends what it waits for. Thread: the session's;
/// the stop may come from any.
class StopBreaks
{
public:
    StopBreaks(const Session &session, const std::stop_token &stop);
    ~StopBreaks();
    StopBreaks(const StopBreaks &) = delete;
    StopBreaks &operator=(const StopBreaks &) = delete;

private:
    /// A number of its own for the connection's socket: that of the session may be another one's once it broke.
    int m_socket = -1;
    std::optional<std::stop_callback<std::function<void()>>> m_onStop;
};

/// What a run that was stopped ends with.
LockError runStopped();

/// What it came to, long values cut.
LessonAnswer answerOf(const QByteArray &sql, const LessonReply &result);

/// An error of a statement of the lesson in words about it: many of Lockscope's own are about its lock tables.
LockError ofLesson(LockError error);

} // namespace lockscope
