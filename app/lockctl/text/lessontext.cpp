// SPDX-License-Identifier: MIT
#include "lessontext.h"

#include "console/visibletext.h"
#include "lessons/lessonexpectation.h"
#include "terminal/output.h"

#include <QtCore/QJsonArray>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

QString stepText(const LessonStep &step, int number)
{
    const QString who = step.kind == LessonStep::Kind::Statement ? step.session + u": "_s : QString();
    return visibleLines(u"%1. %2%3"_s.arg(number).arg(who, step.toString()));
}

QString resultText(const LessonOutcome &expected, const LessonStepResult &result, const LessonRun &run)
{
    QStringList lines{u"   → "_s + printable(toString(result.outcome))};
    if (const LessonAnswer &answer = result.outcome.answer; !answer.message.isEmpty())
        lines += u"     "_s + printable(answer.message);
    if (!agrees(expected, result.outcome))
        lines += u"   EXPECTED "_s + printable(toString(expected));
    for (const LessonLock &lock : result.locks.locks)
        lines +=
            u"     %1 %2.%3 %4 (%5)%6"_s.arg(run.nameOf(lock.connection), printable(lock.table), printable(lock.index),
                                             lock.mode, printable(lock.key), lock.isWaiting ? u" waiting"_s : u""_s);
    if (result.locks.isCut)
        lines += u"     … and more that the server does not print"_s;
    return lines.join(u'\n');
}

QString questionText(const LessonQuestion &question)
{
    QStringList lines{u"   ? "_s + question.text};
    for (qsizetype i = 0; i < question.choices.size(); ++i)
        lines += u"     %1) %2"_s.arg(QChar(char16_t(u'a' + i))).arg(question.choices.at(i).text);
    return visibleLines(lines.join(u'\n'));
}

QString lessonContents(const Lesson &lesson)
{
    QStringList parts;
    const auto add = [&parts](qsizetype count, const QString &one) {
        if (count > 0)
            parts += u"%1 %2%3"_s.arg(count).arg(one, count == 1 ? QString() : u"s"_s);
    };
    add(lesson.steps.size(), u"step"_s);
    add(lesson.questions.size(), u"question"_s);
    add(lesson.exercises.size(), u"exercise"_s);
    add(lesson.goals.size(), u"goal"_s);
    add(lesson.claims.size(), u"claim"_s);
    return parts.join(u", "_s);
}

QStringList lessonLine(const Lesson &lesson)
{
    return {lesson.course > 0 ? QString::number(lesson.course) : QString(), lesson.id, lesson.level, lesson.title};
}

QJsonObject lessonToJson(const Lesson &lesson)
{
    QJsonArray servers;
    for (const Family family : lesson.families)
        servers.append(family == Family::MySql ? u"mysql"_s : u"mariadb"_s);
    QJsonArray isolations;
    for (const LessonIsolation isolation : lesson.isolations)
        isolations.append(toString(isolation));
    QJsonArray shapes;
    for (const WaitShape shape : lesson.explains)
        shapes.append(toString(shape));
    return {{u"id"_s, lesson.id},
            {u"title"_s, lesson.title},
            {u"summary"_s, lesson.summary},
            {u"level"_s, lesson.level},
            {u"tags"_s, QJsonArray::fromStringList(lesson.tags)},
            {u"course"_s, lesson.course > 0 ? QJsonValue(lesson.course) : QJsonValue()},
            {u"servers"_s, servers},
            {u"isolation"_s, isolations},
            {u"lab"_s, QJsonArray::fromStringList(lesson.scenarios)},
            {u"explains"_s, shapes},
            {u"sessions"_s, QJsonArray::fromStringList(lesson.sessions())},
            {u"steps"_s, lesson.steps.size()}};
}

QJsonObject stepToJson(const LessonStep &step, int number, const LessonOutcome &expected,
                       const LessonStepResult &result, const LessonRun &run)
{
    QJsonArray locks;
    for (const LessonLock &lock : result.locks.locks)
        locks.append(QJsonObject{{u"session"_s, run.nameOf(lock.connection)},
                                 {u"table"_s, lock.table},
                                 {u"index"_s, lock.index},
                                 {u"mode"_s, lock.mode},
                                 {u"key"_s, lock.key},
                                 {u"isWaiting"_s, lock.isWaiting}});
    return {{u"step"_s, number},
            {u"session"_s, textOrNull(step.session)},
            {u"statement"_s, step.toString()},
            {u"expected"_s, toString(expected)},
            {u"outcome"_s, toString(result.outcome)},
            {u"message"_s, textOrNull(result.outcome.answer.message)},
            {u"isAsExpected"_s, agrees(expected, result.outcome)},
            {u"tookMs"_s, milliseconds(result.took)},
            {u"locks"_s, locks},
            {u"areLocksCut"_s, result.locks.isCut}};
}

QString remainsText(const LessonRemains &remains)
{
    const QString text =
        u"%1 and the account %2 are still on the server: %3. The next lesson that is played there removes them."_s.arg(
            remains.schema, remains.account, remains.reason);
    const QString first = u" First a prepared transaction of the lesson has to end, which is one of these: "_s;
    return visibleLines(remains.rollbacks.isEmpty() ? text : text + first + remains.rollbacks.join(u"; "_s));
}

QJsonObject remainsToJson(const LessonRemains &remains)
{
    return {{u"schema"_s, remains.schema},
            {u"account"_s, remains.account},
            {u"reason"_s, remains.reason},
            {u"rollbacks"_s, QJsonArray::fromStringList(remains.rollbacks)}};
}

} // namespace lockscope::ctl
