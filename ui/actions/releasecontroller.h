// SPDX-License-Identifier: MIT
#pragma once

#include "console/auditfile.h"
#include "locks/snapshot.h"

#include <QtCore/QObject>
#include <QtCore/QPointer>

class QWidget;

namespace lockscope {
struct ReleaseOrder;
struct ReleaseReport;
} // namespace lockscope

namespace lockscope::ui {

class MessageBar;
class ReleaseDialog;
class ServerConnection;

/// Where releases are asked for: opens the dialog, and tells what became of one to a person who has closed it by then.
class ReleaseController : public QObject
{
    Q_OBJECT
public:
    /// `connection` and `messages`, where results are said, are not owned. Dialogs belong to `window`.
    ReleaseController(ServerConnection *connection, MessageBar *messages, QWidget *window);

    void ask(const LockRow &lock);

Q_SIGNALS:
    /// A message says that this was done, and it is on record, which the window shows.
    void recorded(const lockscope::AuditEntry &act);

private:
    /// Another server from here on.
    void forget();
    QString nameOf(const LockKey &key) const;
    void onReleased(const ReleaseOrder &order, const ReleaseReport &report);
    void reportFailed(const ReleaseOrder &order, const ReleaseReport &report);

    ServerConnection *m_connection;
    MessageBar *m_messages;
    QWidget *m_window;
    QPointer<ReleaseDialog> m_dialog; ///< the last one opened
    QString m_server;                 ///< where it was opened
    QList<LockKey> m_awaited;         ///< releases that are sent and not answered, also of dialogs that are closed
};

} // namespace lockscope::ui
