// SPDX-License-Identifier: MIT
#pragma once

#include "lessonplayer.h"

namespace lockscope {

/// A lesson's file of what was played, in the order in which it was, with what the server did as what is expected of
/// it: to be kept, edited and played again. `id` is the file's name without its ending. It runs where `place` is.
QByteArray recordedLesson(const Lesson &lesson, const LessonPlace &place, const QList<LessonMoment> &moments,
                          const QString &id);

} // namespace lockscope
