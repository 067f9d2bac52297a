// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessonscript.h"

#include <QtWidgets/QTextBrowser>

namespace lockscope::ui {

/// What a lesson says where it is: the introduction, what it says before a step, the end.
class LessonProse : public QTextBrowser
{
    Q_OBJECT
public:
    explicit LessonProse(QWidget *parent = nullptr);

    /// What it says, or has said last, before the step that comes next, or before an earlier one that is looked at.
    /// Words that stand there already stay as they are scrolled.
    void show(const Lesson &lesson, const LessonScript &script, std::optional<qsizetype> looked);
    /// The same words begin at their top.
    void forget() { m_shown.clear(); }

    /// Nothing: a lesson of a stranger's could name any file or device of this machine.
    QVariant loadResource(int type, const QUrl &name) override;

Q_SIGNALS:
    /// Another lesson, by its name.
    void lessonRequested(const QString &id);

private:
    QString m_shown; ///< Markdown
};

} // namespace lockscope::ui
