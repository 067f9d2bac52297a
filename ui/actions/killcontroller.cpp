// SPDX-License-Identifier: MIT
#include "killcontroller.h"

#include "killdialog.h"
#include "killflow.h"
#include "killtext.h"
#include "ui/server/serverconnection.h"
#include "ui/text/commontext.h"
#include "ui/widgets/messagebar.h"
#include "waits/waitsreader.h"

#include <algorithm>
#include <utility>

namespace lockscope::ui {

KillController::KillController(ServerConnection *connection, MessageBar *messages, QWidget *window)
    : QObject(window)
    , m_connection(connection)
    , m_messages(messages)
    , m_window(window)
{
    connection->follow(&WaitsFeed::failed, this, &KillController::onWaitsFailed);
    connect(connection, &ServerConnection::opened, this, &KillController::forget);
}

KillDialog *KillController::dialog() const
{
    return m_dialog;
}

bool KillController::isOpen() const
{
    return m_dialog && m_dialog->isVisible();
}

void KillController::ask(const QList<quint64> &sessions)
{
    if (!m_waits || sessions.isEmpty() || isOpen())
        return;
    auto *flow = new KillFlow(m_connection, sessions, m_waits, m_capabilities);
    if (m_pollError)
        flow->onWaitsFailed(*m_pollError);
    m_dialog = new KillDialog(m_connection, flow, m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(flow, &KillFlow::ordered, this, &KillController::ordered);
    connect(m_dialog, &QDialog::finished, this, [this, flow](int result) { onFinished(flow, result); });
    m_dialog->open();
    track();
}

/// Whoever is to be ended is looked up as long as somebody waits for its end, whatever it holds by then.
void KillController::track()
{
    QSet<quint64> sessions;
    const auto add = [&sessions](const KillFlow &flow) {
        for (const KillPart &part : flow.parts())
            sessions.insert(part.target.session);
    };
    for (const KillFlow *flow : std::as_const(m_left))
        add(*flow);
    if (isOpen())
        add(*m_dialog->flow());
    Q_EMIT tracked(sessions);
}

void KillController::onFinished(KillFlow *flow, int result)
{
    if (result != QDialog::Accepted && flow->isRunning()) {
        flow->disconnect(m_dialog);
        flow->setParent(this);
        m_left.append(flow);
    } else if (flow->hasEndedAny()) {
        reportResult(*flow);
    }
    track();
}

/// Nothing may be sent to another server, and what the one before answers is not heard any more.
void KillController::forget()
{
    m_waits.reset();
    m_pollError.reset();
    m_reported.reset();
    QList<KillFlow *> flows = std::exchange(m_left, {});
    for (KillFlow *flow : std::as_const(flows))
        flow->deleteLater();
    if (isOpen()) {
        m_dialog->disconnect(this); // it closes by itself, with its flow
        flows.append(m_dialog->flow());
    }
    qsizetype unsent = 0;
    qsizetype unanswered = 0;
    QString server;
    for (KillFlow *flow : std::as_const(flows)) {
        flow->disconnect(this);
        if (!flow->isRunning())
            continue;
        server = flow->serverName();
        unsent += flow->unsent();
        unanswered += std::count_if(flow->parts().cbegin(), flow->parts().cend(),
                                    [](const KillPart &part) { return part.isRunning(); });
    }
    if (unsent + unanswered > 0)
        showMessage(
            false,
            tr("Another server was opened while connections of %1 were being ended. Sent without an answer: %2. Not "
               "sent: %3.")
                .arg(server, CommonText::count(unanswered), CommonText::count(unsent)),
            {});
}

void KillController::onWaits(const ServerWaitsPtr &waits, const Capabilities &capabilities)
{
    m_waits = waits;
    m_capabilities = capabilities;
    m_pollError.reset();
    if (isOpen())
        m_dialog->flow()->onWaits(waits, capabilities);
    reportAftermath();
}

void KillController::onWaitsFailed(const LockError &error)
{
    m_pollError = error;
    if (isOpen())
        m_dialog->flow()->onWaitsFailed(error);
}

void KillController::onProgressed(const KillOrder &order, const KillReport &report)
{
    if (isOpen() && m_dialog->flow()->onProgressed(order, report))
        return;
    const auto left = m_left; // an answer may come at once and end one of them
    for (KillFlow *flow : left) {
        if (flow->onProgressed(order, report))
            return;
    }
}

void KillController::onKilled(const KillOrder &order, const KillReport &report)
{
    const QString text = KillText::result(order, report);
    if (isOpen() && m_dialog->flow()->onKilled(order, report)) {
        if (isOpen() && !report.recordError.isEmpty())
            showMessage(false, text, report.recordError); // the dialog says the rest, and this stays when it is closed
        return;
    }
    const auto left = m_left;
    for (KillFlow *flow : left) {
        if (!flow->onKilled(order, report))
            continue;
        if (!flow->isRunning() && m_left.removeOne(flow)) {
            reportResult(*flow);
            flow->deleteLater();
            track();
        }
        return;
    }
}

void KillController::reportResult(const KillFlow &flow)
{
    const auto &parts = flow.parts();
    const auto failed = std::find_if(parts.cbegin(), parts.cend(), [](const KillPart &part) { return !part.isDone(); });
    const bool isGood = failed == parts.cend();
    showMessage(isGood, KillText::result(flow), flow.recordErrors(),
                isGood || !failed->report.error ? QString() : CommonText::serverWords(*failed->report.error));
    m_reported.reset();
    const auto act = flow.recordedEnd();
    if (!act || !flow.recordErrors().isEmpty())
        return;
    Q_EMIT recorded(*act);
    if (isGood && !flow.expected().isEmpty())
        m_reported = {m_messages->text(), flow.expected(), *act,
                      std::chrono::steady_clock::now() + WaitsReader::UntilListsAreNew};
}

/// A forecast is none: what became of those who waited is read from the server.
void KillController::reportAftermath()
{
    if (!m_reported || m_waits->clock.local < m_reported->from)
        return;
    const Reported reported = *std::exchange(m_reported, std::nullopt);
    const auto aftermath = aftermathOf(reported.expected, *m_waits);
    if (!aftermath || m_messages->text() != reported.text)
        return; // something else is said by now
    m_messages->show(aftermath->waiting == 0     ? MessageBar::Level::Good
                         : aftermath->isInVain() ? MessageBar::Level::Warning
                                                 : MessageBar::Level::Info,
                     reported.text + u' ' + KillText::aftermath(*aftermath));
    Q_EMIT recorded(reported.act);
}

void KillController::showMessage(bool isGood, const QString &text, const QString &recordError, const QString &details)
{
    if (recordError.isEmpty())
        m_messages->show(isGood ? MessageBar::Level::Good : MessageBar::Level::Warning, text, details);
    else
        m_messages->show(MessageBar::Level::Warning, text + u' ' + tr("This is not on record."),
                         details.isEmpty() ? recordError : recordError + u'\n' + details);
}

} // namespace lockscope::ui
