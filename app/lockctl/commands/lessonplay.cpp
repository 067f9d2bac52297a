// SPDX-License-Identifier: MIT
#include "lessonplay.h"

#include "console/visibletext.h"
#include "lessons/lessonexpectation.h"
#include "process/interruption.h"
#include "server/trialserver.h"
#include "terminal/columns.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "terminal/terminal.h"
#include "text/lessontext.h"

#include <QtCore/QJsonArray>

#include <poll.h>
#include <unistd.h>

#include <iostream>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

/// What a person types; none at the end of the input, or once the program is asked to end.
std::optional<QString> answerTo(const QString &prompt, const std::stop_token &stop)
{
    print(prompt);
    pollfd input{STDIN_FILENO, POLLIN, 0};
    while (!stop.stop_requested()) {
        if (::poll(&input, 1, 100) == 0)
            continue;
        std::string line;
        if (!std::getline(std::cin, line))
            break;
        return QString::fromStdString(line).trimmed();
    }
    printLine(u""_s);
    return std::nullopt;
}

/// One run of a lesson at one isolation level.
class LessonPlay
{
public:
    LessonPlay(const Lesson &lesson, LessonIsolation isolation, std::stop_token stop)
        : m_lesson(lesson)
        , m_isolation(isolation)
        , m_stop(std::move(stop))
    {
    }
    virtual ~LessonPlay() = default;

    /// Returns an exit code.
    int run(const SessionTarget &target)
    {
        const int code = play(target);
        m_run.reset();
        return m_hasLeft && (code == Done || code == NothingDone) ? Failed : code;
    }

protected:
    virtual void skipped(const QString &reason) = 0;
    virtual void begun() { }
    /// False where the person has had enough.
    virtual bool mayGoOn(qsizetype) { return true; }
    virtual void played(const LessonStep &step, int number, const LessonOutcome &expected,
                        const LessonStepResult &result) = 0;
    virtual void ended() { }
    virtual void failed(const LockError &) { }
    virtual void left(const LessonRemains &) { }

    const Lesson &m_lesson;
    const LessonIsolation m_isolation;
    const std::stop_token m_stop;
    std::unique_ptr<LessonRun> m_run;
    std::optional<LessonPlace> m_place; ///< once it has begun
    bool m_isAsExpected = true;

private:
    int play(const SessionTarget &target)
    {
        LockError error;
        const auto onRemains = [this](const LessonRemains &remains) {
            m_hasLeft = true;
            printError(remainsText(remains));
            left(remains);
        };
        m_run = LessonRun::start(target, m_lesson, m_isolation, &error, {m_stop, onRemains});
        if (!m_run)
            return fail(error);
        m_place = m_run->place();
        if (!m_lesson.families.contains(m_run->place().family)) {
            skipped(u"it is not about %1"_s.arg(familyName(m_run->place().family)));
            return NothingDone;
        }
        begun();
        for (qsizetype i = 0; i < m_lesson.steps.size(); ++i) {
            const LessonStep &step = m_lesson.steps.at(i);
            if (!mayGoOn(i))
                return NothingDone;
            const LessonStepResult result = m_run->play(step);
            if (result.failure)
                return fail(*result.failure);
            const LessonOutcome &expected = step.expected.at(m_run->place());
            m_isAsExpected = m_isAsExpected && agrees(expected, result.outcome);
            played(step, int(i) + 1, expected, result);
        }
        ended();
        return m_isAsExpected ? Done : Failed;
    }

    int fail(const LockError &error)
    {
        failed(error);
        printError(u"%1, %2: %3"_s.arg(m_lesson.id, toString(m_isolation), printable(error.toString())));
        return exitCodeFor(error);
    }

    bool m_hasLeft = false; ///< something on the server
};

/// As text; step by step with a person.
class ShownPlay : public LessonPlay
{
public:
    ShownPlay(const Lesson &lesson, LessonIsolation isolation, std::stop_token stop, bool isByStep)
        : LessonPlay(lesson, isolation, std::move(stop))
        , m_isByStep(isByStep)
        , m_columns(::isatty(STDOUT_FILENO) != 0 ? outputColumns() : 0)
    {
    }

protected:
    void skipped(const QString &reason) override
    {
        say(u"== %1, %2: not played, %3"_s.arg(m_lesson.id, toString(m_isolation), reason));
    }

    void begun() override
    {
        say(u"== %1, %2, on %3 %4"_s.arg(m_lesson.id, toString(m_isolation), familyName(m_run->place().family),
                                         m_run->place().version.toString()));
        if (m_isByStep) // most begin with their title
            say(visibleLines(m_lesson.intro.isEmpty() ? m_lesson.title : m_lesson.intro) + u'\n');
    }

    bool mayGoOn(qsizetype index) override
    {
        const LessonStep &step = m_lesson.steps.at(index);
        if (m_columns > 0 && index > 0)
            say({});
        if (m_isByStep && !step.caption.isEmpty())
            say(visibleLines(step.caption));
        say(stepText(step, int(index) + 1));
        if (!m_isByStep)
            return true;
        m_said.clear();
        for (const LessonQuestion &question : m_lesson.questions) {
            if (question.beforeStep == index && !ask(question))
                return false;
        }
        const auto typed = answerTo(u"   Return plays it, q ends: "_s, m_stop);
        return typed && *typed != u"q";
    }

    void played(const LessonStep &, int, const LessonOutcome &expected, const LessonStepResult &result) override
    {
        say(resultText(expected, result, *m_run));
        for (const QString &line : std::as_const(m_said))
            say(line);
    }

