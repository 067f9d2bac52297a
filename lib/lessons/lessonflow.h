// SPDX-License-Identifier: MIT
// Whether a lesson's expectations can be true one after the other, at every place where it runs.
#pragma once

#include "lessonreader.h"

namespace lockscope {

/// The first that cannot: a session that waits and is sent a statement, one that is freed and did not wait, …
std::optional<LessonFault> checkFlow(const Lesson &lesson);

} // namespace lockscope
