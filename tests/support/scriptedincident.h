// SPDX-License-Identifier: MIT
#pragma once

#include "actor.h"

#include <QtCore/QList>

#include <memory>

namespace lockscope::test {

/// An idle transaction that holds row 5 of shop.stock, ten sessions that want it, an ALTER of the table behind them,
/// and a session that waits for what another has by GET_LOCK.
class ScriptedIncident
{
public:
    static constexpr int Waiters = 10;

    explicit ScriptedIncident(const TestServer &server)
        : m_server(server)
        , m_idle(server)
        , m_named(server)
    {
    }

    quint64 idle() const { return m_idle.id(); }
    quint64 alter() const { return m_behind.at(Waiters)->id(); }
    quint64 waiterForName() const { return m_behind.last()->id(); }
    /// The transaction, and those that want its row; the server may not have them all when this returns.
    bool begin()
    {
        const bool isHeld = bool(m_idle.run("BEGIN")) && m_idle.run("UPDATE shop.stock SET n = 7 WHERE id = 5");
        for (int i = 0; i < Waiters; ++i)
            start("UPDATE shop.stock SET n = n + 1 WHERE id = 5");
        return isHeld;
    }
    /// The ALTER, and the two with the name.
    bool goOn()
    {
        start("ALTER TABLE shop.stock ADD COLUMN note INT");
        const bool isHeld = bool(m_named.run("SELECT GET_LOCK('nightly', 0)"));
        start("SELECT GET_LOCK('nightly', 600)");
        return isHeld;
    }
    /// True when all went on.
    bool end()
    {
        bool isOver = bool(m_idle.run("ROLLBACK")) && m_named.run("SELECT RELEASE_LOCK('nightly')");
        for (const auto &one : m_behind)
            isOver = bool(one->finish()) && isOver;
        return isOver;
    }

private:
    void start(const QByteArray &statement)
    {
        m_behind.append(std::make_shared<Actor>(m_server));
        m_behind.last()->start(statement);
    }

    const TestServer &m_server;
    Actor m_idle;
    Actor m_named;
    QList<std::shared_ptr<Actor>> m_behind;
};

} // namespace lockscope::test
