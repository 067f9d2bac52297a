// SPDX-License-Identifier: MIT
#include "actor.h"

#include <QtSql/QSqlDatabase>

namespace lockscope::test {

Actor::Actor(const SessionTarget &target)
    : m_target(target)
    , m_thread([this] { work(); })
{
    if (const Reply ready = finish(); !ready)
        qFatal("%ls", qUtf16Printable(ready.error->toString()));
}

Actor::~Actor()
{
    if (isBusy()) { // it would wait for as long as it is let
        LockError error;
        if (const auto session = Session::open(m_target, &error))
            session->run("KILL " + QByteArray::number(m_id), "actor");
    }
    {
        const std::lock_guard guard(m_mutex);
        m_isEnding = true;
        m_todo.clear();
    }
    m_changed.notify_all();
    m_thread.join();
}

void Actor::start(const QByteArray &sql)
{
    {
        const std::lock_guard guard(m_mutex);
        m_todo.push_back(sql);
    }
    m_changed.notify_all();
}

Reply Actor::finish()
{
    std::unique_lock lock(m_mutex);
    if (!m_changed.wait_for(lock, Patience, [this] { return m_todo.empty() && !m_isWorking; }))
        qFatal("A session does not come to its end.");
    return m_last;
}

Reply Actor::run(const QByteArray &sql)
{
    start(sql);
    return finish();
}

bool Actor::isBusy()
{
    const std::lock_guard guard(m_mutex);
    return m_isWorking || !m_todo.empty();
}

void Actor::work()
{
    LockError error;
    const auto session = Session::open(m_target, &error);
    Reply reply;
    if (session)
        reply = session->run("SET SESSION innodb_lock_wait_timeout = 600, lock_wait_timeout = 600", "actor");
    else
        reply.error = error;
    std::unique_lock lock(m_mutex);
    if (session)
        m_id = session->connectionId();
    for (;;) {
        m_last = std::move(reply);
        m_isWorking = false;
        m_changed.notify_all();
        m_changed.wait(lock, [this] { return m_isEnding || !m_todo.empty(); });
        if (m_todo.empty())
            return;
        const QByteArray sql = m_todo.front();
        m_todo.pop_front();
        m_isWorking = true;
        lock.unlock();
        reply = session ? runPacket(session->database(), sql, "actor") : Reply{}; // as it is, as an application does
        lock.lock();
    }
}

} // namespace lockscope::test
