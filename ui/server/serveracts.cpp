// SPDX-License-Identifier: MIT
// The part of the connection that changes the server, in operator mode alone.
#include "serverconnection.h"

#include "furtherservers.h"
#include "refusal.h"

namespace lockscope::ui {

bool ServerConnection::isOperator() const
{
    return m_profile.isPrivate || m_operatorTimer.isActive();
}

ServerAccess ServerConnection::access() const
{
    return isOperator() ? ServerAccess::toAct(m_profile.isGuarded()) : ServerAccess::toLook(m_profile.isGuarded());
}

std::optional<std::chrono::seconds> ServerConnection::operatorTimeLeft() const
{
    if (m_profile.isPrivate && !m_operatorTimer.isActive())
        return std::nullopt;
    return std::chrono::ceil<std::chrono::seconds>(std::chrono::milliseconds(qMax(0, m_operatorTimer.remainingTime())));
}

void ServerConnection::startOperatorMode(const QList<int> &named)
{
    if (named.isEmpty())
        return;
    recheckGuards(); // another window may have heard of more
    m_operatorTimer.start(m_operatorTime);
    m_further->setOperators(named);
    Q_EMIT modeChanged();
}

void ServerConnection::endOperatorMode()
{
    m_operatorTimer.stop();
    m_further->setOperators({});
    Q_EMIT modeChanged();
}

/// With the last one that was named goes what was agreed to.
void ServerConnection::onFurtherChanged()
{
    if (isOperatorStarted() && m_profile.isPrivate && m_further->operators().isEmpty())
        endOperatorMode();
    else
        Q_EMIT modeChanged();
}

void ServerConnection::release(const ReleaseOrder &order)
{
    if ((order.key.server != 0 || isOpen()) && feed<Monitor>() && isOperatorOf(order.key)) {
        feed<Monitor>()->release(order, ServerAccess::toAct(profileOf(order.key).isGuarded()));
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

void ServerConnection::releaseKey(const KeyReleaseOrder &order)
{
    if ((order.key.server != 0 || isOpen()) && feed<Monitor>() && isOperatorOf(order.key)) {
        feed<Monitor>()->releaseKey(order, ServerAccess::toAct(profileOf(order.key).isGuarded()));
        return;
    }
    KeyReleaseReport report;
    report.isRefused = true;
    report.error = refusal(tr("This server is open read-only. Start operator mode to release a lock."));
    Q_EMIT keyReleased(order, report);
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
