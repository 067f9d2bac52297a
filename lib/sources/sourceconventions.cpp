// SPDX-License-Identifier: MIT
#include "sourceconventions.h"

namespace lockscope {

namespace {

KeyStore storeOf(LockKind kind)
{
    if (kind == LockKind::ZooKeeperNode)
        return KeyStore::ZooKeeper;
    return kind == LockKind::EtcdKey ? KeyStore::Etcd : KeyStore::Redis;
}

} // namespace

QList<ConventionFile> useAllConventions(LockSource &source, bool withGuesses)
{
    QList<ConventionFile> faulty;
    const auto kind = source.keyKind();
    if (!kind)
        return faulty;
    const QList<KeyConvention> all = allConventions(ownConventionFolder(), &faulty);
    source.useConventions(conventionsFor(all, storeOf(*kind), source.server(), withGuesses));
    return faulty;
}

} // namespace lockscope
