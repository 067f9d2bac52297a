// SPDX-License-Identifier: MIT
#pragma once

#include "lesson.h"
#include "lessonremoval.h"

#include <memory>
#include <stop_token>

namespace lockscope {

/// How a run is ended, and who hears of what it leaves.
struct LessonOrders
{
    std::stop_token stop = {}; ///< ends what goes on, and each later step, with an error
    OnLessonRemains onRemains = {};
};

/// The schema of one run of a lesson, and the account of its sessions, which has rights on it alone and logs in from
/// this machine only. Both go with this object, and with what failed on the way to it; what a process left that died
/// goes with the next one that is made. What cannot go is told. Thread: its maker's.
class LessonSchema
{
public:
    /// Null and `*error` set when it cannot be made, or a statement of the setup fails. Never on a server that is
    /// tagged as production. Takes the rights in sql/grants/lessons.*.sql.
    static std::unique_ptr<LessonSchema> make(const SessionTarget &server, const Lesson &lesson, LockError *error,
                                              const LessonOrders &orders = {});
    ~LessonSchema();
    LessonSchema(const LessonSchema &) = delete;
    LessonSchema &operator=(const LessonSchema &) = delete;

    /// As which the lesson's sessions log in.
    const SessionTarget &learner() const { return m_learner; }
    /// As which the server is watched.
    const SessionTarget &watcher() const { return m_watcher; }
    /// One that stays while nobody uses it.
    static std::unique_ptr<Session> openToStay(const SessionTarget &target, LockError *error);
    /// Ends a session of the lesson; by one of its account, which needs no right for it.
    void kill(quint64 connection);
    /// A session of the lesson has done this statement. By it a prepared transaction may be known as the run's.
    void noteDone(const QString &sql);
    /// What a session of the lesson begins with: the server's own settings instead of the console's.
    static QByteArray opening(LessonIsolation isolation);

private:
    LessonSchema() = default;
    std::optional<LockError> create();
    std::optional<LockError> logIn();
    std::optional<LockError> fill(const Lesson &lesson);
    void waitForPurge();
    /// As who needs no schema: a lesson may drop it.
    SessionTarget warden() const;
    std::optional<LessonRemains> remove();

    LessonOrders m_orders;
    SessionTarget m_learner;
    SessionTarget m_watcher;
    LessonMade m_made;
    std::unique_ptr<Session> m_control;
    /// Of the lesson's account, from the first to the last: by it others see that the run lives, and its sessions end.
    std::unique_ptr<Session> m_warden;
    bool m_isMade = false;    ///< the account, at least, may be there
    bool m_isEntered = false; ///< somebody logged in to it
    QList<Xid> m_prepared;
};

} // namespace lockscope
