// SPDX-License-Identifier: MIT
#pragma once

#include "lesson.h"
#include "session/session.h"

#include <memory>

namespace lockscope {

/// The schema of one run of a lesson, and the account of its sessions, which has rights on it alone and logs in from
/// this machine only. Both go with this object, and with what failed on the way to it; what a process left that died
/// goes with the next one that is made. Thread: its maker's.
class LessonSchema
{
public:
    /// Null and `*error` set when it cannot be made, or a statement of the setup fails. Never on a server that is
    /// tagged as production. Takes the rights in sql/grants/lessons.*.sql.
    static std::unique_ptr<LessonSchema> make(const SessionTarget &server, const Lesson &lesson, LockError *error);
    ~LessonSchema();
    LessonSchema(const LessonSchema &) = delete;
    LessonSchema &operator=(const LessonSchema &) = delete;

    /// As which the lesson's sessions log in.
    const SessionTarget &learner() const { return m_learner; }
    /// As which the server is watched.
    const SessionTarget &watcher() const { return m_watcher; }
    /// What a session of the lesson begins with: the server's own settings instead of the console's.
    static QByteArray opening(LessonIsolation isolation);

private:
    LessonSchema() = default;
    std::optional<LockError> create();
    std::optional<LockError> fill(const Lesson &lesson);
    Params names() const;

    SessionTarget m_learner;
    SessionTarget m_watcher;
    QString m_host; ///< this machine as the server sees it
    std::unique_ptr<Session> m_control;
};

} // namespace lockscope
