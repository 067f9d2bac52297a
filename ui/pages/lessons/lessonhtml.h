// SPDX-License-Identifier: MIT
#pragma once

#include "playedlesson.h"

#include <QtCore/QCoreApplication>

namespace lockscope::ui {

/// What was played of a lesson as a page of HTML that needs no other file, to read and to print: the prose, each
/// statement with what the server answered, and pictures.
class LessonHtml
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::LessonHtml)
public:
    /// Nothing in it is markup but its own, whatever a table contains, and it runs no script.
    static QString of(const PlayedLesson &played);

private:
    static QString head(const Lesson &lesson);
    static QString step(qsizetype number, const LessonStep &step, const LessonOutcome &outcome);
    static QString answers(const LessonStep &step, const LessonOutcome &outcome);
    static QString steps(const PlayedLesson &played);
};

} // namespace lockscope::ui
