// SPDX-License-Identifier: MIT
#pragma once

#include "actiondialog.h"
#include "actions/keyrelease.h"

#include <QtCore/QTimer>

class QCheckBox;
class QComboBox;

namespace lockscope::ui {

/// Ends what somebody holds in another program's key or node as that program would, after showing what that means and
/// exactly what is sent. It is looked up every second while the dialog is open, and ended only while it is what was
/// shown: what has changed is confirmed anew, and of several holds none takes the place of another. A production
/// server's name is typed; that another process is to become the leader is said by a person.
class KeyReleaseDialog : public ActionDialog
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive the dialog. `lock` has a KeyLock.
    KeyReleaseDialog(ServerConnection *connection, const LockRow &lock, QWidget *parent = nullptr);

    void onPreview(const KeyReleaseOrder &order, const KeyReleasePreview &preview,
                   const std::optional<LockError> &error);
    /// False: it is not its own.
    bool onReleased(const KeyReleaseOrder &order, const KeyReleaseReport &report);

    QCheckBox *leaderCheck() const { return m_isLeaderMeant; }
    QComboBox *holders() const { return m_holders; }
    QPushButton *retargetButton() const { return m_retarget; }

Q_SIGNALS:
    /// Answered through onPreview.
    void previewWanted(const lockscope::KeyReleaseOrder &order);
    /// To be sent; answered through onReleased.
    void ordered(const lockscope::KeyReleaseOrder &order);

private:
    /// How the lock is found.
    enum class Target { Unseen, AsShown, Changed, Gone };

    bool isInFlight() const override { return m_sent.has_value(); }
    void setupWords();
    void listHolders();
    const KeyLock &keyLock() const { return *m_lock.keyLock; }
    KeyReleaseOrder order() const;
    /// Of a hold that is not as it was shown any more, by what is there now.
    Target targetIn(const std::optional<LockRow> &now) const;
    /// Why it cannot be sent now, as a sentence; empty: it can.
    QString objection() const;
    void act();
    void look();
    void retarget();
    void showAll();
    void showWords();
    void showMessage();
    QString goneWords() const;
    QString changeWords() const;
    void showOutcome();
    QString nextWords() const;

    LockRow m_lock;
    std::optional<LockRow> m_now; ///< of one that changed
    KeyHolder m_holder;           ///< the hold that is meant, as it was shown
    QList<KeyHolder> m_listed;    ///< to choose from; kept while the list is open
    Target m_target = Target::Unseen;
    std::optional<LockError> m_error;      ///< of the last question
    std::optional<KeyReleaseOrder> m_sent; ///< and not answered
    std::optional<KeyReleaseReport> m_report;
    QTimer m_lookAgain;
    bool m_isLooking = false; ///< asked and not answered
    QLabel *m_summary;
    QComboBox *m_holders;
    Line m_warning;
    QLabel *m_next;
    QCheckBox *m_isLeaderMeant;
};

} // namespace lockscope::ui
