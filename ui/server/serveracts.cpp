// SPDX-License-Identifier: MIT
// The part of the connection that changes the server, in operator mode alone.
#include "serverconnection.h"

#include "refusal.h"

namespace lockscope::ui {

void ServerConnection::release(const ReleaseOrder &order)
{
    if (isOpen() && isOperator()) {
        feed<Monitor>()->release(order, access());
        return;
    }
    ReleaseReport report;
    report.error = refusal(tr("This server is open read-only. Start operator mode to release a lock."));
    Q_EMIT released(order, report);
}

void ServerConnection::releaseTable(const TableReleaseOrder &order)
{
    if (feed<TablesFeed>() && isOperator()) {
        feed<TablesFeed>()->release(order, access());
        return;
    }
    TableReleaseReport report;
    report.outcome = TableReleaseReport::Outcome::Refused;
    report.error = refusal(tr("This server is open read-only. Start operator mode to release a lock."));
    Q_EMIT tableReleased(order, report);
}

void ServerConnection::installTables()
{
    if (isOperator())
        call(&Monitor::installTables);
}

void ServerConnection::kill(const KillOrder &order)
{
    if (feed<WaitsFeed>() && isOperator()) {
        feed<WaitsFeed>()->kill(order, access());
        return;
    }
    KillReport report;
    report.outcome = KillReport::Outcome::Refused;
    report.error = refusal(tr("This server is open read-only. Start operator mode to end a session."));
    Q_EMIT killed(order, report);
}

void ServerConnection::endPrepared(const PreparedOrder &order)
{
    if (feed<WaitsFeed>() && isOperator()) {
        feed<WaitsFeed>()->endPrepared(order, access());
        return;
    }
    PreparedReport report;
    report.outcome = PreparedReport::Outcome::Refused;
    report.error = refusal(tr("This server is open read-only. Start operator mode to end a transaction."));
    Q_EMIT preparedEnded(order, report);
}

} // namespace lockscope::ui
