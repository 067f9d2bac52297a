// SPDX-License-Identifier: MIT
#pragma once

#include "benchmark.h"
#include "worker.h"

#include <array>

namespace lockscope::bench {

/// Two threads that hand a lock to each other: whoever was handed it by waiting is the next to release it. A hand-over
/// begins only when the server says that the waiter blocks. Whoever derives makes player 0 the holder, and stops both
/// threads before what they use goes.
class Players
{
public:
    explicit Players(const Context &context);
    virtual ~Players() = default;
    Players(const Players &) = delete;
    Players &operator=(const Players &) = delete;

    /// The median of a block of hand-overs, in microseconds: from the release to the return of the waiting acquire.
    double block();
    /// Of every hand-over.
    const Values &all() const { return m_all; }

protected:
    virtual void take(std::size_t player) = 0;
    virtual void give(std::size_t player) = 0;
    /// Gives a row when this player blocks on the server.
    virtual QByteArray isBlockedSql(std::size_t player) const = 0;

    RawClient &control() { return m_control; }
    std::size_t holder() const { return m_holder; }
    Worker &thread(std::size_t player) { return m_threads[player]; }

private:
    double handOver();

    RawClient m_control;
    std::size_t m_holder = 0;
    Values m_all;
    std::array<Worker, 2> m_threads;
};

/// Two engines of which each plays in one thread.
class EnginePlayers : public Players
{
public:
    /// Both acquire `asked`; `isBlockedSql` gives a row when one of them blocks on the server.
    EnginePlayers(const Context &context, LockRequest asked, QByteArray isBlockedSql);
    ~EnginePlayers() override;

    Owner owner() const { return m_engines[0].owner(); }

protected:
    void take(std::size_t player) override;
    void give(std::size_t player) override;
    QByteArray isBlockedSql(std::size_t) const override { return m_isBlockedSql; }

private:
    const LockRequest m_asked;
    const QByteArray m_isBlockedSql;
    std::array<LockEngine, 2> m_engines;
    std::array<LockHandle, 2> m_handles;
};

/// Two raw sessions, each made and ended in its player's thread.
class RawPlayers : public Players
{
public:
    RawPlayers(const Context &context, RawClient::Through through);
    ~RawPlayers() override;

protected:
    RawClient &client(std::size_t player) const { return *m_clients[player]; }
    /// Runs take() in the first player's thread.
    void begin();

private:
    std::array<std::unique_ptr<RawClient>, 2> m_clients;
};

/// Plays all in turn: medians and 95th percentiles, and the ratios with their target. `threaded` plays where the
/// engine's connections have threads of their own.
Report handoverReport(const Context &context, const QString &what, int blocks, Players &engines, Players &raw,
                      Players &driven, Target target, Players *threaded = nullptr);

} // namespace lockscope::bench
