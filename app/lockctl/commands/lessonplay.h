// SPDX-License-Identifier: MIT
#pragma once

#include "globals.h"
#include "lessons/lesson.h"

#include <optional>

namespace lockscope::ctl {

struct LessonPlayOptions
{
    std::optional<LessonIsolation> isolation; ///< none: each that a lesson names
    bool isAuto = false;                      ///< without stopping before each step
    bool isAgreed = false;                    ///< --yes
};

/// `lesson run`: plays them one after the other, and says where they differ from their files. Step by step where there
/// is a person at a terminal.
int playLessons(const Globals &globals, const QList<Lesson> &lessons, const LessonPlayOptions &options);

} // namespace lockscope::ctl