    void ended() override
    {
        if (m_isByStep)
            tellTheRest();
        say(m_isAsExpected ? u"== as expected"_s : u"== DIFFERS from the file"_s);
    }

private:
    void say(const QString &text) { printLine(m_columns > 0 ? wrapped(text, m_columns) : text); }

    /// What is so is said after the step has shown it.
    bool ask(const LessonQuestion &question)
    {
        say(questionText(question));
        const auto typed = answerTo(u"   Your guess: "_s, m_stop);
        if (!typed)
            return false;
        const auto right = std::find_if(question.choices.begin(), question.choices.end(),
                                        [](const LessonChoice &choice) { return choice.isRight; });
        const auto letter = QChar(char16_t(u'a' + (right - question.choices.begin())));
        const bool isRight = typed->size() == 1 && typed->front().toLower() == letter;
        ++m_questions;
        m_right += isRight ? 1 : 0;
        m_said += visibleLines(u"   %1 %2) %3. %4"_s.arg(isRight ? u"Right:"_s : u"No, it is"_s)
                                   .arg(letter)
                                   .arg(right->text, question.because));
        return true;
    }

    void tellTheRest()
    {
        if (!m_lesson.outro.isEmpty())
            say(u'\n' + visibleLines(m_lesson.outro));
        for (const LessonClaim &claim : m_lesson.claims) {
            const QString verdict = claim.verdict == LessonVerdict::True ? u"true"_s
                : claim.verdict == LessonVerdict::False                  ? u"false"_s
                                                                         : u"only if"_s;
            say(visibleLines(u"   \"%1\": %2. %3"_s.arg(claim.text, verdict, claim.because)));
        }
        if (m_questions > 0)
            say(u"   %1 of %2 predicted"_s.arg(m_right).arg(m_questions));
    }

    const bool m_isByStep;
    const int m_columns; ///< of the terminal; 0: there is none
    QStringList m_said;  ///< about this step's questions
    int m_questions = 0;
    int m_right = 0;
};

/// As a member of a JSON array.
class JsonPlay : public LessonPlay
{
public:
    using LessonPlay::LessonPlay;

    QJsonObject toJson() const
    {
        QJsonObject object{{u"lesson"_s, m_lesson.id},
                           {u"isolation"_s, toString(m_isolation)},
                           {u"server"_s, m_place ? familyName(m_place->family) : QJsonValue()},
                           {u"version"_s, m_place ? m_place->version.toString() : QJsonValue()},
                           {u"isAsExpected"_s, m_hasEnded ? m_isAsExpected : QJsonValue()},
                           {u"notPlayed"_s, textOrNull(m_reason)},
                           {u"left"_s, m_left},
                           {u"steps"_s, m_steps}};
        return object;
    }

protected:
    void skipped(const QString &reason) override { m_reason = reason; }
    void played(const LessonStep &step, int number, const LessonOutcome &expected,
                const LessonStepResult &result) override
    {
        m_steps.append(stepToJson(step, number, expected, result, *m_run));
    }
    void ended() override { m_hasEnded = true; }
    void failed(const LockError &error) override { m_reason = error.toString(); }
    void left(const LessonRemains &remains) override { m_left.append(remainsToJson(remains)); }

private:
    QJsonArray m_steps;
    QJsonArray m_left;
    QString m_reason;
    bool m_hasEnded = false;
};

/// Those at which a lesson is played.
QList<LessonIsolation> isolationsOf(const Lesson &lesson, const LessonPlayOptions &options, bool isByStep)
{
    if (options.isolation)
        return {*options.isolation};
    return isByStep ? lesson.isolations.first(1) : lesson.isolations;
}

bool isToldAt(const Lesson &lesson, const LessonPlayOptions &options)
{
    if (!options.isolation || lesson.isolations.contains(*options.isolation))
        return true;
    QStringList names;
    for (const LessonIsolation isolation : lesson.isolations)
        names += toString(isolation);
    printError(u"%1 is not told at %2, but at %3"_s.arg(lesson.id, toString(*options.isolation), names.join(u", "_s)));
    return false;
}

} // namespace

int playLessons(const Globals &globals, const QList<Lesson> &lessons, const LessonPlayOptions &options)
{
    if (!std::all_of(lessons.begin(), lessons.end(), [&](const Lesson &lesson) { return isToldAt(lesson, options); }))
        return Usage;
    int exitCode = Done;
    TrialServer server(globals);
    const auto place =
        server.find(u"Play lessons on %1, each in a schema of its own? [y/N] "_s, options.isAgreed, &exitCode);
    if (!place)
        return exitCode;
    const bool isByStep = !globals.json && !options.isAuto && Terminal().isForTheCommand();
    const Interruption interruption;
    QJsonArray document;
    int played = 0;
    for (const Lesson &lesson : lessons) {
        for (const LessonIsolation isolation : isolationsOf(lesson, options, isByStep)) {
            if (interruption.token().stop_requested())
                break;
            int code = Done;
            if (globals.json) {
                JsonPlay play(lesson, isolation, interruption.token());
                code = play.run(place->target);
                document.append(play.toJson());
            } else {
                code = ShownPlay(lesson, isolation, interruption.token(), isByStep).run(place->target);
            }
            played += code == NothingDone ? 0 : 1;
            if (code != Done && code != NothingDone)
                exitCode = code;
        }
    }
    if (globals.json)
        printJson(document);
    return exitCode == Done && played == 0 ? NothingDone : exitCode;
}

} // namespace lockscope::ctl
