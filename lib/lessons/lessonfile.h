// SPDX-License-Identifier: MIT
// Lessons that are not of the library.
#pragma once

#include "lessonreader.h"

namespace lockscope {

/// A file as it was when it was read.
struct LessonFile
{
    QString path;
    QByteArray source = {}; ///< empty when it could not be read
    std::variant<Lesson, LessonFault> lesson = {};

    /// Null: it is right.
    const LessonFault *fault() const { return std::get_if<LessonFault>(&lesson); }
};

/// What is wrong with it is told, also that it cannot be read. `scenarios` and `modes` are those of the lab, which are
/// not known where lessons are read: one that names another is wrong too.
LessonFile readLessonFile(const QString &path, const QStringList &scenarios, const QStringList &modes);

} // namespace lockscope
