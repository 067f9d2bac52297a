// SPDX-License-Identifier: MIT
// What a session of a lesson may ask and be answered.
#pragma once

#include "lesson.h"
#include "session/session.h"

namespace lockscope {

struct LessonReply
{
    Reply reply;         ///< with the first 100 rows of all its results together
    qint64 moreRows = 0; ///< that came behind them and were only counted
    bool isGone = false; ///< the connection broke
};

/// Runs one statement, of a session that has SingleStatements. An answer of more than 16 MiB ends the connection.
LessonReply runStatement(Session &session, const QByteArray &sql);

/// What it came to, long values cut.
LessonAnswer answerOf(const QByteArray &sql, const LessonReply &result);

/// An error of a statement of the lesson in words about it: many of Lockscope's own are about its lock tables.
LockError ofLesson(LockError error);

} // namespace lockscope
