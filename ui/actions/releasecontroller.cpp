// SPDX-License-Identifier: MIT
#include "releasecontroller.h"

#include "actions/recordedacts.h"
#include "releasedialog.h"
#include "releaseflow.h"
#include "ui/server/furtherservers.h"
#include "ui/server/serverconnection.h"
#include "ui/text/commontext.h"
#include "ui/widgets/messagebar.h"

#include <utility>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

ReleaseController::ReleaseController(ServerConnection *connection, MessageBar *messages, QWidget *window)
    : QObject(window)
    , m_connection(connection)
    , m_messages(messages)
    , m_window(window)
{
    connect(connection, &ServerConnection::released, this, &ReleaseController::onReleased);
    connect(connection, &ServerConnection::opened, this, &ReleaseController::forget);
}

void ReleaseController::ask(const LockRow &lock)
{
    m_server = m_connection->profileOf(lock.key).fullName();
    m_dialog = new ReleaseDialog(m_connection, lock, m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    const ReleaseFlow *flow = m_dialog->flow();
    connect(flow, &ReleaseFlow::changed, this, [this, flow] {
        if (flow->step() == ReleaseFlow::Step::Acting)
            m_awaited.append(flow->target().key);
    });
    m_dialog->open();
}

/// With its server, where the list has several.
QString ReleaseController::nameOf(const LockKey &key) const
{
    const QString server = m_connection->further()->names().value(key.server);
    const QString name = CommonText::lock(key);
    return server.isEmpty() ? name : name + u" · "_s + server;
}

/// What the server before answers is not heard any more.
void ReleaseController::forget()
{
    QStringList names;
    for (const LockKey &key : std::exchange(m_awaited, {}))
        names += CommonText::lock(key);
    if (!names.isEmpty())
        m_messages->show(
            MessageBar::Level::Warning,
            tr("Another server was opened while locks of %1 were being released. Sent without an answer: %2.")
                .arg(m_server, names.join(u", ")));
}

void ReleaseController::onReleased(const ReleaseOrder &order, const ReleaseReport &report)
{
    m_awaited.removeOne(order.key);
    if (report.outcome != ReleaseReport::Outcome::Released) {
        reportFailed(order, report);
        return;
    }
    QString text = tr("Released %1 (token %2).").arg(nameOf(order.key), CommonText::token(order.token));
    if (!report.isNextNotified) // the row names it, but it does not work under the lock yet
        text += u' '
            + tr("The next waiter could not be woken and will notice by itself soon. Waking it needs CONNECTION "
                 "ADMIN.");
    else if (report.lockNow)
        text += u' '
            + tr("%1 holds it now, with token %2.")
                  .arg(CommonText::whoInFull(report.lockNow->owner), CommonText::token(report.lockNow->token));
    else
        text += u' ' + tr("It is free.");
    m_messages->show(report.recordError.isEmpty() ? MessageBar::Level::Good : MessageBar::Level::Warning, text,
                     report.recordError);
    if (report.recordError.isEmpty() && order.key.server == 0) // the events are those of the window's own server
        Q_EMIT recorded(recordedAct(recordedTarget(order), order.reason));
}

void ReleaseController::reportFailed(const ReleaseOrder &order, const ReleaseReport &report)
{
    if (m_dialog && m_dialog->isVisible() && m_dialog->flow()->awaits(order))
        return; // it is told there
    const bool isUnknown = report.error && report.error->kind == LockError::Kind::ConnectionLost;
    const QString failed =
        isUnknown ? tr("It is not known whether %1 was released. %2") : tr("%1 was not released. %2");
    if (report.error)
        m_messages->show(MessageBar::Level::Error, failed.arg(nameOf(order.key), report.error->message),
                         CommonText::serverWords(*report.error));
    else
        m_messages->show(MessageBar::Level::Warning, tr("%1 changed hands. Nothing was done.").arg(nameOf(order.key)));
}

} // namespace lockscope::ui
