// SPDX-License-Identifier: MIT
// Reads a lesson's file, and refuses a faulty one with line and reason. sql/lessons/README.md has the format.
#pragma once

#include "lesson.h"

#include <QtCore/QByteArray>

#include <variant>

namespace lockscope {

struct LessonFault
{
    int line = 0; ///< counted from 1; 0: of the whole file
    QString reason;
};

/// Larger ones are refused.
constexpr qsizetype kMaxLessonBytes = qsizetype(256) * 1024;

/// `id` is the file's name without its ending; the file must have the same.
std::variant<Lesson, LessonFault> readLesson(const QByteArray &file, const QString &id);

} // namespace lockscope
