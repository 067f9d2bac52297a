// SPDX-License-Identifier: MIT
#include "labstores.h"

namespace lockscope {

const LabStoreKit *labStoreKit(LabStore store)
{
#ifdef LOCKSCOPE_HAS_REDIS
    static constexpr LabStoreKit redis{startRedisNodes, makeRedisStore, makeRedisLock};
    if (store == LabStore::Redis)
        return &redis;
#endif
#ifdef LOCKSCOPE_HAS_ZOOKEEPER
    static constexpr LabStoreKit zooKeeper{startZooKeeperNodes, makeZooKeeperStore, makeHerdLock};
    if (store == LabStore::ZooKeeper)
        return &zooKeeper;
#endif
#ifdef LOCKSCOPE_HAS_ETCD
    static constexpr LabStoreKit etcd{startEtcdNodes, makeEtcdStore, nullptr};
    if (store == LabStore::Etcd)
        return &etcd;
#endif
    Q_UNUSED(store)
    return nullptr;
}

} // namespace lockscope
