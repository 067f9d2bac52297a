// SPDX-License-Identifier: MIT
#pragma once

#include "eventually.h"
#include "lockscope/lockengine.h"
#include "session/reconnectingsession.h"
#include "testserver.h"

#include <QtCore/QProcess>

#include <functional>
#include <memory>

namespace lockscope::test {

using namespace std::chrono_literals;

EngineConfig configFor(const TestServer &server);
/// The same with as few connections as can be: presence, renewal and two more.
EngineConfig smallConfigFor(const TestServer &server);
SessionTarget targetFor(const TestServer &server);
LockRequest requestFor(const QByteArray &resource, Duration wait = Duration::zero(), Duration ttl = 30s);
/// The same, of pessimistic mode.
LockRequest rowRequest(const QByteArray &resource, Duration wait = Duration::zero(), Duration ttl = 30s);

/// Starts over: the schema is installed and all lock tables are empty.
void resetTables(TestServer &server);

/// A ReconnectingSession's OpenHook: statements wait for locks that others still have, as a connection does that is
/// being closed.
void waitForLocks(Session &session, quint64 previous);

/// A connection for looking behind the engine's back.
class Observer
{
public:
    explicit Observer(const TestServer &server);

    QVariant value(const QByteArray &sql);
    QList<QVariantList> rows(const QByteArray &sql);
    void run(const QByteArray &sql);
    /// Ends the connection `id`, unless it has ended by itself meanwhile.
    void kill(const QByteArray &id);

    /// Requests in the queue of `resource`, the dead included.
    int waiters(const QByteArray &resource);
    /// The connection that holds the row `resource` of pessimistic mode; empty when nobody does. From then on this
    /// observer reads what open transactions wrote.
    QByteArray rowHolder(const QByteArray &resource);
    /// A connection that asks for a row of pessimistic mode just now; empty when none does.
    QByteArray rowWaiter();
    /// Connections that block in GET_LOCK.
    int blocked();
    /// Packets are logged from now on …
    void startLog();
    /// … and these came since, without this observer's own.
    QStringList logged();

private:
    ReconnectingSession m_link;
};

/// A lockworker process. Ends with the object.
class Worker
{
public:
    explicit Worker(const TestServer &server);
    ~Worker();

    /// Sends a command and waits for its answer; empty when none came in time.
    QString ask(const QByteArray &command);
    void send(const QByteArray &command);
    QString answer();
    bool hasAnswer();

    qint64 pid() const { return m_process.processId(); }
    void kill9();
    void freeze();
    void thaw();

private:
    QProcess m_process;
};

} // namespace lockscope::test
