// SPDX-License-Identifier: MIT
// How another program keeps its locks in Redis, ZooKeeper or etcd. resources/conventions/README.md has the format.
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QRegularExpression>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <optional>

namespace lockscope {

enum class KeyStore { Redis, ZooKeeper, Etcd };

/// What a key has to be. Of Redis its types; of ZooKeeper a folder of numbered nodes, or one node; of etcd one key.
enum class KeyType { String, Hash, SortedSet, Folder, Node, Key };
/// "string", "hash", "zset", "folder", "node", "key": as conventions write it, and Redis the first three.
QString typeName(KeyType type);
KeyStore storeOf(KeyType type);

/// What the score of a member of a sorted set tells, in milliseconds since 1970.
enum class KeyScore { Nothing, Until, Since };

struct KeyRelease
{
    bool isOffered = false;
    bool isOfLeader = false; ///< another one becomes the leader: not without a second question
    QByteArray script;       ///< Lua, of Redis: what to do instead of only removing what was shown
    QString reason;          ///< why it is not offered
    QString warning;         ///< what becomes of the holder

    bool operator==(const KeyRelease &) const = default;
};

struct KeyConvention
{
    QString id; ///< the file's name
    QString title;
    QString source;      ///< where its facts are from
    bool isOwn = false;  ///< the user's: goes before those that come with Lockscope
    QStringList servers; ///< addresses that it is for, a * for anything; none: all

    QStringList names; ///< of the key, a * for anything
    KeyType type = KeyType::String;
    QRegularExpression member;  ///< of a field, a member, a node in a folder: who holds, or waits
    QRegularExpression value;   ///< of a value, or of a node's data
    QRegularExpression others;  ///< of further fields and members, which hold nothing
    QRegularExpression readers; ///< of those in a folder that hold it together, up to the next that is none
    bool isHeldByAll = false;   ///< all in a folder hold it, else the first one
    KeyScore score = KeyScore::Nothing;
    std::optional<bool> hasEnd; ///< whether the key has a TTL; none: either
    bool isGuess = false;       ///< it may be no lock at all
    QStringList queues;         ///< lists of who waits; a * is the key's name
    QStringList tokens;         ///< keys with the fencing token, of which one is there; the same
    QString note;               ///< what a person should know of such a lock

    KeyRelease release;

    KeyStore store() const { return storeOf(type); }
    bool isFor(const QString &server) const;
    bool isNamed(const QByteArray &name) const;
    bool operator==(const KeyConvention &) const = default;

    QRegularExpression namePattern = {}; ///< of `names`
};

/// Of the whole text by any of these globs, in which a * is anything; case does not matter.
QRegularExpression globPattern(const QStringList &globs);

} // namespace lockscope
