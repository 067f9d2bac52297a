// SPDX-License-Identifier: MIT
#include "zookeepertree.h"

#include "zookeepererror.h"

#include <zookeeper/zookeeper.h>

namespace lockscope::detail {

namespace {

/// Somebody else may write to a node at the same moment.
constexpr int kTries = 3;
constexpr const char *kRead = "zookeeper/tree";

bool isOfOneNode(int code)
{
    return code == ZOK || code == ZNONODE || code == ZNOAUTH;
}

std::optional<LockError> errorOf(int code)
{
    return isOfOneNode(code) ? std::nullopt : std::optional(zooKeeperError(code, kRead));
}

TreeNode nodeOf(const QByteArray &path, const ZooKeeperReply &reply)
{
    TreeNode node;
    node.path = path;
    node.isRefused = reply.code == ZNOAUTH;
    if (reply.code != ZOK)
        return node;
    node.data = reply.text;
    node.token = quint64(reply.token);
    node.madeAt = ServerTime(std::chrono::milliseconds(reply.madeAt));
    node.version = reply.version;
    node.isEphemeral = reply.isEphemeral;
    return node;
}

/// Not as a server has it that is late: that would show the node before, and a new one of its name has the same
/// version.
std::optional<LockError> readNewest(ZooKeeperSession &session, const QByteArray &path, TreeNode *node)
{
    ZooKeeperFlight flight(session);
    flight.sync(path);
    flight.get(path, false);
    flight.wait();
    *node = nodeOf(path, flight[1]);
    auto error = errorOf(flight[0].code);
    return error ? error : errorOf(flight[1].code);
}

} // namespace

std::optional<LockError> readFolders(ZooKeeperSession &session, const QByteArrayList &paths, QList<TreeFolder> *folders)
{
    ZooKeeperFlight flight(session);
    for (const QByteArray &path : paths)
        flight.children(path);
    flight.wait();
    folders->clear();
    for (qsizetype i = 0; i < paths.size(); ++i) {
        const ZooKeeperReply &reply = flight[std::size_t(i)];
        if (auto error = errorOf(reply.code))
            return error;
        folders->append({paths[i], reply.code == ZOK ? reply.names : QByteArrayList(), reply.code == ZNOAUTH});
    }
    return std::nullopt;
}

std::optional<LockError> readNodes(ZooKeeperSession &session, const QByteArrayList &paths, QList<TreeNode> *nodes)
{
    ZooKeeperFlight flight(session);
    for (const QByteArray &path : paths)
        flight.get(path, false);
    flight.wait();
    nodes->clear();
    for (qsizetype i = 0; i < paths.size(); ++i) {
        const ZooKeeperReply &reply = flight[std::size_t(i)];
        if (auto error = errorOf(reply.code))
            return error;
        nodes->append(nodeOf(paths[i], reply));
    }
    return std::nullopt;
}

LockError refusedNode()
{
    return zooKeeperError(ZNOAUTH, kRead);
}

ForcedRelease removeNode(ZooKeeperSession &session, const QByteArray &path, quint64 token)
{
    using Ended = ForcedRelease::Outcome;
    for (int i = 0; i < kTries; ++i) {
        TreeNode node;
        if (auto error = readNewest(session, path, &node))
            return {Ended::Failed, error};
        if (node.isRefused)
            return {Ended::Failed, refusedNode()};
        if (node.token != token)
            return {Ended::TargetChanged, {}};
        ZooKeeperFlight flight(session);
        flight.remove(path, node.version);
        flight.wait();
        const int code = flight[0].code;
        if (code == ZOK)
            return {Ended::Released, {}};
        if (code == ZNONODE)
            return {Ended::TargetChanged, {}};
        if (code != ZBADVERSION)
            return {Ended::Failed, zooKeeperError(code, "zookeeper/force")};
    }
    return {Ended::TargetChanged, {}};
}

} // namespace lockscope::detail
