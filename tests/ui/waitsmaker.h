// SPDX-License-Identifier: MIT
#pragma once

#include "feeds/waitsfeed.h"
#include "waitparts.h"

namespace lockscope::test {

/// Looks at a server's locks, made by hand.
class WaitsMaker
{
public:
    WaitsMaker()
    {
        using namespace std::chrono;
        m_waits.clock = {time_point_cast<Microseconds>(system_clock::now()), steady_clock::now()};
        for (int i = 0; i < WaitSourceCount; ++i)
            m_waits.sources.append({WaitSource(i), SourceStatus::State::Complete, {}, {}, false, 10 * (i + 1)});
    }

    ServerSession &session(quint64 id)
    {
        ServerSession &made = m_waits.sessions[id];
        made.id = id;
        made.user = QStringLiteral("app%1").arg(id);
        made.host = QStringLiteral("web-1");
        made.program = QStringLiteral("billing");
        made.command = QStringLiteral("Query");
        made.commandSince = ago(std::chrono::seconds(40));
        made.statement = {Statement::Source::Running, "UPDATE stock SET n = n - 1 WHERE id = 5"};
        made.transaction = Transaction{1600 + id, QStringLiteral("RUNNING"), ago(std::chrono::seconds(90)), {}, 3, 1};
        return made;
    }

    ServerSession &idle(quint64 id)
    {
        ServerSession &made = session(id);
        made.command = QStringLiteral("Sleep");
        made.statement.source = Statement::Source::Last;
        return made;
    }

    WaitEdge &wait(quint64 waiter, quint64 blocker, const QByteArray &key = "5",
                   std::chrono::seconds waited = std::chrono::seconds(30))
    {
        for (const quint64 id : {waiter, blocker}) {
            if (!m_waits.sessions.contains(id))
                session(id);
        }
        m_waits.edges.append({waiter, blocker, row(key), QStringLiteral("X,REC_NOT_GAP"), ago(waited)});
        return m_waits.edges.last();
    }

    /// `count` sessions from `first` on that wait for one lock of `holder`, each behind those before it.
    void queue(quint64 holder, quint64 first, int count, const QByteArray &key = "5")
    {
        for (int i = 0; i < count; ++i) {
            for (int before = 0; before < i; ++before)
                wait(first + quint64(i), first + quint64(before), key, std::chrono::seconds(count - i));
            wait(first + quint64(i), holder, key, std::chrono::seconds(count - i));
        }
    }

    /// The same of one program's pool: they are equal.
    void pool(quint64 holder, quint64 first, int count)
    {
        queue(holder, first, count);
        for (int i = 0; i < count; ++i)
            m_waits.sessions[first + quint64(i)].user = QStringLiteral("app");
    }

    /// Prepared, and no session has it; three minutes old.
    PreparedTransaction &prepare(quint64 id, const QList<Xid> &xids)
    {
        PreparedTransaction &made = m_waits.prepared[preparedNumber(id)];
        made.transaction = {id, QStringLiteral("RUNNING"), ago(std::chrono::minutes(3)), {}, 4, 2};
        made.xids = xids;
        made.isTold = xids.size() == 1;
        return made;
    }

    void lose(quint64 id)
    {
        session(id);
        m_waits.lost.append({id, ServerLockKind::Metadata, ago(std::chrono::seconds(5))});
    }

    ServerTime ago(std::chrono::seconds time) const { return m_waits.clock.server - time; }
    ServerWaits &waits() { return m_waits; }
    ServerWaitsPtr done() const { return std::make_shared<const ServerWaits>(m_waits); }

private:
    ServerWaits m_waits;
};

} // namespace lockscope::test
