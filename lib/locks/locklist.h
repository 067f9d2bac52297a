// SPDX-License-Identifier: MIT
#pragma once

#include "snapshotdiff.h"

#include <QtCore/QFlags>
#include <QtCore/QHash>

namespace lockscope {

/// What a list of locks can be sorted by.
enum class LockSort { Resource, State, Owner, Process, Note, HeldFor, Remaining, Token, Waiters, Connection };

/// Groups that a list can be narrowed to.
enum class LockFacet { Held = 1, Orphan = 2, Expired = 4, Kept = 8, Unknown = 16, Waited = 32, Open = 64 };
Q_DECLARE_FLAGS(LockFacets, LockFacet)
Q_DECLARE_OPERATORS_FOR_FLAGS(LockFacets)

/// How a person wants to see the list.
struct LockView
{
    LockSort sort = LockSort::Resource;
    bool descending = false;
    QString filter;                            ///< found in resource, owner or note, any case; empty = all
    LockFacets facets;                         ///< any of these; none = all
    std::chrono::milliseconds ghostTime{2000}; ///< how long a vanished lock stays in the list

    bool operator==(const LockView &) const = default;
};

/// One step of a list: the rows to show now and how they came from the rows before.
struct LockListUpdate
{
    QList<LockItem> items;
    ListDiff diff;       ///< from the items of the update before
    QList<LockRow> rows; ///< that were read, whatever facets and order show
    QByteArray contains; ///< only locks with these bytes were read; empty = all
    LockCounts counts;   ///< of the whole server, whatever filter and facets show
    qint64 read = 0;     ///< locks that were read; fewer than there are when the list was cut
    qint64 shown = 0;    ///< locks in `items`, without those that vanished
    SnapshotClock clock;
    Microseconds cost{};

    bool isCut() const { return counts.total() > read; }
};

/// Turns snapshots into list updates: filter, sort, mark what is new, keep what vanished for a moment.
/// Not thread safe; meant to live in the monitor's thread, so that no window waits for a sort.
class LockListBuilder
{
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    /// The next update. `snapshot` may be the same as last time when only the view changed.
    LockListUpdate build(const LockSnapshot &snapshot, const LockView &view, TimePoint now);
    /// When a vanished row has to leave the list; none when there is none.
    std::optional<TimePoint> nextGhostEnd(const LockView &view) const;

private:
    void noteChanges(const LockSnapshot &snapshot, const LockView &view, TimePoint now);

    struct Seen
    {
        quint64 token = 0;
        std::optional<TimePoint> appearedAt;
    };
    QHash<LockKey, Seen> m_seen; ///< locks of the last snapshot
    QList<LockItem> m_ghosts;
    LockSnapshot m_last;
    QList<LockItem> m_items;
    bool m_isFirst = true;
};

} // namespace lockscope
