// SPDX-License-Identifier: MIT
#include "lessontext.h"

#include "console/visibletext.h"
#include "ui/text/commontext.h"

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

QString LessonText::isolation(LessonIsolation isolation)
{
    return sqlName(isolation).toUpper(); // words of SQL
}

QString LessonText::verdict(LessonVerdict verdict)
{
    switch (verdict) {
    case LessonVerdict::True:
        return tr("true");
    case LessonVerdict::OnlyIf:
        return tr("only if");
    case LessonVerdict::False:
        return tr("false");
    }
    return {};
}

QString LessonText::intro(const Lesson &lesson)
{
    const QString title = u"# "_s + lesson.title;
    return lesson.intro.startsWith(title + u'\n') ? lesson.intro.sliced(title.size()).trimmed() : lesson.intro;
}

QString LessonText::step(const LessonStep &step)
{
    using Kind = LessonStep::Kind;
    switch (step.kind) {
    case Kind::Statement:
        return step.sql;
    case Kind::Disconnect:
        return tr("%1's client dies").arg(step.session);
    case Kind::Kill:
        return tr("The server kills %1").arg(step.session);
    case Kind::CutOff:
        return tr("The network loses %1").arg(step.session);
    case Kind::Freeze:
        return tr("%1's client freezes").arg(step.session);
    case Kind::Thaw:
        return tr("%1's client goes on").arg(step.session);
    case Kind::Pause:
        return tr("%1 s go by").arg(double(step.pause.count()) / 1000);
    case Kind::Await:
        return tr("Until %1 is answered").arg(step.session);
    }
    return {};
}

QString LessonText::session(const QString &name)
{
    return name == "prepared"_L1 ? tr("prepared transaction") : name;
}

QString LessonText::blockers(const LessonAnswer &answer)
{
    QStringList who;
    for (const QString &name : answer.blockers)
        who += name == "prepared"_L1 ? tr("a prepared transaction") : name;
    return who.join(u", "_s);
}

QString LessonText::blockedOn(const LessonAnswer &answer)
{
    const QString names = blockers(answer);
    if (answer.on == "row"_L1)
        return tr("waits for %1: a row or a gap").arg(names);
    if (answer.on == "table"_L1)
        return tr("waits for %1: the table").arg(names);
    if (answer.on == "metadata"_L1)
        return tr("waits for %1: the table's definition").arg(names);
    if (answer.on == "user lock"_L1)
        return tr("waits for %1: a lock by name").arg(names);
    return names.isEmpty() ? tr("waits") : tr("waits for %1").arg(names);
}

QString LessonText::answer(const LessonAnswer &answer, Saying saying)
{
    using Kind = LessonAnswer::Kind;
    switch (answer.kind) {
    case Kind::Anything:
        return tr("answered");
    case Kind::Ok:
        if (!answer.changed)
            return tr("done");
        return answer.insertId.value_or(0) == 0
            ? tr("%n row(s) changed", nullptr, int(*answer.changed))
            : tr("%n row(s) changed, number %1", nullptr, int(*answer.changed)).arg(*answer.insertId);
    case Kind::Rows:
        return rows(answer);
    case Kind::Blocked:
        return blockedOn(answer);
    case Kind::Error: {
        const QString &words = saying == Saying::Server ? answer.serverText : answer.message;
        return words.isEmpty() ? tr("error %1").arg(answer.error) : tr("error %1: %2").arg(answer.error).arg(words);
    }
    case Kind::NotSent:
        return tr("not sent: its session waits or stands still");
    }
    return {};
}

QString LessonText::rows(const LessonAnswer &answer)
{
    if (!answer.rows)
        return tr("rows");
    if (answer.rows->isEmpty())
        return tr("no rows");
    const QStringList shown = answer.rows->first(std::min(kMaxShownRows, answer.rows->size()));
    const QString text = u"("_s + shown.join(u") ("_s) + u')';
    const qint64 all = answer.rows->size() + answer.moreRows;
    return all == shown.size() ? text : tr("%L1 rows, the first %2 shown: %3").arg(all).arg(shown.size()).arg(text);
}

QString LessonText::shortAnswer(const LessonAnswer &answer)
{
    using Kind = LessonAnswer::Kind;
    if (answer.kind == Kind::Blocked)
        return answer.on.isEmpty() ? tr("waits") : tr("waits: %1").arg(object(answer.on));
    if (answer.kind == Kind::Error)
        return tr("error %1").arg(answer.error);
    if (answer.kind == Kind::NotSent)
        return tr("not sent");
    if (answer.kind == Kind::Rows && answer.rows && !answer.rows->isEmpty())
        return answer.rows->size() == 1 ? CommonText::note(answer.rows->first().toUtf8())
                                        : tr("%n row(s)", nullptr, int(answer.rows->size() + answer.moreRows));
    if (answer.kind == Kind::Ok && answer.changed.value_or(0) > 0)
        return tr("%n row(s)", nullptr, int(*answer.changed));
    return LessonText::answer(answer);
}

/// What is waited for, in a word.
QString LessonText::object(const QString &on)
{
    if (on == "row"_L1)
        return tr("row");
    if (on == "table"_L1)
        return tr("table");
    if (on == "metadata"_L1)
        return tr("definition");
    return on == "user lock"_L1 ? tr("name") : on;
}

