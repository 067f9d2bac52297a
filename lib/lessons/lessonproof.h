// SPDX-License-Identifier: MIT
// Tries on a server all that a lesson's file says: what comes of each step, that an exercise is solved by its solution
// and not without it, that a goal is reached by its turns.
#pragma once

#include "lessonrun.h"

#include <functional>
#include <stop_token>

namespace lockscope {

/// Something of a file that did not come true.
struct LessonDifference
{
    int line = 0; ///< in the file
    LessonIsolation isolation = LessonIsolation::RepeatableRead;
    QString what;

    /// "rr: COMMIT: expected ok, seen error 1213".
    QString toString() const;
};

/// Of one lesson. Thread: its maker's. Each run has a schema of its own, and takes its time.
class LessonProof
{
public:
    /// Of each run, how long it took to begin; and of each step.
    using OnBegun = std::function<void(Microseconds)>;
    using OnPlayed = std::function<void(const LessonStep &, const LessonRun &, const LessonStepResult &)>;

    explicit LessonProof(SessionTarget server, std::stop_token stop = {});
    void tell(OnBegun onBegun, OnPlayed onPlayed);
    /// Of what a run leaves on the server.
    void tellRemains(OnLessonRemains onRemains) { m_onRemains = std::move(onRemains); }

    /// All of it, at each isolation level of the lesson. False: this server is not one of the lesson's.
    bool tryAll(const Lesson &lesson);
    void trySteps(const Lesson &lesson, LessonIsolation isolation);
    /// At each isolation level it is solved by its solution, and at one at least not without it: some servers solve
    /// some by themselves.
    void tryExercise(const Lesson &lesson, const LessonExercise &exercise);
    void tryGoal(const Lesson &lesson, const LessonGoal &goal, LessonIsolation isolation);

    const QList<LessonDifference> &differences() const { return m_differences; }
    /// Why nothing more was tried: the server is lost, or the lesson cannot begin.
    const std::optional<LockError> &failure() const { return m_failure; }

private:
    void note(int line, LessonIsolation isolation, const QString &what);
    std::unique_ptr<LessonRun> begin(const Lesson &lesson, LessonIsolation isolation);
    std::optional<LessonStepResult> play(LessonRun &run, const LessonStep &step);
    std::optional<bool> isSolved(const Lesson &lesson, const LessonExercise &exercise, LessonIsolation isolation);

    const SessionTarget m_server;
    const std::stop_token m_stop;
    OnBegun m_onBegun;
    OnPlayed m_onPlayed;
    OnLessonRemains m_onRemains;
    QList<LessonDifference> m_differences;
    std::optional<LockError> m_failure;
    bool m_isElsewhere = false; ///< the lesson's servers are others
};

} // namespace lockscope
