// SPDX-License-Identifier: MIT
#pragma once

#include "locks/locklist.h"

#include <algorithm>
#include <memory>

namespace lockscope::test {

/// Feeds a model the way the monitor does: snapshots in, updates out, each made from the one before.
class ListMaker
{
public:
    using UpdatePtr = std::shared_ptr<const LockListUpdate>;

    /// Without ghosts unless a test asks for them.
    ListMaker() { view.ghostTime = std::chrono::milliseconds::zero(); }

    UpdatePtr next(const QList<LockRow> &rows, LockListBuilder::TimePoint now = std::chrono::steady_clock::now())
    {
        LockSnapshot snapshot;
        QList<LockRow> sorted = rows;
        std::sort(sorted.begin(), sorted.end(), [](const LockRow &a, const LockRow &b) { return a.key < b.key; });
        snapshot.rows = shared(sorted);
        for (const LockRow &row : rows)
            snapshot.counts.add(row.state);
        return std::make_shared<const LockListUpdate>(m_builder.build(snapshot, view, now));
    }

    static LockRow row(const QByteArray &resource, quint64 token = 1)
    {
        LockRow made;
        made.key.resource = resource;
        made.state = LockState::Held;
        made.sessionAlive = true;
        made.token = token;
        return made;
    }

    static LockRow rowLock(const QByteArray &resource, const std::optional<int> &waiters)
    {
        LockRow made = row(resource, 0);
        made.key.kind = LockKind::Row;
        made.waiters = waiters;
        return made;
    }

    static LockRow version(const QByteArray &resource, const AttemptCounts &recent)
    {
        LockRow made;
        made.key = {LockKind::Version, resource, 0};
        made.state = LockState::Open;
        made.attempts.emplace();
        made.attempts->version = 1204;
        made.attempts->total = {100, 100};
        made.attempts->recent = recent;
        return made;
    }

    static QList<LockRow> rows(int count)
    {
        QList<LockRow> made;
        for (int i = 0; i < count; ++i)
            made.append(row(QByteArray::number(i).rightJustified(6, '0')));
        return made;
    }

    LockView view;

private:
    LockListBuilder m_builder;
};

} // namespace lockscope::test
