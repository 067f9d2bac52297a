// SPDX-License-Identifier: MIT
// A lesson as its file tells it (sql/lessons/README.md has the format): prose, the steps of two or more sessions, and
// what each server answers to them. Values only; texts are Markdown.
#pragma once

#include "session/statement.h"
#include "waits/waitshape.h"

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QVersionNumber>

#include <chrono>
#include <optional>

namespace lockscope {

enum class LessonIsolation { ReadUncommitted, ReadCommitted, RepeatableRead, Serializable };

/// What a statement came to.
struct LessonAnswer
{
    enum class Kind {
        Anything, ///< of expectations: any answer, but an answer
        Ok,
        Rows,
        Blocked,
        Error,
        NotSent ///< its session still waits
    };
    Kind kind = Kind::Anything;
    std::optional<qint64> changed = {};   ///< of Ok: rows that were changed; an expectation may leave it open
    std::optional<quint64> insertId = {}; ///< of Ok
    /// Of Rows: one line a row, its values joined by ", "; an expectation may leave it open.
    std::optional<QStringList> rows = {};
    qint64 moreRows = 0;       ///< of Rows: how many came behind `rows`, and were only counted
    QStringList blockers = {}; ///< of Blocked: sessions, in alphabetical order
    QString on = {};         ///< of Blocked: "row", "table", "metadata", "user lock"; an expectation may leave it empty
    int error = 0;           ///< of Error: the server's number; 0 in an expectation: any
    QString message = {};    ///< of Error: in plain words, where there are any; not compared
    QString serverText = {}; ///< of Error: the server's own words; not compared

    bool operator==(const LessonAnswer &) const = default;
};

/// Of an answer, how many rows are shown where it has more.
constexpr qsizetype kMaxShownRows = 20;

/// A session that had waited and was answered because of a step.
struct LessonFreed
{
    QStringList sessions; ///< more than one: exactly one of them
    LessonAnswer answer;

    bool operator==(const LessonFreed &) const = default;
};

/// What a step does. In a file `freed` is in any order, in a run in the order of the answers.
struct LessonOutcome
{
    LessonAnswer answer; ///< of a step that sends nothing: Ok
    QList<LessonFreed> freed;

    bool operator==(const LessonOutcome &) const = default;
};

/// Where a lesson runs.
struct LessonPlace
{
    Family family = Family::MariaDb;
    QVersionNumber version;
    LessonIsolation isolation = LessonIsolation::RepeatableRead;
};

/// Places: those that agree with everything that is set.
struct LessonCondition
{
    std::optional<Family> family;
    QVersionNumber atLeast = {};
    std::optional<LessonIsolation> isolation;

    bool holds(const LessonPlace &place) const;
    bool operator==(const LessonCondition &) const = default;
};

struct LessonExpectation
{
    LessonOutcome outcome;
    /// Instead of it, where the condition holds; the last one that does.
    QList<std::pair<LessonCondition, LessonOutcome>> instead;

    const LessonOutcome &at(const LessonPlace &place) const;
};

struct LessonStep
{
    enum class Kind {
        Statement,
        Disconnect, ///< the client of `session` dies: its socket is closed, without a word to the server
        Kill,       ///< the server ends the connection of `session`, which learns it from its next statement
        CutOff,     ///< the network loses `session`: the server keeps what it has; its client connects anew
        Freeze,     ///< the client of `session` stands still: it sends nothing
        Thaw,       ///< … and goes on
        Pause,      ///< `pause` goes by
        Await       ///< until `session`, which waits, is answered
    };
    Kind kind = Kind::Statement;
    QString session;
    QString sql; ///< {A} stands for the number of A's connection
    std::chrono::milliseconds pause{0};
    LessonExpectation expected;
    QString caption; ///< what the file says before it
    int line = 0;    ///< in the file

    /// As a reader says it: the statement, or "A disconnects".
    QString toString() const;
};

/// What befalls the session of a step, and back: "disconnects", "is killed", "is cut off", "freezes", "goes on"; of
/// other kinds nothing.
QString faultWord(LessonStep::Kind kind);
std::optional<LessonStep::Kind> lessonFault(const QString &word);

struct LessonChoice
{
    QString text;
    bool isRight = false;
};

/// A question that is asked before a step.
struct LessonQuestion
{
    qsizetype beforeStep = 0; ///< index; the number of steps: after the last
    QString topic;            ///< that the score is kept by: "lost update"
    QString text;
    QList<LessonChoice> choices; ///< exactly one is right
    QString because;
};

/// One statement of the lesson is to be written better.
struct LessonExercise
{
    QString text;
    qsizetype step = 0; ///< index of the statement to edit
    QString solution;   ///< one that passes
    QString check;      ///< a query that is 1 when the exercise is solved
    int line = 0;       ///< in the file
};

/// What may come of the lesson's statements in another order: something to break, or to save.
struct LessonGoal
{
    enum class Kind {
        Error,   ///< somebody gets `error`; 0: any
        NoError, ///< everything is played, and nobody gets an error or waits for ever
        Check    ///< everything is played, and `check` is 1
    };
    QString text;
    Kind kind = Kind::Error;
    int error = 0;
    QString check;
    QStringList order; ///< sessions, whose turns reach it; nobody knows a shorter one
    int line = 0;      ///< in the file
};

enum class LessonVerdict { True, OnlyIf, False };

/// What articles tell, and what is true about it.
struct LessonClaim
{
    QString text;
    LessonVerdict verdict = LessonVerdict::True;
    QString because; ///< the condition, or what happens instead; may be empty
};

struct Lesson
{
    QString id; ///< the file's name: small letters, digits and "-"
    QString title;
    QString summary;
    QString level; ///< "basic", "medium" or "deep"
    QStringList tags;
    int course = 0; ///< its place in the course; 0: not part of it
    QList<Family> families;
    QList<LessonIsolation> isolations;
    QStringList scenarios;     ///< of the lab, that it explains: "flash-sale", "long-holder/release-by-name"
    QList<WaitShape> explains; ///< waits that it explains
    QStringList setup;         ///< statements
    QString intro;             ///< the prose before the first step
    QList<LessonStep> steps;
    QString outro; ///< … after the last
    QList<LessonQuestion> questions;
    QList<LessonExercise> exercises;
    QList<LessonGoal> goals;
    QList<LessonClaim> claims;

    /// Of all steps, in the order of their first one.
    QStringList sessions() const;
};

/// Without the semicolon and the blanks around it.
QString withoutEnd(const QString &sql);
/// Whether a statement begins so, behind comments and brackets; `words` is a regular expression, in any case.
bool beginsWith(const QString &sql, const QString &words);

/// Of Lesson::scenarios: the lab's name for it, and for the mode that the lesson is about; empty: any.
QString scenarioOf(const QString &link);
QString modeOf(const QString &link);

/// "rr", "rc", "ru", "ser", and back.
QString toString(LessonIsolation isolation);
std::optional<LessonIsolation> lessonIsolation(const QString &text);
/// "repeatable read": as SQL says it.
QString sqlName(LessonIsolation isolation);

} // namespace lockscope
