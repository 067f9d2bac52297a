// SPDX-License-Identifier: MIT
#include "lessonrecord.h"

#include "lessonexpectation.h"

#include <yaml-cpp/yaml.h>

namespace lockscope {

namespace {

using Kind = LessonAnswer::Kind;

std::string text(const QString &value)
{
    return value.toStdString();
}

QString headOf(const Lesson &lesson, const LessonPlace &place, const QString &id)
{
    YAML::Emitter head;
    head << YAML::BeginMap;
    head << YAML::Key << "id" << YAML::Value << text(id);
    head << YAML::Key << "title" << YAML::Value << YAML::DoubleQuoted << text(lesson.title);
    head << YAML::Key << "summary" << YAML::Value << YAML::DoubleQuoted << text(lesson.summary);
    head << YAML::Key << "level" << YAML::Value << text(lesson.level);
    head << YAML::Key << "tags" << YAML::Value << YAML::Flow << YAML::BeginSeq;
    for (const QString &tag : lesson.tags)
        head << YAML::DoubleQuoted << text(tag);
    head << YAML::EndSeq;
    head << YAML::Key << "servers" << YAML::Value << YAML::Flow << YAML::BeginSeq
         << (place.family == Family::MySql ? "mysql" : "mariadb") << YAML::EndSeq;
    head << YAML::Key << "isolation" << YAML::Value << YAML::Flow << YAML::BeginSeq << text(toString(place.isolation))
         << YAML::EndSeq << YAML::EndMap;
    return QStringLiteral("---\n%1\n---\n").arg(QString::fromUtf8(head.c_str()));
}

QString block(const QString &words, const QString &body)
{
    return QStringLiteral("\n```%1\n%2```\n").arg(words, body.isEmpty() ? body : body + u'\n');
}

/// What the format has no words for is left open: a value with a bracket in it, a blocker that is no session.
LessonAnswer writable(const LessonAnswer &seen)
{
    QString reason;
    const auto read = lessonExpectation(toString(seen, RowsTold::All), &reason);
    if (read && read->instead.isEmpty() && read->outcome.freed.isEmpty() && agrees(read->outcome.answer, seen))
        return seen;
    return seen.kind == Kind::Rows ? LessonAnswer{Kind::Rows} : LessonAnswer{Kind::Anything};
}

QString expectationOf(const LessonMoment &moment)
{
    LessonOutcome outcome{writable(moment.result.outcome.answer), {}};
    for (const LessonFreed &freed : moment.result.outcome.freed)
        outcome.freed.append({freed.sessions, writable(freed.answer)});
    return toString(outcome, RowsTold::All);
}

QString stepBlock(const LessonMoment &moment)
{
    const LessonStep &step = moment.step;
    QString expected = expectationOf(moment);
    if (step.kind == LessonStep::Kind::Statement)
        return block(QStringLiteral("sql %1 %2").arg(step.session, expected), step.sql.trimmed() + u';');
    expected.remove(0, QStringLiteral("ok").size()); // it has no answer of its own
    QString what = step.session + u' ' + faultWord(step.kind);
    if (step.kind == LessonStep::Kind::Pause)
        what = QStringLiteral("pause %1ms").arg(step.pause.count());
    else if (step.kind == LessonStep::Kind::Await)
        what = QStringLiteral("await ") + step.session;
    return block(QStringLiteral("step ") + what + expected, {});
}

} // namespace

QByteArray recordedLesson(const Lesson &lesson, const LessonPlace &place, const QList<LessonMoment> &moments,
                          const QString &id)
{
    QString file = headOf(lesson, place, id);
    if (!lesson.setup.isEmpty())
        file += block(QStringLiteral("sql setup"), lesson.setup.join(QStringLiteral(";\n")) + u';');
    for (const LessonMoment &moment : moments)
        file += stepBlock(moment);
    return file.toUtf8();
}

} // namespace lockscope
