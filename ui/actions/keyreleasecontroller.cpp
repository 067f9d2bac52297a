// SPDX-License-Identifier: MIT
#include "keyreleasecontroller.h"

#include "actions/recordedacts.h"
#include "keyreleasedialog.h"
#include "ui/server/furtherservers.h"
#include "ui/server/serverconnection.h"
#include "ui/text/commontext.h"
#include "ui/widgets/messagebar.h"

namespace lockscope::ui {

using namespace Qt::StringLiterals;

KeyReleaseController::KeyReleaseController(ServerConnection *connection, MessageBar *messages, QWidget *window)
    : QObject(window)
    , m_connection(connection)
    , m_messages(messages)
    , m_window(window)
{
    connect(connection, &ServerConnection::keyReleased, this, &KeyReleaseController::onReleased);
}

KeyReleaseDialog *KeyReleaseController::dialog() const
{
    return m_dialog;
}

void KeyReleaseController::ask(const LockRow &lock)
{
    if (m_dialog)
        return;
    m_dialog = new KeyReleaseDialog(m_connection, lock, m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &KeyReleaseDialog::ordered, m_connection, &ServerConnection::releaseKey);
    connect(m_dialog, &KeyReleaseDialog::previewWanted, this,
            [this](const KeyReleaseOrder &order) { m_connection->call(&Monitor::previewKey, order); });
    m_connection->follow(&Monitor::keyPreviewReady, m_dialog.data(), &KeyReleaseDialog::onPreview);
    m_dialog->open();
}

/// With its server, where the list has several.
QString KeyReleaseController::nameOf(const LockKey &key) const
{
    const QString server = m_connection->further()->names().value(key.server);
    const QString name = CommonText::shortened(CommonText::lock(key));
    return server.isEmpty() ? name : name + u" · "_s + server;
}

QString KeyReleaseController::whatIsThere(const KeyReleaseReport &report) const
{
    if (!report.isNowKnown)
        return tr("Who holds it now cannot be read.");
    return report.lockNow ? tr("%1 holds it now.").arg(CommonText::whoInFull(report.lockNow->owner))
                          : tr("It is free.");
}

void KeyReleaseController::onReleased(const KeyReleaseOrder &order, const KeyReleaseReport &report)
{
    const bool isShown = m_dialog && m_dialog->onReleased(order, report);
    const QString name = nameOf(order.key);
    if (report.outcome == ForcedRelease::Outcome::Released) {
        const QString text = tr("Released %1.").arg(name) + u' ' + whatIsThere(report);
        m_messages->show(report.recordError.isEmpty() ? MessageBar::Level::Good : MessageBar::Level::Warning, text,
                         report.recordError);
        if (report.recordError.isEmpty() && order.key.server == 0) // the events are those of the window's own server
            Q_EMIT recorded(recordedAct(recordedTarget(order), order.reason));
        return;
    }
    if (isShown)
        return; // it is told there
    const bool isUnknown = report.error && !report.isRefused && report.error->kind == LockError::Kind::ConnectionLost;
    const QString failed =
        isUnknown ? tr("It is not known whether %1 was released. %2") : tr("%1 was not released. %2");
    if (report.error)
        m_messages->show(MessageBar::Level::Error, failed.arg(name, report.error->message),
                         CommonText::serverWords(*report.error));
    else
        m_messages->show(MessageBar::Level::Warning,
                         tr("%1 has changed since it was shown. Nothing was done.").arg(name));
}

} // namespace lockscope::ui
