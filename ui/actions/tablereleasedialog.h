// SPDX-License-Identifier: MIT
#pragma once

#include "actiondialog.h"
#include "actions/tablerelease.h"
#include "locktables/tablereader.h"

class QCheckBox;

namespace lockscope::ui {

/// Frees a lock in another program's table as that program would, after showing what is sent: its WHERE repeats all
/// that was shown of the row, which is looked up again while the dialog is open. A production server's name is typed;
/// where the table may be any program's, a person says that it is not.
class TableReleaseDialog : public ActionDialog
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive the dialog.
    TableReleaseDialog(ServerConnection *connection, const TableLock &lock, QWidget *parent = nullptr);

    void onTables(const TableLocksPtr &tables);
    void onPreview(const TableReleaseOrder &order, const QString &why, const std::optional<LockError> &error);
    /// False: it is not its own.
    bool onReleased(const TableReleaseOrder &order, const TableReleaseReport &report);

    QCheckBox *programCheck() const { return m_isProgram; }

Q_SIGNALS:
    /// Answered through onPreview.
    void previewWanted(const lockscope::TableReleaseOrder &order);
    /// To be sent; answered through onReleased.
    void ordered(const lockscope::TableReleaseOrder &order);

private:
    /// How the row is found.
    enum class Target { AsShown, Changed, Gone };

    bool isInFlight() const override { return m_sent.has_value(); }
    void setupWords();
    TableReleaseOrder order() const;
    /// Why it cannot be sent now, as a sentence; empty: it can.
    QString objection() const;
    void act();
    void ask();
    void retarget();
    void showAll();
    void showSummary();
    void showMessage();
    void showError(const LockError &error, const QString &fate = {});
    void showOutcome();
    void showUnknown();

    TableLock m_lock;
    TableLock m_now; ///< of a row that changed
    Target m_target = Target::AsShown;
    bool m_isAllowed = false;                ///< the server was asked, and nothing is against it
    QString m_whyNot;                        ///< what the server has against it
    std::optional<LockError> m_error;        ///< of the last question
    std::optional<TableReleaseOrder> m_sent; ///< and not answered
    std::optional<TableReleaseReport> m_report;
    QLabel *m_summary;
    Line m_warning;
    QCheckBox *m_isProgram;
};

} // namespace lockscope::ui
