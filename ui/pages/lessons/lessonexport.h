// SPDX-License-Identifier: MIT
// What was played of a lesson, to take home.
#pragma once

#include "playedlesson.h"

#include <QtCore/QStringList>

class QPalette;

namespace lockscope::ui {

/// "md" and "html" to read, "svg" and "png" (the time line) for slides, "sql" to type into plain clients.
QStringList lessonFormats();
/// In one of them; pictures in these colours, but HTML is for paper too.
QByteArray exportedLesson(const PlayedLesson &played, const QString &format, const QPalette &palette);

} // namespace lockscope::ui
