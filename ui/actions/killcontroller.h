// SPDX-License-Identifier: MIT
#pragma once

#include "console/auditfile.h"
#include "feeds/waitsfeed.h"

#include <QtCore/QPointer>

class QWidget;

namespace lockscope::ui {

class KillDialog;
class KillFlow;
class MessageBar;
class ServerConnection;

/// Where ending sessions is asked for: opens the dialog, passes on to it what the connection hears, and tells the
/// result. What was confirmed is carried to its end even if the dialog is closed.
class KillController : public QObject
{
    Q_OBJECT
public:
    /// `connection` and `messages`, where results are said, are not owned. Dialogs belong to `window`.
    KillController(ServerConnection *connection, MessageBar *messages, QWidget *window);

    /// Null when none is open.
    KillDialog *dialog() const;
    /// What a closed dialog began goes on.
    bool isRunning() const { return !m_left.isEmpty(); }

public Q_SLOTS:
    void ask(const QList<quint64> &sessions);
    void onWaits(const lockscope::ServerWaitsPtr &waits, const lockscope::Capabilities &capabilities);
    void onProgressed(const lockscope::KillOrder &order, const lockscope::KillReport &report);
    void onKilled(const lockscope::KillOrder &order, const lockscope::KillReport &report);

Q_SIGNALS:
    /// To be sent; answered through onProgressed and onKilled.
    void ordered(const lockscope::KillOrder &order);
    /// To be looked up from now on, whatever they hold: for ServerConnection::track.
    void tracked(const QSet<quint64> &sessions);
    /// A message says that this was done, and it is on record.
    void recorded(const lockscope::AuditEntry &act);

private:
    void onWaitsFailed(const LockError &error);
    bool isOpen() const;
    void onFinished(KillFlow *flow, int result);
    void track();
    /// Another server from here on.
    void forget();
    void reportResult(const KillFlow &flow);
    /// Once a look from after the end is there.
    void reportAftermath();
    /// What was done but is not on record is never shown as good.
    void showMessage(bool isGood, const QString &text, const QString &recordError, const QString &details = {});

    ServerConnection *m_connection;
    MessageBar *m_messages;
    QWidget *m_window;
    ServerWaitsPtr m_waits;
    Capabilities m_capabilities;
    std::optional<LockError> m_pollError; ///< the last poll failed
    QPointer<KillDialog> m_dialog;        ///< the last one opened
    struct Reported
    {
        QString text; ///< that was shown
        WaitForecast expected;
        AuditEntry act;
        std::chrono::steady_clock::time_point from; ///< a look from before says nothing yet
    };
    std::optional<Reported> m_reported; ///< the last end whose waiters were not looked at since
    QList<KillFlow *> m_left;           ///< of dialogs that were closed before the end; children
};

} // namespace lockscope::ui
