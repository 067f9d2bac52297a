// SPDX-License-Identifier: MIT
#pragma once

#include "zookeepersession.h"

#include "lockscope/heldleases.h"

// Nodes of any program, for consoles: what is read is as the connected server has it, which may be late.
namespace lockscope::detail {

struct TreeNode
{
    QByteArray path;
    QByteArray data;
    quint64 token = 0; ///< czxid; 0: it is gone, or isRefused
    ServerTime madeAt{};
    int version = 0;
    bool isEphemeral = false; ///< it goes with a session
    bool isRefused = false;   ///< the account may not read it: it is there, and nothing else is known of it
};

/// The names below one node.
struct TreeFolder
{
    QByteArray path;
    QByteArrayList children = {};
    bool isRefused = false; ///< the account may not read it
};

/// At most kMaxTreeNodes at once, of which those that are gone or refused have nothing.
std::optional<LockError> readFolders(ZooKeeperSession &session, const QByteArrayList &paths,
                                     QList<TreeFolder> *folders);
std::optional<LockError> readNodes(ZooKeeperSession &session, const QByteArrayList &paths, QList<TreeNode> *nodes);
inline constexpr qsizetype kMaxTreeNodes = 100;
/// The error of what isRefused, for whom it is one.
LockError refusedNode();

/// Removes a node that is still this one, as the leader has it at a look right before. ZooKeeper has no removal by
/// czxid: of a name that is made again, one that is made after that look, before the removal is with the leader, and
/// never written to would go instead. That is about a round trip, or as long as this process is frozen in between. One
/// that may not be read is left alone: refusedNode().
ForcedRelease removeNode(ZooKeeperSession &session, const QByteArray &path, quint64 token);

} // namespace lockscope::detail
