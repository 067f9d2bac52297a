// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/keptfocus.h"

class QPushButton;

namespace lockscope::ui {

class LessonAutoPlay;

/// The buttons that play a lesson, in as many rows as large type takes.
class LessonTransport : public QWidget
{
    Q_OBJECT
public:
    explicit LessonTransport(QWidget *parent = nullptr);

    /// What can be done now.
    struct Offer
    {
        bool next = false;
        bool back = false;
        bool startOver = false;
        bool autoPlay = false;
    };
    void offer(const Offer &offer);

    QPushButton *nextButton() const { return m_next; }
    QPushButton *backButton() const { return m_back; }
    LessonAutoPlay *autoPlay() const { return m_auto; }
    /// These stay pressed.
    QPushButton *freeButton() const { return m_free; }
    QPushButton *exerciseButton() const { return m_exercise; }

Q_SIGNALS:
    /// By its button, or by itself.
    void nextWanted();
    void backWanted();
    void startOverWanted();

private:
    QPushButton *m_back;
    QPushButton *m_next;
    LessonAutoPlay *m_auto;
    QPushButton *m_again;
    QPushButton *m_free;
    QPushButton *m_exercise;
    KeptFocus m_focus;
};

} // namespace lockscope::ui
