// SPDX-License-Identifier: MIT
#pragma once

#include "actions/tablerelease.h"
#include "locktables/tablereader.h"

#include <QtCore/QObject>
#include <QtCore/QPointer>

class QWidget;

namespace lockscope::ui {

class MessageBar;
class ServerConnection;
class TableReleaseDialog;

/// Where releases of locks in other programs' tables are asked for: opens the dialog, and tells what became of one.
class TableReleaseController : public QObject
{
    Q_OBJECT
public:
    /// `connection` and `messages`, where results are said, are not owned. Dialogs belong to `window`.
    TableReleaseController(ServerConnection *connection, MessageBar *messages, QWidget *window);

    void ask(const TableLock &lock);
    /// The last one opened; null: it is closed.
    TableReleaseDialog *dialog() const;

Q_SIGNALS:
    /// A message says that this was done, and it is on record.
    void recorded(const lockscope::AuditEntry &act);

private:
    void onReleased(const TableReleaseOrder &order, const TableReleaseReport &report);

    ServerConnection *m_connection;
    MessageBar *m_messages;
    QWidget *m_window;
    QPointer<TableReleaseDialog> m_dialog;
};

} // namespace lockscope::ui
