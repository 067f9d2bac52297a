// SPDX-License-Identifier: MIT
// Which session does what in which step of a lesson, who waits for whom and who was freed: a lane a session, a column a
// step. What is to be drawn, without a pixel.
#pragma once

#include "lessons/lessonplayer.h"

namespace lockscope::ui {

/// One step as a time line shows it, of a lesson or of what was done instead.
struct TimelineStep
{
    QString session; ///< empty: nobody's
    QString text;    ///< the statement, or what else happens
    LessonStep::Kind kind = LessonStep::Kind::Statement;
    LessonOutcome outcome = {};
    QStringList waiting = {}; ///< sessions whose statement waits after it
};

struct Timeline
{
    enum class Line {
        Idle,
        Transaction, ///< as the session's own statements say
        Waiting
    };
    /// From the middle of a column to the middle of another. What goes on ends at the last one played.
    struct Stretch
    {
        qsizetype lane = 0;
        qsizetype from = 0;
        qsizetype to = 0;
        Line line = Line::Idle;

        bool operator==(const Stretch &) const = default;
    };
    enum class Look {
        Done,
        Waits,
        Error,
        Freed, ///< a statement that had waited is answered; by an error it is Error
        NotSent,
        Event, ///< no statement
        Ahead  ///< not played yet
    };
    struct Note
    {
        qsizetype lane = 0;
        qsizetype column = 0;
        Look look = Look::Done;
        QString word;   ///< "UPDATE"; empty where a statement goes on
        QString answer; ///< "1 row", "waits: row"

        bool operator==(const Note &) const = default;
    };
    struct Arrow
    {
        qsizetype column = 0;
        qsizetype from = 0; ///< lanes
        qsizetype to = 0;
        bool frees = false; ///< from who frees; else from who waits

        bool operator==(const Arrow &) const = default;
    };

    QStringList sessions; ///< in the order of their colours
    QStringList lanes;    ///< the sessions, and who else is waited for
    QStringList words;    ///< a column each: "6. B: UPDATE …: waits for A: a row"
    qsizetype played = 0; ///< columns; the others are ahead
    QList<Stretch> stretches;
    QList<Note> notes;
    QList<Arrow> arrows;

    qsizetype columns() const { return words.size(); }
    /// What was played, a line a step.
    QString toString() const { return words.first(played).join(u'\n'); }
    bool operator==(const Timeline &) const = default;
};

/// `sessions` in the order of their lanes.
Timeline timelineOf(const QStringList &sessions, const QList<TimelineStep> &played, const QList<TimelineStep> &ahead);
/// Of a lesson: what was played, and what is left of it.
Timeline timelineOf(const QStringList &sessions, const QList<LessonMoment> &moments, const QList<LessonStep> &left);
/// What a statement is called where there is little room: "UPDATE", "FOR UPDATE".
QString shortStatement(const QString &sql);

} // namespace lockscope::ui
