// SPDX-License-Identifier: MIT
#pragma once

#include "lessonsessions.h"
#include "waits/waitsreader.h"

#include <QtCore/QMap>

namespace lockscope {

/// By session, what each is blocked on.
using LessonWaits = QMap<QString, LessonAnswer>;

/// Of those that are asked, who waits by the server's word.
LessonWaits lessonWaits(const ServerWaits &seen, const LessonSessions &sessions);

} // namespace lockscope
