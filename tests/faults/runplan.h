// SPDX-License-Identifier: MIT
#pragma once

#include "checker.h"

#include <QtCore/QJsonObject>

#include <chrono>

namespace lockscope::faults {

inline const QString PlainRedisLock = QStringLiteral("redis-set");

/// One run. A plain value; the same plan does the same things at the same times, to the same places.
struct RunPlan
{
    Way way = Way::Unique;
    /// Where leases are: one of test::knownStores(), "redis-set" for a plain lock there without queue and token, or
    /// empty for the server that has what they guard.
    QString store;
    quint64 seed = 1;
    int seconds = 20;
    int processes = 8;
    int threads = 2;   ///< of each process; they share its engine
    int resources = 4; ///< for all of them
    std::chrono::milliseconds ttl{2000};
    std::chrono::milliseconds think{30}; ///< at most, between reading and writing
    /// False: the store takes every write, as one does that knows no tokens.
    bool isFenced = true;
    /// Nothing but freezes, which a TTL alone does not keep from writing.
    bool freezesOnly = false;

    bool isPlainLock() const { return store == PlainRedisLock; }
    /// The store that it takes, as test::World calls it; empty: none.
    QString storeKind() const { return isPlainLock() ? QStringLiteral("redis") : store; }

    QJsonObject toJson() const;
    static RunPlan fromJson(const QJsonObject &json);
};

/// What is done to one place, which a process has, or to the server.
struct Fault
{
    Kind kind = Kind::Killed; ///< Killed, Frozen, Cut, Stalled, Reset, Session; Restart, Crash
    qint64 at = 0;            ///< microseconds after the beginning
    qint64 length = 0;        ///< of those that have an end
    int place = 0;
    quint64 choice = 0; ///< of the connection
};

/// By time. Few enough at a time that most processes have time to come back, and none so late that its end would fall
/// behind the run's.
std::vector<Fault> planFaults(const RunPlan &plan);

const char *nameOf(Way way);
std::optional<Way> wayOf(const QString &name);

} // namespace lockscope::faults
