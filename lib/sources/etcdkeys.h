// SPDX-License-Identifier: MIT
#pragma once

#include "keylocks/keylock.h"
#include "lockscope/heldleases.h"
#include "stores/etcd/etcdclient.h"
#include "stores/etcd/etcdnames.h"

#include <functional>
#include <stop_token>

namespace lockscope {

/// Locks that other programs keep in an etcd, by conventions: keys with an etcd lease, of which one is the whole lock.
/// Only what begins as a convention's names do and lies below the address' path is read, and never what Kubernetes
/// keeps. Thread: that of the client's user.
class EtcdKeys
{
public:
    using Take = std::function<void(const QList<KeyLock> &locks)>;

    explicit EtcdKeys(QList<KeyConvention> conventions);

    std::optional<LockError> walk(detail::EtcdClient &client, const std::stop_token &stop, const Take &take);
    std::optional<LockError> read(detail::EtcdClient &client, const QByteArray &name,
                                  std::optional<KeyLock> *lock) const;
    /// Guarded by the key's create_revision.
    static ForcedRelease end(detail::EtcdClient &client, const KeyLock &lock, const KeyHolder &holder);

    /// Beginnings of names that the account may not read, at the last walk.
    qint64 unreadable() const { return m_unreadable; }

private:
    struct Range
    {
        QByteArray from;
        QByteArray end; ///< behind the last one
    };

    std::optional<LockError> walk(detail::EtcdClient &client, const Range &whole, const std::stop_token &stop,
                                  const Take &take) const;
    std::optional<LockError> readLocks(detail::EtcdClient &client, const QByteArrayList &names,
                                       QList<KeyLock> *locks) const;
    std::optional<LockError> readLock(detail::EtcdClient &client, const detail::EtcdKey &key,
                                      QList<KeyLock> *locks) const;
    bool mayBeRead(const detail::EtcdClient &client, const detail::EtcdKey &key) const;
    QList<Range> ranges(const QByteArray &root) const;

    const QList<KeyConvention> m_conventions;
    qint64 m_unreadable = 0;
};

} // namespace lockscope
