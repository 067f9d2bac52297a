// SPDX-License-Identifier: MIT
#pragma once

#include "sources/locksource.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QStringList>

#include <memory>

namespace lockscope::test {

/// A store beside MySQL that the locks of a script are on: a real server of the test's own, and what a script asks of
/// it. Thread: the one that made it, which must live as long.
class StoreSite
{
public:
    /// Of one of knownStores(). Fatal when this program was built without it, or when it does not start.
    static std::unique_ptr<StoreSite> start(const QString &store);

    StoreSite();
    virtual ~StoreSite();
    StoreSite(const StoreSite &) = delete;
    StoreSite &operator=(const StoreSite &) = delete;

    /// Starts on the data that is there, which outlives stop() and kill9(). Nothing happens when it runs.
    void start();
    virtual void stop() = 0;
    virtual void kill9() = 0;
    void restart();
    void freeze();
    void thaw();

    /// From here on locks are where nobody has had any.
    void begin();
    /// For an engine; through a `port` of this machine, unless that is 0.
    virtual QString url(int port = 0) const = 0;
    /// What listens there forwards to this: see FaultyProxy.
    virtual QString target() const = 0;
    /// How long a lease takes to end there at least, where `ttls` are those that its process asks for. Shorter ones
    /// become as long.
    virtual std::chrono::milliseconds shortestTtl(const QList<std::chrono::milliseconds> &ttls) const = 0;

    /// Requests of that engine that wait; `session` is its owner's.
    int waiting(const QByteArray &session, const QByteArray &resource);
    /// Whether nothing is left of it that counts as alive.
    bool isGone(const QByteArray &session);
    /// The lease, unless nobody has it.
    std::optional<LockRow> lease(const QByteArray &resource);
    ForcedRelease forceRelease(const QByteArray &resource, quint64 token);
    /// What is left of leases, queues and connections. Empty: nothing.
    QString leftOver();
    /// Who holds and who waits.
    QString evidence();

    /// Whether the server itself ends connections.
    virtual bool endsConnections() const { return false; }
    /// Those of an engine, where the server tells whose they are.
    virtual QStringList connectionIds(const QByteArray & /*session*/) { return {}; }
    virtual void endConnection(const QString & /*id*/) { }

protected:
    virtual qint64 pid() const = 0;
    virtual std::optional<LockError> startServer() = 0;
    /// A server that has only one place for locks is emptied; `number` is another one each time.
    virtual void beginAt(int number) = 0;
    /// What no list of leases shows.
    virtual QStringList traces() = 0;

private:
    LockSource &source();
    QList<LockRow> leases();
    QList<Waiter> waiters(const QByteArray &resource);

    std::unique_ptr<LockSource> m_source; ///< opened anew after each fault of the server
    QElapsedTimer m_sinceRead;
    int m_places = 0;
};

// Of each kind that this program was built with.
std::unique_ptr<StoreSite> makeRedisSite();
std::unique_ptr<StoreSite> makeZooKeeperSite();
std::unique_ptr<StoreSite> makeEtcdSite();

} // namespace lockscope::test
