// SPDX-License-Identifier: MIT
#include "lessonhtml.h"

#include "indexpicture.h"
#include "lessonpictures.h"
#include "lessontext.h"
#include "timeline.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"

#include <QtCore/QRegularExpression>
#include <QtGui/QTextDocument>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

/// Nothing is loaded from anywhere, and nothing runs.
constexpr auto kPolicy = "default-src 'none'; style-src 'unsafe-inline'";

constexpr auto kStyle = R"(
body { font: 11pt/1.45 system-ui, sans-serif; color: #1b1e20; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.25rem; margin-top: 2rem; } h3 { font-size: 1rem; margin-bottom: .3rem; }
pre { background: #f4f5f6; border: 1px solid #d5d8db; padding: .5rem .75rem; margin: .3rem 0; white-space: pre-wrap;
      overflow-wrap: anywhere; }
.answer { margin: .2rem 0 .2rem 1rem; overflow-wrap: anywhere; } .error { color: #b34700; }
blockquote { border-left: 3px solid #b7bcc1; margin: 1rem 0 .3rem; padding-left: .75rem; }
figure { margin: .75rem 0; overflow-x: auto; } .place { color: #63676b; }
svg { height: auto; } svg text { font-family: system-ui, sans-serif; }
section { break-inside: avoid; margin-top: 1.6rem; }
@media print { body { margin: 0; max-width: none; } pre { background: none; } svg { max-width: 100%; } }
)";

QString escaped(const QString &text)
{
    return text.toHtmlEscaped();
}

/// As it is read: a value may contain what turns the line around, or cannot be seen.
QString shown(const QString &text)
{
    return escaped(CommonText::note(text.toUtf8()));
}

/// Markup in it is text.
QString prose(const QString &markdown)
{
    static const QRegularExpression toLesson(u"\\[([^\\]]*)\\]\\([^)]*\\.md\\)"_s); // they are not here
    QTextDocument document;
    document.setMarkdown(QString(markdown).replace(toLesson, u"\\1"_s),
                         QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub)
                             | QTextDocument::MarkdownNoHTML);
    static const QRegularExpression body(u"<body[^>]*>(.*)</body>"_s, QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression link(u"</?a\\b[^>]*>"_s);
    return body.match(document.toHtml()).captured(1).remove(link);
}

QString figure(const QByteArray &svg)
{
    const qsizetype begin = svg.indexOf("<svg");
    return begin < 0 ? QString() : u"<figure>"_s + QString::fromUtf8(svg.mid(begin)) + u"</figure>\n"_s;
}

} // namespace

QString LessonHtml::of(const PlayedLesson &played)
{
    const Lesson &lesson = played.lesson;
    const LessonPlace &place = played.place;
    QString text = head(lesson);
    text += u"<p class=\"place\">%1 %2, %3</p>\n"_s.arg(familyName(place.family), escaped(place.version.toString()),
                                                        LessonText::isolation(place.isolation));
    text += prose(LessonText::intro(lesson));
    text += figure(LessonPictures::timeline(timelineOf(played.sessions, played.moments, {}), u"svg"_s, paperPalette()));
    text += u"<h2>"_s + escaped(tr("Before the first step")) + u"</h2>\n<pre>"_s;
    for (const QString &statement : lesson.setup)
        text += escaped(statement) + u";\n"_s;
    text += u"</pre>\n<h2>"_s + escaped(tr("Step by step")) + u"</h2>\n"_s + steps(played);
    return text + prose(lesson.outro + LessonText::claims(lesson)) + u"</body></html>\n"_s;
}

QString LessonHtml::head(const Lesson &lesson)
{
    const QString title = escaped(lesson.title);
    return u"<!DOCTYPE html>\n<html lang=\"%1\"><head><meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"%2\">\n"
           "<meta name=\"viewport\" content=\"width=device-width\"><title>%3</title>\n<style>%4</style></head><body>\n"
           "<h1>%3</h1>\n<p>%5</p>\n"_s.arg(escaped(tr("en", "The language of a page: en or zh-CN")),
                                            QLatin1String(kPolicy), title, QLatin1String(kStyle),
                                            escaped(lesson.summary));
}

/// With what is locked, wherever that has changed.
QString LessonHtml::steps(const PlayedLesson &played)
{
    QString text;
    IndexPicture before;
    for (qsizetype i = 0; i < played.moments.size(); ++i) {
        const LessonMoment &moment = played.moments[i];
        const IndexPicture now(moment, played.sessions);
        text += u"<section>\n"_s + step(i + 1, moment.step, moment.result.outcome);
        if (now != before && !now.isEmpty())
            text += figure(LessonPictures::indexes(now, paperPalette()));
        text += u"</section>\n"_s;
        before = now;
    }
    return text;
}

QString LessonHtml::step(qsizetype number, const LessonStep &step, const LessonOutcome &outcome)
{
    const bool isStatement = step.kind == LessonStep::Kind::Statement;
    QString text = step.caption.isEmpty() ? QString() : prose(step.caption);
    text += u"<h3>%1. %2</h3>\n"_s.arg(QString::number(number),
                                       escaped(isStatement ? step.session : LessonText::step(step)));
    if (isStatement)
        text += u"<pre>"_s + escaped(step.sql) + u"</pre>\n"_s;
    return text + answers(step, outcome);
}

QString LessonHtml::answers(const LessonStep &step, const LessonOutcome &outcome)
{
    const auto line = [](const QString &words, const LessonAnswer &answer) {
        const bool isError = answer.kind == LessonAnswer::Kind::Error;
        return u"<p class=\"answer%1\">→ "_s.arg(isError ? u" error"_s : QString()) + shown(words) + u"</p>\n"_s;
    };
    QString text;
    if (step.kind == LessonStep::Kind::Statement)
        text += line(LessonText::answer(outcome.answer, LessonText::Saying::Server), outcome.answer);
    const QStringList freed = LessonText::freed(outcome, LessonText::Saying::Server);
    for (qsizetype i = 0; i < freed.size(); ++i)
        text += line(freed[i], outcome.freed[i].answer);
    return text;
}

} // namespace lockscope::ui
