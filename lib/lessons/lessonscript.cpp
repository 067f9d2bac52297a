// SPDX-License-Identifier: MIT
#include "lessonscript.h"

#include <algorithm>

namespace lockscope {

namespace {

bool isError(const LessonAnswer &answer, int number)
{
    return answer.kind == LessonAnswer::Kind::Error && (number == 0 || answer.error == number);
}

bool hasError(const LessonOutcome &outcome, int number)
{
    return isError(outcome.answer, number) || std::ranges::any_of(outcome.freed, [number](const LessonFreed &freed) {
               return isError(freed.answer, number);
           });
}

} // namespace

LessonScript::LessonScript(const Lesson &lesson)
    : m_lesson(lesson.steps)
{
}

QList<LessonStep> LessonScript::left() const
{
    QList<LessonStep> left;
    for (qsizetype i = 0; i < m_lesson.size(); ++i) {
        if (!m_places.contains(i))
            left += m_lesson.at(i);
    }
    return left;
}

bool LessonScript::isInOrderUntil(qsizetype chosen) const
{
    for (qsizetype i = 0; i <= chosen; ++i) {
        if (m_places.at(i) != i)
            return false;
    }
    return true;
}

bool LessonScript::isInOrder() const
{
    return isInOrderUntil(m_chosen.size() - 1);
}

bool LessonScript::takeAt(qsizetype ofLesson)
{
    m_chosen += m_lesson.at(ofLesson);
    m_places += ofLesson;
    return true;
}

bool LessonScript::takeNext(const QStringList &stuck)
{
    if (isInOrder()) // where a session waits, the lesson says what comes of it
        return m_chosen.size() < m_lesson.size() && takeAt(m_chosen.size());
    for (qsizetype i = 0; i < m_lesson.size(); ++i) {
        if (!m_places.contains(i) && !stuck.contains(m_lesson.at(i).session))
            return takeAt(i);
    }
    return false;
}

const LessonStep *LessonScript::nextOf(const QString &session) const
{
    for (qsizetype i = 0; i < m_lesson.size(); ++i) {
        if (m_lesson.at(i).session == session && !m_places.contains(i))
            return &m_lesson.at(i);
    }
    return nullptr;
}

bool LessonScript::take(const QString &session)
{
    const LessonStep *next = nextOf(session);
    return next != nullptr && takeAt(next - m_lesson.constData());
}

bool LessonScript::takeTurn(QStringList *turns, const QStringList &stuck)
{
    for (qsizetype i = 0; i < turns->size(); ++i) {
        if (!stuck.contains(turns->at(i)) && take(turns->at(i))) {
            turns->removeAt(i);
            return true;
        }
    }
    return takeNext(stuck);
}

void LessonScript::add(const LessonStep &step)
{
    m_chosen += step;
    m_places += kNoPlace;
}

void LessonScript::keep(qsizetype count)
{
    m_chosen.resize(std::min(count, m_chosen.size()));
    m_places.resize(m_chosen.size());
}

QStringList LessonScript::otherOrder(const Lesson &lesson)
{
    const QStringList sessions = lesson.sessions();
    QStringList order;
    for (const LessonStep &step : lesson.steps) {
        if (const qsizetype number = sessions.indexOf(step.session); number >= 0)
            order += sessions.at(sessions.size() - 1 - number);
    }
    return order;
}

bool isReached(const LessonGoal &goal, const QList<LessonOutcome> &seen, bool isAllPlayed)
{
    const auto any = [&seen](int number) {
        return std::ranges::any_of(seen, [number](const LessonOutcome &each) { return hasError(each, number); });
    };
    switch (goal.kind) {
    case LessonGoal::Kind::Error:
        return any(goal.error);
    case LessonGoal::Kind::NoError:
        return isAllPlayed && !any(0);
    case LessonGoal::Kind::Check:
        return false;
    }
    return false;
}

} // namespace lockscope
