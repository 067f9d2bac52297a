// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessonplayer.h"

#include <QtCore/QCoreApplication>

namespace lockscope::ui {

/// What the page of lessons says, in one place.
class LessonText
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::LessonText)
public:
    static QString isolation(LessonIsolation isolation);
    static QString verdict(LessonVerdict verdict);
    /// The introduction without the title that most begin with, which the page shows already; Markdown.
    static QString intro(const Lesson &lesson);
    /// The statement, or what befalls a session.
    static QString step(const LessonStep &step);
    /// As its lane is called; who is waited for may be no session.
    static QString session(const QString &name);
    /// Who is waited for: "A, a prepared transaction".
    static QString blockers(const LessonAnswer &answer);
    /// What an error means, or the server's own words for it.
    enum class Saying { Plain, Server };
    /// "1 row changed", "(10)", "waits for A (row)", "error 1213: …".
    static QString answer(const LessonAnswer &answer, Saying saying = Saying::Plain);
    /// The same where there is little room: "1 row", "10", "waits: row", "error 1213".
    static QString shortAnswer(const LessonAnswer &answer);
    /// Who had waited and goes on: "B goes on: 1 row changed".
    static QStringList freed(const LessonOutcome &outcome, Saying saying = Saying::Plain);
    static QString key(const LessonLock &lock);
    /// What a claim is found by.
    static QString claimWords(const LessonClaim &claim);
    /// The claims of a lesson with their verdicts; Markdown.
    static QString claims(const Lesson &lesson);
    /// What was played, with what the server answered; Markdown.
    static QString report(const Lesson &lesson, const LessonPlace &place, const QList<LessonMoment> &moments);

    /// That a run has left something on its server, and what is to be done.
    static QString remains(const LessonRemains &remains);
    /// The server's words, and statements that may end what holds it.
    static QString whatRemains(const LessonRemains &remains);

    /// Of the page.
    static QString help();

private:
    static QString harmless(const QString &text);
    static QString object(const QString &on);
    static QString blockedOn(const LessonAnswer &answer);
    static QString rows(const LessonAnswer &answer);
};

} // namespace lockscope::ui
