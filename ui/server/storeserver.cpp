// SPDX-License-Identifier: MIT
// The part of the connection that knows a Redis, a ZooKeeper or an etcd: a monitor reads it, and nothing else does.
#include "serverconnection.h"

#include "sources/storeaddress.h"

namespace lockscope::ui {

void ServerConnection::startStore()
{
    const auto make = [url = m_profile.store, password = m_target.password] { return makeSource(url, password); };
    m_words = make();
    std::get<std::unique_ptr<Monitor>>(m_feeds) = std::make_unique<Monitor>(SourceMaker(make));
    auto *monitor = feed<Monitor>();
    connect(monitor, &Monitor::statusChanged, this, &ServerConnection::onStatus);
    connect(monitor, &Monitor::listUpdated, this, &ServerConnection::onList);
    connect(monitor, &Monitor::released, this, &ServerConnection::released);
    setInterval(m_interval);
    setHidden(m_isHidden);
    pauseFeeds(m_isPaused);
    Q_EMIT feedsMade();
    monitor->start();
}

QByteArray ServerConnection::releaseStatement(const ReleaseOrder &order) const
{
    return isStore() ? lockscope::releaseStatement(order, *m_words)
                     : lockscope::releaseStatement(order, m_status.server.family);
}

QByteArray ServerConnection::releaseScript() const
{
    return isStore() ? m_words->script() : QByteArray();
}

} // namespace lockscope::ui
