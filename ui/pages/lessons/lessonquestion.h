// SPDX-License-Identifier: MIT
#pragma once

#include "lessonscore.h"

#include <QtWidgets/QFrame>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lockscope::ui {

/// A question that is asked before a step: its choices as buttons, and once one was taken, which is right and why. The
/// answers of all questions are kept (LessonScore).
class LessonQuestionBox : public QFrame
{
    Q_OBJECT
public:
    explicit LessonQuestionBox(QWidget *parent = nullptr);

    /// `asked` is by what its answer is kept.
    void ask(const LessonScore::Question &asked, const LessonQuestion &question);
    /// Nothing is asked.
    void clear();
    /// One was asked, and none of its choices was taken yet.
    bool isOpen() const { return m_isOpen; }
    /// What is said of the choice that was taken; empty before.
    QString because() const;
    QList<QPushButton *> choices() const { return m_choices; }

Q_SIGNALS:
    void answered(bool isRight);

private:
    void take(int choice);

    LessonScore::Question m_asked;
    LessonQuestion m_question;
    QLabel *m_text;
    QVBoxLayout *m_buttons;
    QLabel *m_because;
    QList<QPushButton *> m_choices;
    bool m_isOpen = false;
};

} // namespace lockscope::ui
