// SPDX-License-Identifier: MIT
// In which order the steps of a lesson are played. A learner may choose it: whose statement is next, statements of
// their own, faults; within a session the lesson's statements stay in their order. Values only.
#pragma once

#include "lesson.h"

namespace lockscope {

class LessonScript
{
public:
    explicit LessonScript(const Lesson &lesson = {});

    /// What was chosen so far, in that order.
    const QList<LessonStep> &chosen() const { return m_chosen; }
    /// Of the lesson's steps those that were not yet chosen, in its order.
    QList<LessonStep> left() const;
    /// What was chosen are the lesson's first steps in its order, so that each does what the lesson says.
    bool isInOrder() const;
    /// Of a chosen step, up to which everything is in order.
    bool isInOrderUntil(qsizetype chosen) const;

    /// Takes the lesson's next step; out of order the next whose session is none of `stuck`, which wait or stand still.
    /// False when there is none.
    bool takeNext(const QStringList &stuck = {});
    /// Takes what `session` has left first; false when that is nothing.
    bool take(const QString &session);
    /// Takes the first of these turns whose session is none of `stuck` and has something left, out of `turns` too;
    /// where there is none what the lesson has left, as takeNext().
    bool takeTurn(QStringList *turns, const QStringList &stuck);
    /// The session's next statement of the lesson; none left: null.
    const LessonStep *nextOf(const QString &session) const;
    /// One that is not of the lesson.
    void add(const LessonStep &step);
    /// Keeps what was chosen first.
    void keep(qsizetype count);

    /// Its sessions' turns with the sessions the other way round: those of B where the lesson has A's.
    static QStringList otherOrder(const Lesson &lesson);

private:
    bool takeAt(qsizetype ofLesson);

    static constexpr qsizetype kNoPlace = -1;

    QList<LessonStep> m_lesson;
    QList<LessonStep> m_chosen;
    QList<qsizetype> m_places; ///< of the chosen ones in the lesson, or kNoPlace
};

/// A goal's state after what was seen. `isAllPlayed`: nothing of the lesson is left, and nobody waits. A goal with a
/// check is not reached before its query said so, which the caller asks once all is played.
bool isReached(const LessonGoal &goal, const QList<LessonOutcome> &seen, bool isAllPlayed);

} // namespace lockscope
