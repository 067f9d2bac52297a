// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessonplayer.h"
#include "ui/widgets/keptfocus.h"

#include <QtWidgets/QFrame>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;

namespace lockscope::ui {

class LessonPlayback;

/// Free play: whose statement is next, statements of one's own, faults, and the goals that can be reached so.
class FreePlayBar : public QFrame
{
    Q_OBJECT
public:
    /// `playback` must outlive it.
    explicit FreePlayBar(LessonPlayback *playback, QWidget *parent = nullptr);

    /// Of the sessions, in their order.
    const QList<QPushButton *> &turns() const { return m_turns; }
    QComboBox *session() const { return m_session; }
    QLineEdit *statement() const { return m_statement; }
    QMenu *faults() const { return m_faults; }
    /// What is said of the goals.
    QString goals() const;

Q_SIGNALS:
    /// What was played is to become a lesson of one's own.
    void keepRequested();

private:
    void makeTurns();
    void showTurns();
    void fillFaults();
    void addFault(const QString &session, LessonStep::Kind kind);
    void runStatement();
    void lookAtGoals();
    void askFrom(qsizetype goal);
    void reach(qsizetype goal);
    void showGoals();

    LessonPlayback *m_play;
    QLabel *m_goals;
    QHBoxLayout *m_turnRow;
    QList<QPushButton *> m_turns;
    QMenu *m_faults;
    QPushButton *m_fault;
    QPushButton *m_keep;
    QComboBox *m_session;
    QLineEdit *m_statement;
    QPushButton *m_run;
    KeptFocus m_focus;
    QString m_lessonShown;                ///< whose goals stand here
    QMap<qsizetype, qsizetype> m_reached; ///< by goal: after so many steps
    qsizetype m_asked = 0;                ///< the goal whose query is asked
    qsizetype m_lookedAfter = 0;          ///< so many steps
};

} // namespace lockscope::ui
