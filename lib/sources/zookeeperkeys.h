// SPDX-License-Identifier: MIT
#pragma once

#include "keylocks/keylock.h"
#include "stores/zookeeper/zookeepertree.h"

#include <functional>
#include <stop_token>

namespace lockscope {

/// Locks that other programs keep in a ZooKeeper, by conventions. Thread: that of the session's user.
class ZooKeeperKeys
{
public:
    using Take = std::function<void(const QList<KeyLock> &locks)>;

    /// More nodes are no longer looked at; ten thousand take a second.
    static constexpr qsizetype kMaxNodes = 100'000;

    explicit ZooKeeperKeys(QList<KeyConvention> conventions, qsizetype mostNodes = kMaxNodes);

    /// Goes through all nodes below `root`, some at once, in the order of their depth, and no further than `mostNodes`.
    /// Nodes that are listed as leases are left out.
    std::optional<LockError> walk(detail::ZooKeeperSession &session, const QByteArray &root,
                                  const std::stop_token &stop, const Take &take);
    /// One folder, or one node. An error of kind NoPermission: who holds it may not be read, so it may be held by
    /// another than the first of those that may.
    std::optional<LockError> read(detail::ZooKeeperSession &session, const QByteArray &path,
                                  std::optional<KeyLock> *lock);
    /// Folders that the account may not read, and nodes that may hold what is in theirs, at the last walk. Where only
    /// one of a folder holds it and that is such a node, the lock is left out.
    qint64 unreadable() const { return m_unreadable; }
    bool isCut() const { return m_isCut; }

private:
    /// Of some folders.
    struct Found
    {
        QList<KeyLock> locks;
        qint64 unreadable = 0; ///< as unreadable()
    };

    std::optional<LockError> readLocks(detail::ZooKeeperSession &session, const QList<detail::TreeFolder> &folders,
                                       Found *found) const;
    std::optional<LockError> readLock(detail::ZooKeeperSession &session, const detail::TreeFolder &folder,
                                      const QByteArrayList &requests, Found *found) const;
    QByteArrayList requestsIn(const detail::TreeFolder &folder) const;

    const QList<KeyConvention> m_conventions;
    const qsizetype m_mostNodes;
    qint64 m_unreadable = 0;
    bool m_isCut = false;
};

/// Where a holder's node is.
QByteArray nodePath(const KeyLock &lock, const KeyHolder &holder);

} // namespace lockscope
