// SPDX-License-Identifier: MIT
// Expectations as a lesson's file writes them: "blocks on A | rc: ok 1", "ok; unblocks B: error 1062".
#pragma once

#include "lesson.h"

namespace lockscope {

/// None, and `*reason` set, for anything that is no expectation.
std::optional<LessonExpectation> lessonExpectation(const QString &text, QString *reason);

/// For reading the first rows of an answer are told, for a file all.
enum class RowsTold { First, All };

/// "ok 1 id 3", "rows (1, phone)", "blocks on A (row)", "error 1213".
QString toString(const LessonAnswer &answer, RowsTold rows = RowsTold::First);
/// "ok; unblocks B: error 1062".
QString toString(const LessonOutcome &outcome, RowsTold rows = RowsTold::First);
QString toString(const LessonExpectation &expectation);

/// Whether that came which was expected.
bool agrees(const LessonAnswer &expected, const LessonAnswer &seen);
bool agrees(const LessonOutcome &expected, const LessonOutcome &seen);

/// One or two capital letters and digits behind them.
bool isLessonSession(const QString &name);

} // namespace lockscope
