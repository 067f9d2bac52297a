// SPDX-License-Identifier: MIT
// Lessons and their runs as the terminal shows them.
#pragma once

#include "lessons/lessonrun.h"

namespace lockscope::ctl {

/// What was expected of a step and what came, over one line each where they differ.
QString stepText(const LessonStep &step, const LessonOutcome &expected, const LessonStepResult &result,
                 const LessonRun &run, int number);
/// One line of `lesson list`.
QStringList lessonLine(const Lesson &lesson);

} // namespace lockscope::ctl
