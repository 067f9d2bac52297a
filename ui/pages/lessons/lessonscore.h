// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lesson.h"

#include <QtCore/QCoreApplication>

namespace lockscope::ui {

/// What was answered to the questions of lessons, kept in the settings: by topic, and which comes again because its
/// last answer was wrong.
class LessonScore
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::LessonScore)
public:
    struct Question
    {
        QString lesson;       ///< its name, or the path of a file of one's own
        qsizetype number = 0; ///< index among the lesson's

        bool operator==(const Question &) const = default;
    };

    static void keep(const Question &question, const QString &topic, bool isRight);
    /// "7 of 9 foreseen"; empty while nothing was answered.
    static QString total();
    /// A line a topic: "lost update: 3 of 4".
    static QStringList byTopic();
    /// Those that were answered wrong, that of the longest time ago first.
    static QList<Question> again();
    /// It is no question any more.
    static void forget(const Question &question);
};

} // namespace lockscope::ui
