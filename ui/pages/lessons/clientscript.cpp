// SPDX-License-Identifier: MIT
#include "clientscript.h"

#include "lessons/statementreach.h"
#include "lessontext.h"
#include "ui/text/commontext.h"

#include <QtCore/QRegularExpression>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

/// A line of the script for each of the text. An answer may contain what would end a line and begin a statement.
QString comment(const QString &text)
{
    QString lines;
    for (const QString &line : text.split(u'\n'))
        lines += u"-- "_s + CommonText::note(line.toUtf8()) + u'\n';
    return lines;
}

/// In the body of a procedure a semicolon ends no statement for the server, but for a client, unless it is told another
/// sign. Behind a comment in its last line the semicolon would be part of it.
QString ended(const QString &sql)
{
    static const QRegularExpression definition(u"^\\s*(CREATE|ALTER)\\b"_s, QRegularExpression::CaseInsensitiveOption);
    if (sql.contains(definition) && sql.contains(u';')) {
        QString sign = u"//"_s;
        while (sql.contains(sign))
            sign += u'/';
        return u"DELIMITER %1\n%2\n%1\nDELIMITER ;\n"_s.arg(sign, sql);
    }
    static const QRegularExpression mayEndInComment(u"(--|#)[^\\n]*$"_s);
    return sql + (sql.contains(mayEndInComment) ? u"\n;\n"_s : u";\n"_s);
}

/// The number of another session's connection, which is not the same twice.
const QRegularExpression &connectionOf()
{
    static const QRegularExpression pattern(u"\\{([A-Z]+[0-9]*)\\}"_s);
    return pattern;
}

} // namespace

QString ClientScript::of(const PlayedLesson &played)
{
    QString text = head(played);
    for (qsizetype i = 0; i < played.moments.size(); ++i)
        text += u'\n' + step(i + 1, played.moments[i].step, played.moments[i].result.outcome);
    return text;
}

QString ClientScript::head(const PlayedLesson &played)
{
    const Lesson &lesson = played.lesson;
    const LessonPlace &place = played.place;
    const QString schema = u"lesson_"_s + QString(lesson.id).replace(u'-', u'_');
    QString text = comment(lesson.title);
    text +=
        comment(tr("Played on %1 %2, %3.")
                    .arg(familyName(place.family), place.version.toString(), LessonText::isolation(place.isolation)));
    text += comment(tr("Open a client for each session: %1. Type what follows in the order of the numbers,\n"
                       "each statement in the client that is named before it; below it stands what the server\n"
                       "answered. A client that waits shows nothing until it is freed.")
                        .arg(played.sessions.join(u", "_s)));
    text += u'\n' + comment(tr("First, in any client:"));
    text += u"CREATE DATABASE %1;\nUSE %1;\n"_s.arg(schema);
    for (const QString &sql : lesson.setup)
        text += statement(sql);
    text += u'\n' + comment(tr("Then, in each client:"));
    text +=
        u"USE %1;\nSET SESSION TRANSACTION ISOLATION LEVEL %2;\n"_s.arg(schema, LessonText::isolation(place.isolation));
    return text + u'\n' + comment(tr("When all is done, in any client: DROP DATABASE %1").arg(schema));
}

QString ClientScript::step(qsizetype number, const LessonStep &step, const LessonOutcome &outcome)
{
    QString text = step.caption.isEmpty() ? QString() : comment(step.caption.trimmed());
    if (step.kind != LessonStep::Kind::Statement) {
        text += comment(u"%1. %2"_s.arg(number).arg(LessonText::step(step)));
    } else {
        text += comment(u"%1. %2"_s.arg(number).arg(step.session)) + statement(step.sql);
        text += comment(u"→ "_s + LessonText::answer(outcome.answer, LessonText::Saying::Server));
    }
    for (const QString &line : LessonText::freed(outcome, LessonText::Saying::Server))
        text += comment(u"→ "_s + line);
    return text;
}

/// Why a statement is not to be run by who pastes the script; empty: it stays in its schema. The lesson's own account
/// was held back by its rights.
QString ClientScript::reason(const QString &sql)
{
    switch (reachOf(sql)) {
    case StatementReach::OwnSchema:
        return {};
    case StatementReach::OtherSchema:
        return tr("Left out, as it may reach another schema:");
    case StatementReach::Server:
        return tr("Left out, as it may change the server, its accounts or another schema, or end sessions:");
    case StatementReach::Files:
        return tr("Left out, as it may read or write files of the server:");
    case StatementReach::Several:
        return tr("Left out, as it is several statements, of which the server took none:");
    case StatementReach::Unclear:
        return tr("Left out, as it cannot be said what a client would run:");
    }
    return {};
}

/// With variables for the numbers of connections; a comment where it may reach beyond its schema.
QString ClientScript::statement(const QString &sql)
{
    if (const QString why = reason(sql); !why.isEmpty())
        return comment(why) + comment(sql);
    QString text;
    QStringList named;
    for (auto each = connectionOf().globalMatch(sql); each.hasNext();) {
        if (const QString name = each.next().captured(1); !named.contains(name)) {
            named += name;
            text += comment(tr("Instead of 0 the number that SELECT CONNECTION_ID() shows in %1:").arg(name));
            text += u"SET @%1 = 0;\n"_s.arg(name);
        }
    }
    QString numbered = sql;
    return text + ended(numbered.replace(connectionOf(), u"@\\1"_s));
}

} // namespace lockscope::ui
