// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockengine.h"
#include "sources/storeaddress.h"
#include "stores/nodes/etcdnode.h"
#include "stores/nodes/redisnode.h"
#include "stores/nodes/zookeepernode.h"

#include <QtTest/QTest>

namespace lockscope::test {

/// A real server of each kind of store, for what treats all kinds alike. Each starts when it is first asked for, and a
/// path or database of it is shared by the functions of a test: names keep them apart. Thread: one.
class StoreNodes
{
public:
    QString url(StoreKind kind)
    {
        start(kind);
        return kind == StoreKind::Redis ? m_redis.url().toString()
            : kind == StoreKind::Etcd   ? m_etcd.url().toString()
                                        : m_zookeeper.url().toString();
    }
    /// Again, where it was stopped: Redis has forgotten its locks by then.
    void start(StoreKind kind)
    {
        const auto error = kind == StoreKind::Redis ? m_redis.pid() == 0 ? m_redis.start() : std::nullopt
            : kind == StoreKind::Etcd               ? m_etcd.pid() == 0 ? m_etcd.start() : std::nullopt
            : m_zookeeper.pid() == 0                ? m_zookeeper.start()
                                                    : std::nullopt;
        if (error)
            qFatal("%s", qPrintable(error->toString()));
    }
    void stop(StoreKind kind)
    {
        if (kind == StoreKind::Redis)
            m_redis.stop();
        else if (kind == StoreKind::Etcd)
            m_etcd.stop();
        else
            m_zookeeper.stop();
    }
    std::unique_ptr<LockEngine> newEngine(StoreKind kind, const QString &service = QStringLiteral("billing"))
    {
        EngineConfig config;
        config.store = makeStore(url(kind), {});
        if (kind == StoreKind::Redis) { // what it forgets in a restart is not what is tried here
            RedisConfig redis;
            redis.server = m_redis.url();
            redis.namesRisks = false;
            config.store = std::make_shared<RedisStore>(redis);
        }
        config.service = service;
        return std::make_unique<LockEngine>(config);
    }

private:
    RedisNode m_redis;
    ZooKeeperNode m_zookeeper;
    EtcdNode m_etcd;
};

/// Rows of a test's data: `kind`.
inline void addStoreKinds()
{
    QTest::addColumn<StoreKind>("kind");
    QTest::newRow("redis") << StoreKind::Redis;
    QTest::newRow("zookeeper") << StoreKind::ZooKeeper;
    QTest::newRow("etcd") << StoreKind::Etcd;
}

} // namespace lockscope::test
