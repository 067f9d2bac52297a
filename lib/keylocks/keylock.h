// SPDX-License-Identifier: MIT
// A key of another program in Redis, ZooKeeper or etcd that is a lock, and what is known of it. Values.
#pragma once

#include "keyconvention.h"
#include "session/servertime.h"

#include <QtCore/QByteArrayList>

namespace lockscope {

/// What was read of one field, member, node or value.
struct KeyPart
{
    QByteArray member = {}; ///< empty: the key has only a value
    QByteArray value = {};  ///< of a member of a sorted set its score
    // In ZooKeeper and etcd:
    quint64 token = 0;                     ///< czxid, create_revision
    std::optional<ServerTime> madeAt = {}; ///< when it was asked for

    bool operator==(const KeyPart &) const = default;
};

/// What was read of one key.
struct KeyFacts
{
    QByteArray name;
    KeyType type = KeyType::String;
    std::optional<ServerTime> until = {}; ///< of its TTL; none: it has none
    QList<KeyPart> parts = {};
    qint64 size = 0;             ///< fields, members and nodes that it has; those that were read are `parts`
    QByteArrayList refused = {}; ///< nodes of these that the account may not read
};

/// One that holds the lock.
struct KeyHolder
{
    KeyPart part;
    QString text; ///< who it is, as far as the value tells
    std::optional<ServerTime> since = {};
    std::optional<ServerTime> until = {};
    bool isByMember = false; ///< its value is a time that its program writes anew, and says nothing of which hold it is

    /// Which hold this is, as far as its program tells one from the next: the token, the whole value, a member with
    /// its value, "member=value", or where isByMember the member alone: of a sorted set whose convention has a `score`.
    /// A release ends only what still has this, and, once it has looked, only what has still the value of that look.
    QByteArray guard() const;
    bool operator==(const KeyHolder &) const = default;
};

struct KeyLock
{
    KeyConvention convention;
    QByteArray name;
    QList<KeyHolder> holders; ///< at least one
    std::optional<ServerTime> until = {};
    std::optional<qint64> waiters = {}; ///< none: the convention has no queue
    QList<KeyHolder> queue = {};        ///< who waits in the same folder, next one first
    quint64 token = 0;                  ///< the fencing token that its program keeps beside it; 0: none

    /// Null: nobody holds it with this guard.
    const KeyHolder *holder(const QByteArray &guard) const;
    bool operator==(const KeyLock &) const = default;
};

/// What it is by the first convention that fits in name, type and shape; none: no lock that is known. Of any bytes.
/// Any thread.
std::optional<KeyLock> recognise(const QList<KeyConvention> &conventions, const KeyFacts &facts);
/// The same of the members alone, before their values are read: whether it can be one.
bool mayBeLock(const QList<KeyConvention> &conventions, const QByteArray &name, KeyType type,
               const QByteArrayList &members);

/// Longer values and members are no lock's.
inline constexpr qsizetype kMaxPartBytes = 1024;
/// With more fields or members it is no lock that a convention knows.
inline constexpr qint64 kMaxParts = 64;

} // namespace lockscope
