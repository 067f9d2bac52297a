// SPDX-License-Identifier: MIT
#pragma once

#include "labnodes.h"
#include "stores/nodes/storeprograms.h"

namespace lockscope {

/// What a run needs of a store beside the database, in one place. Private to lib/lab.
struct LabStoreKit
{
    /// What startNodes would not find; none: it is all there.
    std::optional<MissingServer> (*missing)();
    /// Null and `*error` set when one does not start.
    std::unique_ptr<LabNodes> (*startNodes)(const LabPlan &plan, LockError *error);
    /// Where an engine puts its leases.
    std::shared_ptr<LockStore> (*makeStore)(const LabPlan &plan, const LabNodeAccess &nodes, int maxConnections);
    /// The lock of a way without the engine; null: there is none.
    std::unique_ptr<LabLock> (*makeLock)(const LabShared &shared);
};

/// Null: there is nothing beside the database, or this program was built without that store; then no run begins.
const LabStoreKit *labStoreKit(LabStore store);

// Of Redis.
std::unique_ptr<LabNodes> startRedisNodes(const LabPlan &plan, LockError *error);
std::shared_ptr<LockStore> makeRedisStore(const LabPlan &plan, const LabNodeAccess &nodes, int maxConnections);
std::unique_ptr<LabLock> makeRedisLock(const LabShared &shared);

// Of ZooKeeper.
std::unique_ptr<LabNodes> startZooKeeperNodes(const LabPlan &plan, LockError *error);
std::shared_ptr<LockStore> makeZooKeeperStore(const LabPlan &plan, const LabNodeAccess &nodes, int maxConnections);
std::unique_ptr<LabLock> makeHerdLock(const LabShared &shared);

// Of etcd, which has no other way than the engine's.
std::unique_ptr<LabNodes> startEtcdNodes(const LabPlan &plan, LockError *error);
std::shared_ptr<LockStore> makeEtcdStore(const LabPlan &plan, const LabNodeAccess &nodes, int maxConnections);

} // namespace lockscope
