// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/lockengine.h"
#include "peer.h"

#include <memory>

namespace lockscope::bench {

/// What a bare lock says of its holder: as long as an engine's.
inline constexpr char OwnerText[] =
    R"({"host":"bench","pid":12345,"service":"bench","session":"00000000000000000000000000000000","thread":"1"})";

/// One contender of a lock, without an engine: the plain client of a store, which sends what the engine's protocol
/// cannot do without. Nothing is renewed, and whatever goes wrong ends the program. Thread: one, that which made it.
class BareLock
{
public:
    BareLock() = default;
    virtual ~BareLock() = default;
    BareLock(const BareLock &) = delete;
    BareLock &operator=(const BareLock &) = delete;

    /// Waits in the queue for as long as it takes.
    virtual void take() = 0;
    virtual void give() = 0;
};

/// A private server of one kind, empty at first. Thread: one makes and ends it; any asks it.
class Place
{
public:
    Place() = default;
    virtual ~Place() = default;
    Place(const Place &) = delete;
    Place &operator=(const Place &) = delete;

    /// "Redis, durable"
    virtual QString name() const = 0;
    virtual EngineConfig engineConfig() = 0;
    /// Null: this store has none here.
    virtual std::unique_ptr<BareLock> bareLock(const QByteArray &resource) = 0;
    /// Requests for it, the holder's included.
    virtual int requests(const QByteArray &resource) = 0;
    /// Locks of others on this server, each a process.
    virtual Peers peers() { return {}; }
};

/// What a place keeps when its server, or the machine, crashes.
enum class Keeping { Memory, Durable };

std::unique_ptr<Place> redisPlace(Keeping keeping);
std::unique_ptr<Place> zooKeeperPlace(Keeping keeping);
/// Always durable: it knows no other.
std::unique_ptr<Place> etcdPlace();
std::unique_ptr<Place> mariaDbPlace(Keeping keeping);

} // namespace lockscope::bench
