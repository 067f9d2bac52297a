// SPDX-License-Identifier: MIT
// Plays a lesson on a real server, step by step, and sees what came of each: who was answered what, who waits for whom
// by the server's own word, and who was freed. Nothing here knows what the lesson expects.
#pragma once

#include "lesson.h"
#include "lessonentries.h"
#include "lessonlocks.h"
#include "lessonschema.h"
#include "lessonsessions.h"
#include "lessonwaits.h"
#include "waits/waitsreader.h"

#include <memory>

namespace lockscope {

struct LessonStepResult
{
    LessonOutcome outcome;
    LessonLocks locks;            ///< after it
    QList<LessonEntries> entries; ///< of the indexes, after it; none while a definition is locked
    /// Why the run cannot go on: the server is lost, or a statement did not end. Then `outcome` is not to be believed.
    std::optional<LockError> failure;
    Microseconds took{};
};

/// One run, in a fresh schema that goes with it. Thread: its maker's.
class LessonRun
{
public:
    /// Null and `*error` set when the schema cannot be made. `server` is an account that may make schemas and users and
    /// see all sessions; the lesson's sessions are of another one, which may use their schema alone.
    static std::unique_ptr<LessonRun> start(const SessionTarget &server, const Lesson &lesson,
                                            LessonIsolation isolation, LockError *error,
                                            const LessonOrders &orders = {});
    ~LessonRun();
    LessonRun(const LessonRun &) = delete;
    LessonRun &operator=(const LessonRun &) = delete;

    const LessonPlace &place() const { return m_place; }
    LessonStepResult play(const LessonStep &step);
    /// A statement that neither ends nor waits for a lock ends the run after so long: 30 s at first. So does one whose
    /// answer a step awaits, after twice as long.
    void setStatementLimit(std::chrono::seconds limit) { m_statementLimit = limit; }
    /// Whether `query`, asked by a session of its own, answers 1; it sees what is committed. None and `*error` set when
    /// it fails.
    std::optional<bool> isOne(const QString &query, LockError *error);
    /// Sessions whose statement waits, by what the last step saw.
    QStringList waiting() const;
    /// Sessions whose clients stand still.
    const QStringList &frozen() const { return m_frozen; }
    /// The session's name; "prepared" for a transaction that outlives its own; "session 7" for a stranger's.
    QString nameOf(quint64 connection) const { return m_sessions.nameOf(connection); }
    const IndexColumns &indexes() const { return m_indexes; }

private:
    using Clock = LessonSession::Clock;

    LessonRun(std::unique_ptr<LessonSchema> schema, std::unique_ptr<Session> watcher);

    std::optional<LockError> begin(const LessonStep &step);
    void pause(std::chrono::milliseconds time) const;
    std::optional<LockError> send(const LessonStep &step);
    std::optional<LockError> disconnect(const QString &name);
    std::optional<LockError> kill(const QString &name);
    std::optional<LockError> awaitEnd(quint64 connection);
    std::optional<LockError> settle(const LessonStep &step, Clock::time_point sentAt);
    std::optional<LockError> whyOver(const LessonStep &step, Clock::duration spent, const LessonWaits &waits) const;
    std::optional<LockError> note(const QList<LessonSessions::Answer> &answers);
    std::optional<LockError> look(LessonWaits *waits);
    std::optional<LockError> lookAtLocks(LessonStepResult *result);
    void noteHidden(const LessonStep &step, LessonLocks *locks);
    LessonOutcome outcomeOf(const LessonStep &step) const;

    std::unique_ptr<LessonSchema> m_schema;
    std::unique_ptr<Session> m_watcher;
    WaitsReader m_reader;
    LessonPlace m_place;
    std::chrono::seconds m_statementLimit{30};
    std::stop_token m_stop;
    LessonSessions m_sessions;
    QStringList m_frozen;
    /// Of this step, in the order of the answers.
    QList<LessonSessions::Answer> m_answers;
    bool m_isSent = false; ///< this step's statement
    LessonWaits m_waits;
    Clock::time_point m_lookedAt;
    IndexColumns m_indexes;
    QList<LessonLock> m_locks; ///< after the step before
};

} // namespace lockscope
