// SPDX-License-Identifier: MIT
#include "preparedcontroller.h"

#include "actions/killaftermath.h"
#include "actions/recordedacts.h"
#include "killtext.h"
#include "prepareddialog.h"
#include "ui/server/serverconnection.h"
#include "ui/text/commontext.h"
#include "ui/widgets/messagebar.h"
#include "waits/waitsreader.h"

#include <utility>

namespace lockscope::ui {

PreparedController::PreparedController(ServerConnection *connection, MessageBar *messages, QWidget *window)
    : QObject(window)
    , m_connection(connection)
    , m_messages(messages)
    , m_window(window)
{
    connect(connection, &ServerConnection::opened, this, &PreparedController::forget);
}

PreparedDialog *PreparedController::dialog() const
{
    return m_dialog;
}

void PreparedController::ask(quint64 number)
{
    if (!m_waits || !m_waits->preparedTransaction(number) || m_dialog)
        return;
    m_dialog = new PreparedDialog(m_connection, number, m_waits, m_family, m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &PreparedDialog::ordered, this, [this](const PreparedOrder &order) {
        m_expected = m_dialog->expected();
        Q_EMIT ordered(order);
    });
    m_dialog->open();
}

void PreparedController::forget()
{
    m_waits.reset();
    m_told.reset();
}

void PreparedController::onWaits(const ServerWaitsPtr &waits, const Capabilities &capabilities)
{
    m_waits = waits;
    m_family = capabilities.family;
    if (m_dialog)
        m_dialog->onWaits(waits);
    if (!m_told || waits->clock.local < m_told->from)
        return;
    const Told told = *std::exchange(m_told, std::nullopt);
    const auto aftermath = aftermathOf(told.expected, *waits);
    if (!aftermath || m_messages->text() != told.text) // something else is said by now
        return;
    m_messages->show(aftermath->waiting == 0     ? MessageBar::Level::Good
                         : aftermath->isInVain() ? MessageBar::Level::Warning
                                                 : MessageBar::Level::Info,
                     told.text + QLatin1Char(' ') + KillText::aftermath(*aftermath));
    Q_EMIT recorded(told.act);
}

void PreparedController::onEnded(const PreparedOrder &order, const PreparedReport &report)
{
    const bool isShown = m_dialog && m_dialog->onEnded(order, report);
    const QString command = QString::fromLatin1(preparedCommand(order));
    if (report.outcome == PreparedReport::Outcome::Ended) {
        const QString text = tr("%1 is done, according to the server.").arg(CommonText::shortened(command));
        m_messages->show(report.recordError.isEmpty() ? MessageBar::Level::Good : MessageBar::Level::Warning, text,
                         report.recordError);
        const AuditEntry act = recordedAct(recordedTarget(order), order.reason);
        if (!m_expected.isEmpty() && report.recordError.isEmpty())
            m_told = {m_messages->text(), m_expected, std::chrono::steady_clock::now() + WaitsReader::UntilListsAreNew,
                      act};
        if (report.recordError.isEmpty())
            Q_EMIT recorded(act);
    } else if (!isShown) {
        const QString text =
            report.mayBeDone() ? tr("It is not known whether %1 was done; it may have been.") : tr("%1 was not done.");
        m_messages->show(MessageBar::Level::Warning, text.arg(CommonText::shortened(command)),
                         report.error ? report.error->message : QString());
    }
}

} // namespace lockscope::ui
