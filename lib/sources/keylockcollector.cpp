// SPDX-License-Identifier: MIT
#include "keylockcollector.h"

#include "locks/keyrows.h"

namespace lockscope {

KeyLockCollector::KeyLockCollector(qsizetype limit, const std::stop_token &stop)
    : m_limit(limit)
    , m_stopped(stop, [this] { m_enough.request_stop(); })
{
}

void KeyLockCollector::add(const QList<KeyLock> &locks)
{
    for (const KeyLock &lock : locks)
        m_rows.insert_or_assign(lock.name, toRow(lock));
    if (qsizetype(m_rows.size()) > m_limit)
        m_enough.request_stop();
}

void KeyLockCollector::finish(KeyLocks *found) const
{
    for (const auto &[name, row] : m_rows)
        found->rows.append(row);
    found->isCut = found->isCut || found->rows.size() > m_limit;
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
