// SPDX-License-Identifier: MIT
#pragma once

#include "actiondialog.h"

class QProgressBar;
class QRadioButton;

namespace lockscope::ui {

class KillFlow;
class MutedLabel;

/// Ends connections, or only their statements, after showing what that means: who goes on, who does not, what is
/// undone, the exact statement. Follows each look; nothing happens to a session that is at other work by then. Several
/// at once want the server's name typed.
class KillDialog : public ActionDialog
{
    Q_OBJECT
public:
    /// Takes `flow`. `connection` is not owned and must outlive the dialog.
    KillDialog(ServerConnection *connection, KillFlow *flow, QWidget *parent = nullptr);

    KillFlow *flow() const { return m_flow; }
    QRadioButton *connectionChoice() const { return m_connectionChoice; }
    QRadioButton *queryChoice() const { return m_query; }
    QPushButton *retargetButton() const { return m_retarget; }

private:
    bool isInFlight() const override;
    void setupWords();
    static void setLine(const Line &line, const QString &text);
    void showFlow();
    void showChoice();
    void showMeaning();
    void showRunning();
    QString whenOpen(const QString &text) const;
    void showMessage();
    void showPoll();
    void showProgress();

    KillFlow *m_flow;
    QLabel *m_who;
    QLabel *m_statementNow;
    QRadioButton *m_connectionChoice;
    QRadioButton *m_query;
    MutedLabel *m_queryRefusal;
    Line m_goesOn;
    Line m_stays;
    Line m_deadlocks;
    Line m_loss;
    Line m_locks;
    Line m_server;
    QProgressBar *m_progress;
};

} // namespace lockscope::ui
