// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessonplayer.h"

namespace lockscope::ui {

/// A lesson and what was played of it, in whichever order, with whatever else was done.
struct PlayedLesson
{
    Lesson lesson;
    LessonPlace place;
    QStringList sessions; ///< in the order of their lanes and colours
    QList<LessonMoment> moments;
};

} // namespace lockscope::ui
