// SPDX-License-Identifier: MIT
#include "zookeeperkeys.h"

#include "stores/zookeeper/zookeepernames.h"

#include <QtCore/QSet>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

using namespace detail;

/// ZooKeeper's own.
constexpr const char *kSystem = "/zookeeper";

QByteArray below(const QByteArray &folder, const QByteArray &name)
{
    return folder == "/" ? '/' + name : folder + '/' + name;
}

QByteArray nameOf(const TreeNode &node)
{
    return node.path.mid(node.path.lastIndexOf('/') + 1);
}

/// What does not go with a session is no lock.
KeyFacts factsOf(const TreeFolder &folder, const QList<TreeNode> &nodes, const QByteArrayList &requests)
{
    const bool isFolder = !requests.isEmpty();
    KeyFacts facts{folder.path, isFolder ? KeyType::Folder : KeyType::Node};
    for (const TreeNode &node : nodes) {
        const QByteArray name = isFolder ? nameOf(node) : QByteArray();
        if (node.isRefused)
            facts.refused.append(name);
        if (node.isEphemeral)
            facts.parts.append({name, node.data, node.token, node.madeAt});
    }
    facts.size = std::max<qint64>(facts.parts.size(), facts.parts.isEmpty() ? 0 : requests.size());
    return facts;
}

/// Nodes that may not be read, and may hold it: where only the first does, those before the one that is taken for it.
/// `nodes` stand in their order.
qint64 unknownHolders(const QList<TreeNode> &nodes, const std::optional<KeyLock> &lock)
{
    const bool hasFirst = lock && !lock->convention.isHeldByAll;
    const QByteArray first = hasFirst ? nodePath(*lock, lock->holders.constFirst()) : QByteArray();
    const auto end = std::find_if(nodes.cbegin(), nodes.cend(),
                                  [&](const TreeNode &node) { return hasFirst && node.path == first; });
    return std::count_if(nodes.cbegin(), end, [](const TreeNode &node) { return node.isRefused; });
}

} // namespace

QByteArray nodePath(const KeyLock &lock, const KeyHolder &holder)
{
    return holder.part.member.isEmpty() ? lock.name : below(lock.name, holder.part.member);
}

ZooKeeperKeys::ZooKeeperKeys(QList<KeyConvention> conventions, qsizetype mostNodes)
    : m_conventions(std::move(conventions))
    , m_mostNodes(mostNodes)
{
}

std::optional<LockError> ZooKeeperKeys::walk(ZooKeeperSession &session, const QByteArray &root,
                                             const std::stop_token &stop, const Take &take)
{
    QByteArrayList paths{root};
    m_unreadable = 0;
    m_isCut = false;
    QList<TreeFolder> folders;
    for (qsizetype first = 0; first < paths.size() && !stop.stop_requested(); first += folders.size()) {
        if (auto error = readFolders(session, paths.mid(first, kMaxTreeNodes), &folders))
            return error;
        for (TreeFolder &folder : folders) {
            if (stop.stop_requested())
                return std::nullopt;
            const QByteArrayList sorted = requestsIn(folder);
            const QSet<QByteArray> requests(sorted.cbegin(), sorted.cend());
            for (const QByteArray &child : std::as_const(folder.children)) {
                const QByteArray path = below(folder.path, child);
                if (!requests.contains(child) && path != kSystem)
                    paths.append(path);
            }
            const qsizetype slash = folder.path.lastIndexOf('/');
            const bool isInRoot = slash == (root == "/" ? 0 : root.size());
            const bool isLease = isInRoot && folder.path != root && resourceOf(folder.path.mid(slash + 1));
            if (isLease && !queueOf(folder.children).isEmpty())
                folder.children.clear(); // a lease's
        }
        m_isCut = m_isCut || paths.size() > m_mostNodes;
        paths.resize(std::min(paths.size(), m_mostNodes));
        Found found;
        if (auto error = readLocks(session, folders, &found))
            return error;
        m_unreadable += found.unreadable;
        take(found.locks);
    }
    return std::nullopt;
}

std::optional<LockError> ZooKeeperKeys::read(ZooKeeperSession &session, const QByteArray &path,
                                             std::optional<KeyLock> *lock)
{
    lock->reset();
    if (!path.startsWith('/'))
        return std::nullopt;
    QList<TreeFolder> folders;
    Found found;
    auto error = readFolders(session, {path}, &folders);
    if (!error)
        error = readLocks(session, folders, &found);
    if (!error && !found.locks.isEmpty())
        *lock = found.locks.constFirst();
    else if (!error && found.unreadable > 0)
        error = refusedNode();
    return error;
}

/// The children that a convention takes for requests.
QByteArrayList ZooKeeperKeys::requestsIn(const TreeFolder &folder) const
{
    QByteArrayList requests = folder.children;
    requests.removeIf(
        [&](const QByteArray &child) { return !mayBeLock(m_conventions, folder.path, KeyType::Folder, {child}); });
    std::sort(requests.begin(), requests.end(),
              [](const QByteArray &a, const QByteArray &b) { return a.right(10) < b.right(10); });
    return requests;
}

std::optional<LockError> ZooKeeperKeys::readLocks(ZooKeeperSession &session, const QList<TreeFolder> &folders,
                                                  Found *found) const
{
    for (const TreeFolder &folder : folders) {
        found->unreadable += folder.isRefused ? 1 : 0;
        const QByteArrayList requests = requestsIn(folder);
        const bool isNode = mayBeLock(m_conventions, folder.path, KeyType::Node, {});
        if (folder.isRefused || (requests.isEmpty() && !isNode))
            continue;
        if (auto error = readLock(session, folder, requests, found))
            return error;
    }
    return std::nullopt;
}

std::optional<LockError> ZooKeeperKeys::readLock(ZooKeeperSession &session, const TreeFolder &folder,
                                                 const QByteArrayList &requests, Found *found) const
{
    QByteArrayList paths;
    for (const QByteArray &request : requests.mid(0, kMaxParts))
        paths.append(below(folder.path, request));
    if (paths.isEmpty())
        paths.append(folder.path);
    QList<TreeNode> nodes;
    if (auto error = readNodes(session, paths, &nodes))
        return error;
    auto lock = recognise(m_conventions, factsOf(folder, nodes, requests));
    const qint64 unknown = unknownHolders(nodes, lock);
    found->unreadable += unknown;
    if (lock && (unknown == 0 || lock->convention.isHeldByAll))
        found->locks.append(*std::move(lock));
    return std::nullopt;
}

} // namespace lockscope
