// SPDX-License-Identifier: MIT
#pragma once

#include "feeds/waitsfeed.h"

namespace lockscope::test {

inline constexpr ServerTime kNow{std::chrono::hours(500'000)};

/// Hand-made looks at a server: who holds and who waits, since when.
class IncidentMaker
{
public:
    IncidentMaker()
    {
        m_waits.clock = {kNow, std::chrono::steady_clock::now()};
        m_waits.identity = QStringLiteral("db1:3306 since 5");
        for (quint64 id = 1; id < 100; ++id)
            m_waits.tracked.insert(id); // who is not added has ended
    }

    /// Idle in a transaction that changed `rows`.
    IncidentMaker &holder(quint64 session, quint64 transaction, quint64 rows = 0)
    {
        ServerSession &holder = add(session, QStringLiteral("Sleep"));
        holder.statement = {Statement::Source::Last, "UPDATE stock SET left_over = 3 WHERE id = 5"};
        holder.transaction.emplace();
        holder.transaction->id = transaction;
        holder.transaction->state = QStringLiteral("RUNNING");
        holder.transaction->started = kNow - std::chrono::minutes(12);
        holder.transaction->rowsLocked = 120;
        holder.transaction->rowsChanged = rows;
        m_waits.locks.append({object(), QStringLiteral("X"), true, session, {}});
        return *this;
    }

    IncidentMaker &waiter(quint64 session, const QList<quint64> &blockers, std::chrono::seconds waited)
    {
        ServerSession &waiter = add(session, QStringLiteral("Query"));
        waiter.statement = {Statement::Source::Running, "UPDATE stock SET left_over = 2 WHERE id = 5"};
        for (const quint64 blocker : blockers)
            m_waits.edges.append({session, blocker, object(), QStringLiteral("X"), kNow - waited});
        return *this;
    }

    ServerSession &session(quint64 id) { return m_waits.sessions[id]; }
    ServerWaits &waits() { return m_waits; }
    ServerWaitsPtr done() const { return std::make_shared<ServerWaits>(m_waits); }

    static ServerObject object()
    {
        ServerObject object;
        object.schema = QStringLiteral("shop");
        object.name = "stock";
        object.index = QStringLiteral("PRIMARY");
        object.record = "5";
        return object;
    }

private:
    ServerSession &add(quint64 id, const QString &command)
    {
        ServerSession &session = m_waits.sessions[id];
        session.id = id;
        session.user = QStringLiteral("app");
        session.host = QStringLiteral("a7:5%1").arg(id);
        session.program = QStringLiteral("mysqldump");
        session.command = command;
        session.commandSince = kNow - std::chrono::seconds(182);
        return session;
    }

    ServerWaits m_waits;
};

/// 34 blocks 56, 57 and 60; 60 waits for one more.
inline IncidentMaker usual(quint64 transaction = 4711, quint64 rows = 30)
{
    IncidentMaker maker;
    maker.holder(34, transaction, rows)
        .waiter(56, {34}, std::chrono::seconds(45))
        .waiter(57, {34, 56}, std::chrono::seconds(20))
        .waiter(60, {34, 99}, std::chrono::seconds(5));
    return maker;
}

} // namespace lockscope::test
