// SPDX-License-Identifier: MIT
#include "otherlocks.h"

#include "locks/serverrows.h"
#include "locks/tablerows.h"
#include "locktables/rowlockholders.h"

#include <algorithm>
#include <iterator>

namespace lockscope {

void OtherLocks::setWaits(const ServerWaitsPtr &waits)
{
    m_waits = waits;
    m_held = waits ? heldLocks(*waits) : QList<HeldLock>();
    judgeTables();
}

void OtherLocks::setTables(const TableLocksPtr &tables)
{
    m_tables = tables;
    judgeTables();
}

void OtherLocks::judgeTables()
{
    QList<TableLock> locks = m_tables ? m_tables->locks : QList<TableLock>();
    if (m_waits && !locks.isEmpty())
        judgeByRowLocks(m_held, *m_waits, &locks);
    m_tableRows = tableRows(locks, m_tableRows);
}

bool OtherLocks::tellsOf(LockKind kind) const
{
    return kind == LockKind::Table ? m_tables != nullptr : traitsOf(kind).isServers && m_waits;
}

bool OtherLocks::update(const QList<SharedLockRow> &engines)
{
    QList<SharedLockRow> rows;
    m_waiters.clear();
    if (m_waits) {
        const QList<HeldLock> held = withoutLeases(m_held, engines);
        rows = shared(serverRows(held, *m_waits));
        for (const HeldLock &one : held) {
            for (const WaitEdge &edge : one.queue)
                m_waiters.insert(edge.waiter);
        }
    }
    const qsizetype servers = rows.size();
    rows += m_tableRows;
    std::inplace_merge(rows.begin(), rows.begin() + servers, rows.end(),
                       [](const LockRow &a, const LockRow &b) { return a.key < b.key; });
    if (rows == m_rows)
        return false;
    m_rows = std::move(rows);
    return true;
}

void OtherLocks::addTo(LockCounts *counts) const
{
    counts->waiting += m_waiters.size();
    for (const LockRow &row : m_rows) {
        counts->add(row.state);
        if (row.key.kind == LockKind::Table)
            counts->waiting += row.waiters.value_or(0);
        if (row.table && row.state == LockState::Unknown)
            ++counts->unknownTables;
    }
    counts->isAtLeast = m_tables
        && std::any_of(m_tables->unread.cbegin(), m_tables->unread.cend(),
                       [](const UnreadTable &table) { return table.isPartly; });
}

SnapshotClock OtherLocks::clock() const
{
    if (m_waits)
        return m_waits->clock;
    return m_tables ? m_tables->clock : SnapshotClock();
}

LockDetails OtherLocks::details(const LockKey &key) const
{
    LockDetails details;
    details.key = key;
    details.clock = key.kind == LockKind::Table ? m_tables->clock : m_waits->clock;
    const auto row =
        std::lower_bound(m_rows.cbegin(), m_rows.cend(), key,
                         [](const SharedLockRow &one, const LockKey &wanted) { return one->key < wanted; });
    if (row == m_rows.cend() || (*row)->key != key)
        return details;
    details.lock = **row;
    if (key.kind == LockKind::Table)
        return details;
    details.queue = serverQueue(m_held, *m_waits, key);
    if (const ServerSession *holder = m_waits->session(key.session))
        details.holder = *holder;
    details.rows = m_waits->rows.value(key.session);
    return details;
}

} // namespace lockscope
