// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessontrial.h"
#include "ui/widgets/keptfocus.h"

#include <QtWidgets/QFrame>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace lockscope::ui {

/// A task: one statement of the lesson is to be written better. What is written is run through the whole lesson, at
/// each isolation level, in its order and with the sessions the other way round.
class LessonExerciseBox : public QFrame
{
    Q_OBJECT
public:
    explicit LessonExerciseBox(std::function<LessonPlayer::FindServer()> findServer, QWidget *parent = nullptr);

    /// The lesson's first exercise; hides itself where it has none.
    void setLesson(const Lesson &lesson);
    QPlainTextEdit *statement() const { return m_statement; }
    QPushButton *tryButton() const { return m_try; }
    QPushButton *solutionButton() const { return m_solution; }
    /// What came of it.
    QString verdict() const;
    bool isRunning() const { return m_trial->isRunning(); }

Q_SIGNALS:
    /// A run, this one or one before it, has left this on its server.
    void leftBehind(const lockscope::LessonRemains &remains);

private:
    void show(qsizetype exercise);
    void run();
    void showTries();
    QString lineOf(const LessonTrial::Try &one) const;

    const std::function<LessonPlayer::FindServer()> m_findServer;
    LessonTrial *m_trial;
    Lesson m_lesson;
    qsizetype m_number = 0;
    QLabel *m_text;
    QPlainTextEdit *m_statement;
    QPushButton *m_try;
    QPushButton *m_solution;
    QPushButton *m_other;
    QLabel *m_verdict;
    KeptFocus m_focus;
};

} // namespace lockscope::ui
