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
    /// One folder, or one node.
    std::optional<LockError> read(detail::ZooKeeperSession &session, const QByteArray &path,
                                  std::optional<KeyLock> *lock);
    /// Folders that the account may not read, at the last walk.
    qint64 unreadable() const { return m_unreadable; }
    bool isCut() const { return m_isCut; }

private:
    std::optional<LockError> readLocks(detail::ZooKeeperSession &session, const QList<detail::TreeFolder> &folders,
                                       QList<KeyLock> *locks) const;
    std::optional<LockError> readFacts(detail::ZooKeeperSession &session, const QByteArrayList &paths, bool isFolder,
                                       KeyFacts *facts) const;
    QByteArrayList requestsIn(const detail::TreeFolder &folder) const;

    const QList<KeyConvention> m_conventions;
    const qsizetype m_mostNodes;
    qint64 m_unreadable = 0;
    bool m_isCut = false;
};

/// Where a holder's node is.
QByteArray nodePath(const KeyLock &lock, const KeyHolder &holder);

} // namespace lockscope
