// SPDX-License-Identifier: MIT
#pragma once

#include "actiondialog.h"

namespace lockscope {
struct LockRow;
}

namespace lockscope::ui {

class ReleaseFlow;
struct ServerProfile;

/// Ends somebody else's lease after showing what that means: who holds it, who gets it, the exact statement. Nothing
/// happens without a reason, and nothing when the lock changed hands meanwhile.
class ReleaseDialog : public ActionDialog
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive the dialog.
    ReleaseDialog(ServerConnection *connection, const LockRow &lock, QWidget *parent = nullptr);

    /// What of such a server is said below the statement, and how high that is; whether it is a sentence and no text of
    /// a program's.
    static QString hintFor(const ServerProfile &server);
    static int linesFor(const ServerProfile &server);
    static bool isSentence(const ServerProfile &server);

    ReleaseFlow *flow() const { return m_flow; }

private:
    bool isInFlight() const override;
    void showFlow();
    void showWords();
    void showMessage();
    QString nextWords() const;
    QString storeWords() const;

    ReleaseFlow *m_flow;
    QLabel *m_holder;
    Line m_session;
    QLabel *m_next;
};

} // namespace lockscope::ui
