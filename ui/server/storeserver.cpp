// SPDX-License-Identifier: MIT
// The part of the connection that knows a Redis, a ZooKeeper or an etcd, which a monitor reads and nothing else does,
// and of which server a lock is.
#include "serverconnection.h"

#include "furtherservers.h"
#include "sources/storeaddress.h"

#include <algorithm>

namespace lockscope::ui {

void ServerConnection::startStore()
{
    const auto make = [url = m_profile.store, password = m_target.password](SourceUse /*use*/) {
        return makeSource(url, password);
    };
    m_words = make(SourceUse::Look);
    std::get<std::unique_ptr<Monitor>>(m_feeds) = std::make_unique<Monitor>(SourceMaker(make));
    auto *monitor = feed<Monitor>();
    connect(monitor, &Monitor::statusChanged, this, &ServerConnection::onStatus);
    connect(monitor, &Monitor::listUpdated, this, &ServerConnection::onList);
    connect(monitor, &Monitor::released, this, &ServerConnection::released);
    connect(monitor, &Monitor::keyReleased, this, &ServerConnection::keyReleased);
    pacePolls();
    Q_EMIT feedsMade();
    monitor->start();
}

const ServerProfile &ServerConnection::profileOf(int server) const
{
    const auto *further = m_further->find(server);
    return further ? further->profile : m_profile;
}

const MonitorStatus &ServerConnection::statusOf(const LockKey &key) const
{
    const auto *further = m_further->find(key.server);
    return further ? further->status : m_status;
}

const LiveClock *ServerConnection::clockOf(const LockKey &key) const
{
    const auto *further = m_further->find(key.server);
    return further ? further->clock.get() : &m_clock;
}

/// Consent is for the servers that were named: one that came later has none.
bool ServerConnection::isOperatorOf(int server) const
{
    if (server == 0)
        return isOperator();
    const auto *further = m_further->find(server);
    return further && further->mayAct && isOperatorStarted();
}

QList<int> ServerConnection::guardedServers() const
{
    QList<int> servers;
    if (isRecorded())
        return servers;
    if (!m_profile.isPrivate)
        servers += 0;
    for (const auto &[number, server] : m_further->all())
        servers += number;
    return servers;
}

bool ServerConnection::isOperatorOfAll() const
{
    const QList<int> servers = guardedServers();
    return !isRecorded()
        && std::all_of(servers.cbegin(), servers.cend(), [this](int number) { return isOperatorOf(number); });
}

/// Null: it is a MySQL or MariaDB.
const LockSource *ServerConnection::wordsOf(const LockKey &key) const
{
    const auto *further = m_further->find(key.server);
    return further ? further->words.get() : m_words.get();
}

QByteArray ServerConnection::releaseStatement(const ReleaseOrder &order) const
{
    const LockSource *source = wordsOf(order.key);
    return source ? lockscope::releaseStatement(order, *source)
                  : lockscope::releaseStatement(order, statusOf(order.key).server.family);
}

QByteArray ServerConnection::releaseScript(const LockKey &key) const
{
    const LockSource *source = wordsOf(key);
    return source ? source->script() : QByteArray();
}

QByteArray ServerConnection::keyStatement(const LockRow &lock, const KeyHolder &holder) const
{
    const LockSource *source = wordsOf(lock.key);
    return source && lock.keyLock ? source->keyStatement(*lock.keyLock, holder) : QByteArray();
}

} // namespace lockscope::ui
