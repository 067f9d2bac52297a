// SPDX-License-Identifier: MIT
#pragma once

#include "lockrequest.h"
#include "measurement.h"
#include "serverurl.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <chrono>
#include <functional>
#include <memory>

namespace lockscope {

class LockStore;

/// What an engine needs to know. A plain value.
struct EngineConfig
{
    ServerUrl server;
    QString password;
    /// The application's name, stored with each lease.
    QString service;
    /// Put in front of every resource's name, and counted in its length: applications that share tables keep out of
    /// each other's way. At most MaxPrefixBytes bytes. Handles and snapshots give names without it, consoles with it.
    /// Names in an application's own versioned table have none.
    QByteArray namePrefix = {};
    /// Upper bound of this engine's connections, at least 4. Two of them serve presence and renewal. See lib/README.md.
    int maxConnections = 32;
    /// A free row that was last taken longer ago than this is removed; its token goes on in `lock_meta`.
    Duration idleRowsKept = std::chrono::hours(1);
    /// Rows of `lock_event` and `lock_latency` are removed when they are older than this; Forever keeps them. Among
    /// engines with different values the shortest one decides. Rows of `lock_attempt` are kept as long as those of
    /// `lock_latency`.
    Duration eventsKept = std::chrono::hours(24 * 30);
    Duration latencyKept = std::chrono::hours(48);
    /// How long once() remembers what was done; Forever: always. Among engines with different values as above.
    Duration doneKept = std::chrono::hours(24 * 30);
    /// Counts how long acquiring, committing and holding take, and how the optimistic commits of each resource end.
    /// Writes it to `lock_latency` and `lock_attempt` every 5 s when there was something.
    bool measuresLatency = true;
    /// Called for every acquire that asked the server, every optimistic commit and every hold that ended; for an
    /// application's own metrics. Runs in the thread that acquires, commits or releases, or in the engine's thread that
    /// found the loss: be quick, do not throw, do not call the engine from it. What it captured may outlive the engine.
    std::function<void(const Measurement &)> onMeasured = {};
    /// Where leases live in place of MySQL; the application links the library that has it. Then `server`, `password`,
    /// `maxConnections` and what is kept for how long mean nothing, and unique mode is the only one: what needs a
    /// transaction is refused. Null: MySQL or MariaDB. A store has one engine.
    std::shared_ptr<LockStore> store = nullptr;
};

/// How many asynchronous requests one engine may have under way at a time; each waits in a thread of its own. Far above
/// the connections that they may use, so that a request meets the bound of these first.
inline constexpr int MaxAsyncRequests = 1000;

} // namespace lockscope
