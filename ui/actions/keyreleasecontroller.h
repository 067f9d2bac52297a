// SPDX-License-Identifier: MIT
#pragma once

#include "actions/keyrelease.h"

#include <QtCore/QObject>
#include <QtCore/QPointer>

class QWidget;

namespace lockscope::ui {

class KeyReleaseDialog;
class MessageBar;
class ServerConnection;

/// Where releases of other programs' keys and nodes are asked for: opens the dialog, and tells what became of one.
class KeyReleaseController : public QObject
{
    Q_OBJECT
public:
    /// `connection` and `messages`, where results are said, are not owned. Dialogs belong to `window`.
    KeyReleaseController(ServerConnection *connection, MessageBar *messages, QWidget *window);

    void ask(const LockRow &lock);
    /// The last one opened; null: it is closed.
    KeyReleaseDialog *dialog() const;

Q_SIGNALS:
    /// A message says that this was done, and it is on record, which the window shows.
    void recorded(const lockscope::AuditEntry &act);

private:
    QString nameOf(const LockKey &key) const;
    QString whatIsThere(const KeyReleaseReport &report) const;
    void onReleased(const KeyReleaseOrder &order, const KeyReleaseReport &report);

    ServerConnection *m_connection;
    MessageBar *m_messages;
    QWidget *m_window;
    QPointer<KeyReleaseDialog> m_dialog;
};

} // namespace lockscope::ui
