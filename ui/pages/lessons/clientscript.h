// SPDX-License-Identifier: MIT
#pragma once

#include "playedlesson.h"

#include <QtCore/QCoreApplication>

namespace lockscope::ui {

/// What was played of a lesson as a script for plain clients, one for each session: what to type in which, in this
/// order, and what the server had answered.
class ClientScript
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::ClientScript)
public:
    /// SQL; all else is comments, whatever an answer contains. So is a statement that may reach beyond its schema.
    static QString of(const PlayedLesson &played);

private:
    static QString head(const PlayedLesson &played);
    static QString step(qsizetype number, const LessonStep &step, const LessonOutcome &outcome);
    static QString reason(const QString &sql);
    static QString statement(const QString &sql);
};

} // namespace lockscope::ui
