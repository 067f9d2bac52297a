// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessonfile.h"

namespace lockscope::ui {

/// Files that were opened as lessons of one's own. Which ones is kept in the settings, what is in them is not: each
/// reading is of the file as it is now.
class LessonFiles
{
public:
    /// Whole paths, in the order in which they were opened.
    static QStringList paths();
    /// As it is kept.
    static QString add(const QString &path);
    static void remove(const QString &path);
    /// As `lockctl lesson check` reads it.
    static LessonFile read(const QString &path);
    static bool isGone(const QString &path);
};

} // namespace lockscope::ui
