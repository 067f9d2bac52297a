// SPDX-License-Identifier: MIT
#pragma once

#include "actiondialog.h"
#include "actions/preparedend.h"

class QComboBox;
class QRadioButton;

namespace lockscope::ui {

/// Ends a prepared transaction that no session has, after showing who goes on. Neither fate is chosen beforehand: only
/// its coordinator knows which. A production server's name is typed.
class PreparedDialog : public ActionDialog
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive the dialog. `number` is what stands for it in `waits`.
    PreparedDialog(ServerConnection *connection, quint64 number, const ServerWaitsPtr &waits, Family family,
                   QWidget *parent = nullptr);

    void onWaits(const ServerWaitsPtr &waits);
    /// False: it is not its own.
    bool onEnded(const PreparedOrder &order, const PreparedReport &report);
    /// Who was expected to go on when it was sent.
    const WaitForecast &expected() const { return m_expected; }

    QRadioButton *commitChoice() const { return m_commit; }
    QRadioButton *rollbackChoice() const { return m_rollback; }
    QComboBox *xidChoice() const { return m_xids; }

Q_SIGNALS:
    /// To be sent; answered through onEnded.
    void ordered(const lockscope::PreparedOrder &order);

private:
    bool isInFlight() const override { return m_sent.has_value(); }
    void setupWords(const PreparedTransaction &prepared);
    void setNames(const QList<Xid> &xids);
    PreparedOrder order() const;
    /// Which one, and what becomes of it.
    bool isChosen() const;
    bool canAct() const;
    void act();
    void showAll();
    void showMeaning(const PreparedTransaction *prepared);

    const quint64 m_number;
    const Family m_family;
    ServerWaitsPtr m_waits;
    QList<Xid> m_names;
    std::optional<PreparedOrder> m_sent; ///< and not answered
    std::optional<PreparedReport> m_report;
    WaitForecast m_expected;
    QLabel *m_who;
    QComboBox *m_xids;
    QRadioButton *m_commit;
    QRadioButton *m_rollback;
    Line m_goesOn;
    Line m_warning;
};

} // namespace lockscope::ui
