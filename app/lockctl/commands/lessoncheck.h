// SPDX-License-Identifier: MIT
#pragma once

#include "globals.h"
#include "lessons/lessonreader.h"

#include <functional>

namespace lockscope::ctl {

/// `lesson check --play`: tries all that these lessons say, and tells what does not come true: the lesson's name, and
/// where. Returns an exit code.
int tryLessons(const Globals &globals, const QList<std::pair<QString, Lesson>> &lessons, bool isAgreed,
               const std::function<void(const QString &name, const LessonFault &fault)> &tell);

} // namespace lockscope::ctl
