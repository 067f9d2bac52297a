// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/owner.h"
#include "stores/storenote.h"

#include <QtCore/QByteArray>
#include <QtCore/QByteArrayList>
#include <QtCore/QString>

#include <optional>

// What a lock looks like in ZooKeeper: /locks/orders%2F42/_c_<uuid>-lock-0000000007. A folder for each resource; a node
// in it for each request, in the order of their numbers, of which the first one holds the lock. These are the names and
// the order of Curator's InterProcessMutex.
namespace lockscope::detail {

/// The resource as one part of a path: ASCII letters, digits and most signs as they are, other bytes as %XX. No two
/// resources have the same.
QByteArray partOf(const QByteArray &resource);
/// None: no resource has it.
std::optional<QByteArray> resourceOf(const QByteArray &part);

/// Begins the names of one request's node, and of no other one.
QByteArray newNodePrefix();

/// "0000000007" of "…lock-0000000007", "-2147483648" where the folder's counter has overflown; empty: not a request's.
/// What else lies in the folder is left alone.
QByteArray numberOf(const QByteArray &node);
/// False: it may have been given twice, or come after greater ones.
bool hasOrder(const QByteArray &node);
/// Of the children of a folder those that are requests', first one first.
QByteArrayList queueOf(const QByteArrayList &children);
/// The nearest one before `node`, which has an order; empty: it is the first one. Negative numbers are before all
/// others, as they are for Curator. Nothing: `node` is not among them.
std::optional<QByteArray> before(const QByteArrayList &children, const QByteArray &node);

/// What a node says of its request.
struct ZooKeeperNote
{
    Owner owner = {};
    QByteArray note = {};
    StoreAsks asks = {};
    bool isOurs = false; ///< false: another program wrote it; `owner` may have a host then
};

QByteArray noteData(const QByteArray &ownerJson, const QByteArray &note);
/// With a request to release in it.
QByteArray askedData(const QByteArray &data, const QString &reason);
/// Of any data.
ZooKeeperNote noteOf(const QByteArray &data);

} // namespace lockscope::detail
