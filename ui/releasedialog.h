#pragma once

#include <QtWidgets/QDialog>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace lockscope {
struct LockRow;
}

namespace lockscope::ui {

class MessageBar;
class ReleaseFlow;
class ServerLink;

/// Ends somebody else's lease after showing what that means: who holds it, who gets it, the exact statement. Cancel has
/// the focus; nothing happens without a reason, and nothing when the lock changed hands meanwhile.
class ReleaseDialog : public QDialog
{
    Q_OBJECT
public:
    /// `link` is not owned and must outlive the dialog.
    ReleaseDialog(ServerLink *link, const LockRow &lock, QWidget *parent = nullptr);

    ReleaseFlow *flow() const { return m_flow; }
    QLineEdit *reasonEdit() const { return m_reason; }
    QPushButton *releaseButton() const { return m_act; }
    QPushButton *cancelButton() const { return m_cancel; }

protected:
    void showEvent(QShowEvent *event) override;

private:
    void setupForm();
    void setupButtons();
    void showFlow();
    void showWords();
    void showMessage();
    void fitHeight();
    QString nextWords() const;

    ServerLink *m_link;
    ReleaseFlow *m_flow;
    MessageBar *m_message;
    QLabel *m_headline;
    QLabel *m_holder;
    QLabel *m_sessionMark;
    QLabel *m_session;
    QLabel *m_next;
    QLabel *m_production;
    QPlainTextEdit *m_statement;
    QPushButton *m_copy;
    QLineEdit *m_reason;
    QPushButton *m_retarget;
    QPushButton *m_cancel;
    QPushButton *m_act;
};

} // namespace lockscope::ui
