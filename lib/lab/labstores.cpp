// SPDX-License-Identifier: MIT
#include "labstores.h"

#include "labrun.h"
#ifdef LOCKSCOPE_HAS_REDIS
#    include "stores/nodes/redisnode.h"
#endif
#ifdef LOCKSCOPE_HAS_ZOOKEEPER
#    include "stores/nodes/zookeepernode.h"
#endif
#ifdef LOCKSCOPE_HAS_ETCD
#    include "stores/nodes/etcdnode.h"
#endif

namespace lockscope {

const LabStoreKit *labStoreKit(LabStore store)
{
#ifdef LOCKSCOPE_HAS_REDIS
    static constexpr LabStoreKit redis{RedisNode::missing, startRedisNodes, makeRedisStore, makeRedisLock};
    if (store == LabStore::Redis)
        return &redis;
#endif
#ifdef LOCKSCOPE_HAS_ZOOKEEPER
    static constexpr LabStoreKit zooKeeper{ZooKeeperNode::missing, startZooKeeperNodes, makeZooKeeperStore,
                                           makeHerdLock};
    if (store == LabStore::ZooKeeper)
        return &zooKeeper;
#endif
#ifdef LOCKSCOPE_HAS_ETCD
    static constexpr LabStoreKit etcd{EtcdNode::missing, startEtcdNodes, makeEtcdStore, nullptr};
    if (store == LabStore::Etcd)
        return &etcd;
#endif
    Q_UNUSED(store)
    return nullptr;
}

std::optional<LockError> missingServers(const QList<LabPlan> &plans)
{
    QList<LabStore> stores;
    QList<MissingServer> missing;
    for (const LabPlan &plan : plans) {
        const LabStore store = traitsOf(plan.way).store;
        const LabStoreKit *kit = labStoreKit(store);
        if (!kit || stores.contains(store))
            continue;
        stores += store;
        if (const auto none = kit->missing())
            missing += *none;
    }
    if (missing.isEmpty())
        return std::nullopt;
    LockError error;
    error.kind = LockError::Kind::Unavailable;
    error.message = notInstalled(missing);
    return error;
}

} // namespace lockscope
