// SPDX-License-Identifier: MIT
// Lessons and their runs as the terminal shows them, and as JSON.
#pragma once

#include "lessons/lessonrun.h"

#include <QtCore/QJsonObject>

namespace lockscope::ctl {

/// "6. B: UPDATE …", before it is played.
QString stepText(const LessonStep &step, int number);
/// What came of it, what was expected where that differs, and the locks after it.
QString resultText(const LessonOutcome &expected, const LessonStepResult &result, const LessonRun &run);
/// The question and its choices, from a) on.
QString questionText(const LessonQuestion &question);
/// What a run has left on its server, and what is to be done; one line.
QString remainsText(const LessonRemains &remains);
/// "11 steps, 1 question, 2 claims": what a file was read as.
QString lessonContents(const Lesson &lesson);
/// One line of `lesson list`.
QStringList lessonLine(const Lesson &lesson);

/// What the head says.
QJsonObject lessonToJson(const Lesson &lesson);
QJsonObject stepToJson(const LessonStep &step, int number, const LessonOutcome &expected,
                       const LessonStepResult &result, const LessonRun &run);

QJsonObject remainsToJson(const LessonRemains &remains);

} // namespace lockscope::ctl
