// SPDX-License-Identifier: MIT
#pragma once

#include "storefixture.h"

#include <memory>

namespace lockscope::test {

/// One kind of store, with a real server of the test's own: what tests need to know of it that run on each kind.
class StoreBench
{
public:
    StoreBench() = default;
    virtual ~StoreBench() = default;
    StoreBench(const StoreBench &) = delete;
    StoreBench &operator=(const StoreBench &) = delete;

    /// A test function begins so: the server runs, and has no locks.
    virtual void begin() = 0;
    virtual std::unique_ptr<LockEngine> newEngine() = 0;
    /// One whose leases of the shortest TTL end soon when nobody renews them.
    virtual std::unique_ptr<LockEngine> newHastyEngine() { return newEngine(); }
    /// A process with such an engine.
    virtual std::unique_ptr<StoreWorker> newWorker() = 0;
    virtual Duration shortestTtl() const = 0;
    /// That wait for a lease that somebody holds.
    virtual int waiters(const QByteArray &resource) = 0;

    bool haveJoined(int count, const QByteArray &resource = "r")
    {
        return eventually([&] { return waiters(resource) == count; });
    }
};

} // namespace lockscope::test
