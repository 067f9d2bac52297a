// SPDX-License-Identifier: MIT
#pragma once

#include "actions/preparedend.h"
#include "feeds/waitsfeed.h"

#include <QtCore/QObject>
#include <QtCore/QPointer>

namespace lockscope::ui {

class MessageBar;
class PreparedDialog;
class ServerConnection;

/// Asks before a prepared transaction is ended, and says what came of it.
class PreparedController : public QObject
{
    Q_OBJECT
public:
    /// None is owned; all must outlive it.
    PreparedController(ServerConnection *connection, MessageBar *messages, QWidget *window);

    PreparedDialog *dialog() const;

public Q_SLOTS:
    /// `number` is what stands for the transaction in the waits.
    void ask(quint64 number);
    void onWaits(const lockscope::ServerWaitsPtr &waits, const lockscope::Capabilities &capabilities);
    void onEnded(const lockscope::PreparedOrder &order, const lockscope::PreparedReport &report);

Q_SIGNALS:
    void ordered(const lockscope::PreparedOrder &order);
    /// It is found in the record by this.
    void recorded(const lockscope::AuditEntry &act);

private:
    void forget();

    /// Of what was told last, until it is known who went on.
    struct Told
    {
        QString text;
        WaitForecast expected;
        std::chrono::steady_clock::time_point from;
        AuditEntry act;
    };

    ServerConnection *m_connection;
    MessageBar *m_messages;
    QWidget *m_window;
    QPointer<PreparedDialog> m_dialog;
    ServerWaitsPtr m_waits;
    Family m_family = Family::MariaDb;
    WaitForecast m_expected; ///< of what was ordered last
    std::optional<Told> m_told;
};

} // namespace lockscope::ui
