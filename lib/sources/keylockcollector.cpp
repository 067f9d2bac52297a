// SPDX-License-Identifier: MIT
#include "keylockcollector.h"

#include "locks/keyrows.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

namespace lockscope {

namespace {

constexpr int kRests = 9;
constexpr std::chrono::milliseconds kLongestRest{1000};

} // namespace

void restAfter(std::chrono::steady_clock::duration atWork, const std::stop_token &stop)
{
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any woken; // by the token alone
    woken.wait_for(lock, stop, std::min<std::chrono::steady_clock::duration>(atWork * kRests, kLongestRest),
                   [] { return false; });
}

KeyLockCollector::KeyLockCollector(const KeyWalk &walk, const std::stop_token &stop)
    : m_walk(walk)
    , m_stopped(stop, [this] { m_enough.request_stop(); })
{
}

void KeyLockCollector::add(const QList<KeyLock> &locks)
{
    QList<LockRow> rows;
    for (const KeyLock &lock : locks) {
        rows.append(toRow(lock));
        m_rows.insert_or_assign(lock.name, rows.last());
    }
    if (m_walk.onStep)
        m_walk.onStep(rows);
    if (qsizetype(m_rows.size()) > m_walk.limit)
        m_enough.request_stop();
    if (m_walk.isResting)
        restAfter(std::chrono::steady_clock::now() - m_stepBegan, enough());
    m_stepBegan = std::chrono::steady_clock::now();
}

void KeyLockCollector::finish(KeyLocks *found) const
{
    for (const auto &[name, row] : m_rows)
        found->rows.append(row);
    found->isCut = found->isCut || found->rows.size() > m_walk.limit;
}

QList<Waiter> waitersOf(const KeyLock &lock)
{
    QList<Waiter> waiters;
    for (const KeyHolder &request : lock.queue) {
        Waiter waiter;
        waiter.position = int(waiters.size()) + 1;
        waiter.owner.service = request.text;
        waiter.since = request.since;
        waiters.append(waiter);
    }
    return waiters;
}

} // namespace lockscope