QStringList LessonText::freed(const LessonOutcome &outcome, Saying saying)
{
    QStringList lines;
    for (const LessonFreed &one : outcome.freed)
        lines += tr("%1 goes on: %2").arg(one.sessions.join(u", "_s), answer(one.answer, saying));
    return lines;
}

QString LessonText::key(const LessonLock &lock)
{
    return lock.isAtEnd() ? tr("the end") : lock.key;
}

QString LessonText::claimWords(const LessonClaim &claim)
{
    return QStringList{claim.text.simplified(), verdict(claim.verdict), claim.because.simplified()}.join(u'\n');
}

QString LessonText::claims(const Lesson &lesson)
{
    QString text;
    for (const LessonClaim &claim : lesson.claims) {
        text += u"\n\n> "_s + claim.text.simplified() + u"\n\n**"_s + verdict(claim.verdict) + u"**"_s;
        if (!claim.because.isEmpty())
            text += u" – "_s + claim.because;
    }
    return text.isEmpty() ? text : u"\n\n### "_s + tr("What articles say") + text;
}

/// A line of Markdown of what anybody may have written.
QString LessonText::harmless(const QString &text)
{
    return u"<code>"_s + visibleLines(text).simplified().toHtmlEscaped() + u"</code>"_s;
}

QString LessonText::report(const Lesson &lesson, const LessonPlace &place, const QList<LessonMoment> &moments)
{
    QString text = u"# %1\n\n%2\n\n%3 %4, %5\n"_s.arg(lesson.title, lesson.summary, familyName(place.family),
                                                      place.version.toString(), isolation(place.isolation));
    int number = 0;
    for (const LessonMoment &moment : moments) {
        const LessonStep &step = moment.step;
        if (!step.caption.isEmpty())
            text += u'\n' + step.caption + u'\n';
        text += u"\n%1. **%2** %3\n"_s.arg(++number).arg(step.session, harmless(LessonText::step(step)));
        const LessonOutcome &outcome = moment.result.outcome;
        if (step.kind == LessonStep::Kind::Statement)
            text += u"   - "_s + harmless(answer(outcome.answer, Saying::Server)) + u'\n';
        for (const QString &line : freed(outcome, Saying::Server))
            text += u"   - "_s + harmless(line) + u'\n';
    }
    return text + u'\n' + lesson.outro + claims(lesson) + u'\n';
}

QString LessonText::remains(const LessonRemains &remains)
{
    const QString text = tr("%1 and the account %2 are still on the server. The next lesson that is played there "
                            "removes them.")
                             .arg(remains.schema, remains.account);
    if (remains.rollbacks.isEmpty())
        return text;
    return text + u' ' + tr("First a prepared transaction of the lesson has to end, which is one of these:");
}

QString LessonText::whatRemains(const LessonRemains &remains)
{
    return visibleLines((remains.rollbacks + QStringList{remains.reason}).join(u'\n'));
}

QString LessonText::help()
{
    const QString playing = tr(
        "Each lesson is two or more sessions on a real server, statement by statement: choose one, and press Next "
        "(Alt+Right). A lane is a session; an arrow is followed by what the server answered, or for whom the "
        "session waits. Below are the row locks that the server holds at that moment: as bars on the entries and gaps "
        "of each index, where a dashed one waits; and as a list, where what the step added is marked and what it "
        "took away is struck through.\n\n"
        "The time line draws the same: dashed arrows go from who waits to whom it waits for, whole ones from who frees "
        "to whom is freed. A click on a step, here or in a lane, Left and Right look back at it, with what was locked "
        "then and what the lesson says there, and End returns; a click on a step that is not played yet plays up to "
        "there.\n\n"
        "Some steps are preceded by a question: say what will happen before you see it.\n\n"
        "Free play makes you the scheduler: choose whose statement is next (Alt+1, Alt+2, …), run a statement of your "
        "own in any session, or let a client die, freeze or be lost; Next then plays what the lesson has left. Some "
        "lessons have goals to be reached so.\n\n"
        "Back replays the lesson in a fresh schema. Lessons play on the private server, which is started "
        "when it is needed, with an account that may use the lesson's schema and nothing else; nothing is left "
        "of it. Ctrl+E saves what was played, with the server's real answers: to read as Markdown or HTML, the time "
        "line as a picture for slides, or as a script to type into plain clients.");
    return playing + u"\n\n"_s
        + tr("Side by side plays the lesson at each isolation level, and beside the private server where you choose "
             "so: "
             "on one of the other family, or on one that the window knows, after a question.")
        + u"\n\n"_s
        + tr("The library lists the lessons and, beside them, what articles say about locks: true, only if, or false; "
             "Enter opens the lesson that shows it. What was foreseen is counted by topic in the tool tip, and what "
             "was not can be asked again.")
        + u"\n\n"_s
        + tr("Open a file… lists a lesson of your own, as does a file that is dropped on the library. It is read anew "
             "each time you choose it, and what is wrong with it stands in its place.");
}

} // namespace lockscope::ui
