// SPDX-License-Identifier: MIT
#include "zookeepererror.h"

#include <zookeeper/zookeeper.h>

#include <algorithm>
#include <array>

namespace lockscope::detail {

namespace {

using Kind = LockError::Kind;

constexpr int kQuotaExceeded = -125; // of newer servers; the client has no name for it

struct Known
{
    int code;
    Kind kind;
    const char *message;
};

constexpr std::array kKnown{
    Known{ZNOAUTH, Kind::NoPermission,
          "The ZooKeeper user lacks a permission on these nodes. It needs to create, delete, read and write below the "
          "path of the URL."},
    Known{ZAUTHFAILED, Kind::AccessDenied, "ZooKeeper refuses this user or password."},
    Known{ZINVALIDACL, Kind::AccessDenied, "ZooKeeper does not know this user. Give the user and its password."},
    Known{ZNOTREADONLY, Kind::ReadOnlyServer,
          "This ZooKeeper is read-only: it is cut off from most of its ensemble. Try again when they are together."},
    Known{ZNOCHILDRENFOREPHEMERALS, Kind::ServerFault,
          "Another program has a node of its own where the lock's folder should be. Choose another path in the "
          "ZooKeeper URL."},
    Known{kQuotaExceeded, Kind::DiskFull, "The quota of these nodes in ZooKeeper is used up. Raise it."},
    Known{ZTHROTTLEDOP, Kind::Unavailable, "ZooKeeper has too much to do and refuses requests. Try again later."},
    Known{ZUNIMPLEMENTED, Kind::UnsafeServer, "This ZooKeeper is too old for locks: it must be 3.5 or newer."},
    Known{ZBADARGUMENTS, Kind::ServerFault, "ZooKeeper does not take such a node."},
};

} // namespace

LockError zooKeeperError(int code, const QByteArray &operation)
{
    LockError error;
    error.code = code;
    error.serverText = QString::fromUtf8(zerror(code));
    error.statement = QString::fromLatin1(operation);
    if (isAnswerLost(code) || isSessionOver(code)) {
        error.kind = Kind::ConnectionLost;
        error.connectionGone = true;
        error.message = isSessionOver(code) ? QStringLiteral("The session at ZooKeeper has ended.")
                                            : QStringLiteral("ZooKeeper did not answer in time.");
        return error;
    }
    const auto known =
        std::find_if(kKnown.begin(), kKnown.end(), [&](const Known &candidate) { return candidate.code == code; });
    error.kind = known != kKnown.end() ? known->kind : Kind::ServerFault;
    error.message = known != kKnown.end() ? QString::fromLatin1(known->message)
                                          : QStringLiteral("ZooKeeper answered with an error that is not expected.");
    return error;
}

LockError zooKeeperUnavailable(const QString &message)
{
    LockError error;
    error.kind = Kind::Unavailable;
    error.message = message;
    error.connectionGone = true;
    return error;
}

LockError zooKeeperOutOfReach()
{
    return zooKeeperUnavailable(QStringLiteral("ZooKeeper cannot be reached."));
}

LockError zooKeeperCounterUsedUp(const QByteArray &folder)
{
    LockError error;
    error.kind = Kind::UnsafeServer;
    error.message =
        QStringLiteral("The lock's folder %1 has had as many nodes as ZooKeeper can count, so nobody knows who comes "
                       "first. Remove the folder while nobody uses the lock: then it counts from 0 again.")
            .arg(QString::fromUtf8(folder));
    return error;
}

bool isAnswerLost(int code)
{
    return code == ZCONNECTIONLOSS || code == ZOPERATIONTIMEOUT || code == ZCLOSING || code == ZSESSIONMOVED;
}

bool isSessionOver(int code)
{
    return code == ZSESSIONEXPIRED || code == ZINVALIDSTATE;
}

bool isNodeThere(int code)
{
    return code == ZNODEEXISTS;
}

bool isNodeMissing(int code)
{
    return code == ZNONODE;
}

bool isZooKeeperAway(const LockError &error)
{
    return error.kind == Kind::Unavailable || error.kind == Kind::ConnectionLost;
}

} // namespace lockscope::detail
