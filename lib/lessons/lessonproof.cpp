// SPDX-License-Identifier: MIT
#include "lessonproof.h"

#include "lessonexpectation.h"
#include "lessonscript.h"

namespace lockscope {

QString LessonDifference::toString() const
{
    return lockscope::toString(isolation) + QStringLiteral(": ") + what;
}

LessonProof::LessonProof(SessionTarget server, std::stop_token stop)
    : m_server(std::move(server))
    , m_stop(std::move(stop))
{
}

void LessonProof::tell(OnBegun onBegun, OnPlayed onPlayed)
{
    m_onBegun = std::move(onBegun);
    m_onPlayed = std::move(onPlayed);
}

void LessonProof::note(int line, LessonIsolation isolation, const QString &what)
{
    m_differences.append({line, isolation, what});
}

/// Null once something failed, and where the lesson does not run.
std::unique_ptr<LessonRun> LessonProof::begin(const Lesson &lesson, LessonIsolation isolation)
{
    if (m_failure || m_isElsewhere)
        return nullptr;
    const auto beginning = std::chrono::steady_clock::now();
    LockError error;
    auto run = LessonRun::start(m_server, lesson, isolation, &error, {m_stop, m_onRemains});
    if (!run) {
        m_failure = error;
        return nullptr;
    }
    m_isElsewhere = !lesson.families.contains(run->place().family);
    if (m_isElsewhere)
        return nullptr;
    if (m_onBegun)
        m_onBegun(std::chrono::duration_cast<Microseconds>(std::chrono::steady_clock::now() - beginning));
    return run;
}

/// None: the run is over.
std::optional<LessonStepResult> LessonProof::play(LessonRun &run, const LessonStep &step)
{
    const LessonStepResult result = run.play(step);
    if (!result.failure) {
        if (m_onPlayed)
            m_onPlayed(step, run, result);
        return result;
    }
    if (result.failure->connectionGone || m_stop.stop_requested())
        m_failure = result.failure;
    else
        note(step.line, run.place().isolation, step.toString() + QStringLiteral(": ") + result.failure->message);
    return std::nullopt;
}

bool LessonProof::tryAll(const Lesson &lesson)
{
    for (const LessonIsolation isolation : lesson.isolations) {
        trySteps(lesson, isolation);
        for (const LessonGoal &goal : lesson.goals)
            tryGoal(lesson, goal, isolation);
    }
    for (const LessonExercise &exercise : lesson.exercises)
        tryExercise(lesson, exercise);
    return !m_isElsewhere;
}

void LessonProof::trySteps(const Lesson &lesson, LessonIsolation isolation)
{
    const auto run = begin(lesson, isolation);
    for (const LessonStep &step : lesson.steps) {
        const auto result = run ? play(*run, step) : std::nullopt;
        if (!result)
            return;
        const LessonOutcome &expected = step.expected.at(run->place());
        if (agrees(expected, result->outcome))
            continue;
        note(step.line, isolation,
             QStringLiteral("%1: expected %2, seen %3")
                 .arg(step.toString(), toString(expected), toString(result->outcome)));
        return; // what follows from it would only be more of the same
    }
}

/// Played to its end, whatever comes of it.
std::optional<bool> LessonProof::isSolved(const Lesson &lesson, const LessonExercise &exercise,
                                          LessonIsolation isolation)
{
    const auto run = begin(lesson, isolation);
    if (!run)
        return std::nullopt;
    for (const LessonStep &step : lesson.steps) {
        if (!play(*run, step))
            return std::nullopt;
    }
    LockError error;
    const auto isOne = run->isOne(exercise.check, &error);
    if (!isOne)
        note(exercise.line, isolation, QStringLiteral("the exercise's check: ") + error.message);
    return isOne;
}

void LessonProof::tryExercise(const Lesson &lesson, const LessonExercise &exercise)
{
    Lesson edited = lesson;
    edited.steps[exercise.step].sql = exercise.solution;
    bool isAlwaysSolved = true;
    for (const LessonIsolation isolation : lesson.isolations) {
        const auto isSolvedThen = isSolved(edited, exercise, isolation);
        if (isSolvedThen == false)
            note(exercise.line, isolation, QStringLiteral("the exercise's check is not 1 after its solution"));
        const auto isSolvedAsItIs = isSolvedThen ? isSolved(lesson, exercise, isolation) : std::nullopt;
        if (!isSolvedAsItIs)
            return;
        isAlwaysSolved = isAlwaysSolved && *isSolvedAsItIs;
    }
    if (isAlwaysSolved)
        note(exercise.line, lesson.isolations.first(),
             QStringLiteral("the exercise's check is 1 without its solution too"));
}

/// Each turn's statement is sent.
void LessonProof::tryGoal(const Lesson &lesson, const LessonGoal &goal, LessonIsolation isolation)
{
    const auto run = begin(lesson, isolation);
    LessonScript script(lesson);
    QList<LessonOutcome> seen;
    for (const QString &session : goal.order) {
        script.take(session);
        const auto result = run ? play(*run, script.chosen().constLast()) : std::nullopt;
        if (!result)
            return;
        if (result->outcome.answer.kind == LessonAnswer::Kind::NotSent)
            return note(goal.line, isolation,
                        QStringLiteral("the goal's turns: %1 waits when turn %2 is its own")
                            .arg(session)
                            .arg(script.chosen().size()));
        seen += result->outcome;
    }
    const bool isAllPlayed = run && script.left().isEmpty() && run->waiting().isEmpty();
    LockError error;
    const bool reached = goal.kind == LessonGoal::Kind::Check ? isAllPlayed && run->isOne(goal.check, &error) == true
                                                              : isReached(goal, seen, isAllPlayed);
    if (!reached)
        note(goal.line, isolation,
             error.message.isEmpty() ? QStringLiteral("the goal is not reached by its turns")
                                     : QStringLiteral("the goal's check: ") + error.message);
}

} // namespace lockscope
