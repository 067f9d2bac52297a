// SPDX-License-Identifier: MIT
#include "tablereleasecontroller.h"

#include "actions/recordedacts.h"
#include "tablereleasedialog.h"
#include "ui/server/serverconnection.h"
#include "ui/text/commontext.h"
#include "ui/text/tablelocktext.h"
#include "ui/widgets/messagebar.h"

namespace lockscope::ui {

TableReleaseController::TableReleaseController(ServerConnection *connection, MessageBar *messages, QWidget *window)
    : QObject(window)
    , m_connection(connection)
    , m_messages(messages)
    , m_window(window)
{
    connect(connection, &ServerConnection::tableReleased, this, &TableReleaseController::onReleased);
}

TableReleaseDialog *TableReleaseController::dialog() const
{
    return m_dialog;
}

void TableReleaseController::ask(const TableLock &lock)
{
    if (m_dialog)
        return;
    m_dialog = new TableReleaseDialog(m_connection, lock, m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &TableReleaseDialog::ordered, m_connection, &ServerConnection::releaseTable);
    connect(m_connection, &ServerConnection::opened, m_dialog, &QDialog::reject); // it is not that server's
    const auto preview = [this](const TableReleaseOrder &order) { m_connection->call(&TablesFeed::preview, order); };
    connect(m_dialog, &TableReleaseDialog::previewWanted, this, preview);
    m_connection->follow(&TablesFeed::updated, m_dialog.data(), &TableReleaseDialog::onTables);
    m_connection->follow(&TablesFeed::previewReady, m_dialog.data(), &TableReleaseDialog::onPreview);
    preview({lock, {}, {}, {}});
    m_dialog->open();
}

void TableReleaseController::onReleased(const TableReleaseOrder &order, const TableReleaseReport &report)
{
    const bool isShown = m_dialog && m_dialog->onReleased(order, report);
    const QString name = CommonText::shortened(CommonText::resource(order.lock.fullName()));
    if (report.outcome == TableReleaseReport::Outcome::Released) {
        const bool isGone = order.lock.table.profile.release.way == ProfileRelease::Way::Delete;
        m_messages->show(
            report.recordError.isEmpty() ? MessageBar::Level::Good : MessageBar::Level::Warning,
            (isGone ? tr("Released %1: its row is gone.") : tr("Released %1: its row says that it is free.")).arg(name),
            report.recordError);
        if (report.recordError.isEmpty())
            Q_EMIT recorded(recordedAct(recordedTarget(order), order.reason));
        return;
    }
    if (isShown)
        return; // it is told there
    const QString failed =
        report.mayBeDone ? tr("It is not known whether %1 was released. %2") : tr("%1 was not released. %2");
    const QString why = report.error ? report.error->message : TableLockText::outcome(report);
    m_messages->show(MessageBar::Level::Warning, failed.arg(name, why),
                     report.error ? CommonText::serverWords(*report.error) : QString());
}

} // namespace lockscope::ui
