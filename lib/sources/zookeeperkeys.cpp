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
            m_unreadable += folder.isRefused ? 1 : 0;
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
        QList<KeyLock> locks;
        if (auto error = readLocks(session, folders, &locks))
            return error;
        take(locks);
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
    QList<KeyLock> locks;
    auto error = readFolders(session, {path}, &folders);
    if (!error)
        error = readLocks(session, folders, &locks);
    if (!error && !locks.isEmpty())
        *lock = locks.constFirst();
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
                                                  QList<KeyLock> *locks) const
{
    for (const TreeFolder &folder : folders) {
        const QByteArrayList requests = requestsIn(folder);
        const bool isNode = mayBeLock(m_conventions, folder.path, KeyType::Node, {});
        if (requests.isEmpty() && !isNode)
            continue;
        KeyFacts facts{folder.path, requests.isEmpty() ? KeyType::Node : KeyType::Folder, {}, {}, 1};
        QByteArrayList nodes;
        for (const QByteArray &request : requests.mid(0, kMaxParts))
            nodes.append(below(folder.path, request));
        if (nodes.isEmpty())
            nodes.append(folder.path);
        if (auto error = readFacts(session, nodes, !requests.isEmpty(), &facts))
            return error;
        facts.size = std::max<qint64>(facts.parts.size(), facts.parts.isEmpty() ? 0 : requests.size());
        if (auto lock = recognise(m_conventions, facts))
            locks->append(*std::move(lock));
    }
    return std::nullopt;
}

/// What does not go with a session is no lock.
std::optional<LockError> ZooKeeperKeys::readFacts(ZooKeeperSession &session, const QByteArrayList &paths, bool isFolder,
                                                  KeyFacts *facts) const
{
    QList<TreeNode> nodes;
    if (auto error = readNodes(session, paths, &nodes))
        return error;
    for (const TreeNode &node : std::as_const(nodes)) {
        if (!node.isEphemeral)
            continue;
        const QByteArray name = isFolder ? node.path.mid(node.path.lastIndexOf('/') + 1) : QByteArray();
        facts->parts.append({name, node.data, node.token, node.madeAt});
    }
    return std::nullopt;
}

} // namespace lockscope
