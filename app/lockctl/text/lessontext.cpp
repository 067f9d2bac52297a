// SPDX-License-Identifier: MIT
#include "lessontext.h"

#include "lessons/lessonexpectation.h"
#include "terminal/output.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

QString stepText(const LessonStep &step, const LessonOutcome &expected, const LessonStepResult &result,
                 const LessonRun &run, int number)
{
    const QString who = step.kind == LessonStep::Kind::Statement ? step.session + u": "_s : QString();
    QString text =
        u"%1. %2%3\n   → %4"_s.arg(number).arg(who, printable(step.toString()), printable(toString(result.outcome)));
    if (!agrees(expected, result.outcome))
        text += u"\n   EXPECTED %1"_s.arg(toString(expected));
    for (const LessonLock &lock : result.locks.locks)
        text += u"\n     %1 %2.%3 %4 (%5)%6"_s.arg(run.nameOf(lock.connection), printable(lock.table),
                                                   printable(lock.index), lock.mode, printable(lock.key),
                                                   lock.isWaiting ? u" waiting"_s : u""_s);
    return text;
}

QStringList lessonLine(const Lesson &lesson)
{
    return {lesson.course > 0 ? QString::number(lesson.course) : QString(), lesson.id, lesson.level, lesson.title};
}

} // namespace lockscope::ctl
