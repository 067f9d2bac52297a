// SPDX-License-Identifier: MIT
#include "keyrows.h"

namespace lockscope {

LockKind kindOf(KeyStore store)
{
    switch (store) {
    case KeyStore::ZooKeeper:
        return LockKind::ZooKeeperNode;
    case KeyStore::Etcd:
        return LockKind::EtcdKey;
    case KeyStore::Redis:
        break;
    }
    return LockKind::RedisKey;
}

LockRow toRow(const KeyLock &lock)
{
    const KeyHolder &first = lock.holders.constFirst();
    LockRow row;
    row.key = {kindOf(lock.convention.store()), lock.name};
    row.state = LockState::Held;
    row.owner.service = first.text;
    row.token = lock.token > 0 ? lock.token : first.part.token;
    row.note = lock.convention.title.toUtf8();
    row.acquiredAt = first.since;
    row.expiresAt = first.until ? first.until : lock.until;
    row.isOfSession = lock.convention.store() == KeyStore::ZooKeeper;
    row.waiters.reset();
    if (lock.waiters)
        row.waiters = int(*lock.waiters);
    row.keyLock = lock;
    return row;
}

} // namespace lockscope
