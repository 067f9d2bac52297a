// SPDX-License-Identifier: MIT
// The front matter of a lesson's file: YAML between two lines of three dashes.
#pragma once

#include "lessonreader.h"

namespace lockscope {

/// A lesson that has its head alone; `*firstLine` is that of the text behind it.
std::variant<Lesson, LessonFault> readLessonHead(const QByteArray &file, const QString &id, int *firstLine);

} // namespace lockscope
