// SPDX-License-Identifier: MIT
#pragma once

#include "lockfilter.h"
#include "lockgroups.h"
#include "snapshotdiff.h"

#include <QtCore/QFlags>
#include <QtCore/QSet>

namespace lockscope {

/// What a list of locks can be sorted by.
enum class LockSort { Resource, State, Owner, Process, Note, HeldFor, Remaining, Token, Waiters, Connection, Server };

/// Groups that a list can be narrowed to.
enum class LockFacet { Held = 1, Orphan = 2, Expired = 4, Kept = 8, Unknown = 16, Waited = 32, Open = 64 };
Q_DECLARE_FLAGS(LockFacets, LockFacet)
Q_DECLARE_OPERATORS_FOR_FLAGS(LockFacets)

/// How a person wants to see the list.
struct LockView
{
    LockSort sort = LockSort::Resource;
    bool descending = false;
    QString filter;    ///< as LockFilter reads it; empty = all
    LockFacets facets; ///< any of these; none = all
    LockGrouping grouping = LockGrouping::None;
    ServerNames servers;
    std::optional<QString> within;             ///< only this group of it; none = all
    std::chrono::milliseconds ghostTime{2000}; ///< how long a vanished lock stays in the list

    bool operator==(const LockView &) const = default;
};

/// One step of a list: the rows to show now and how they came from the rows before.
struct LockListUpdate
{
    QList<LockItem> items;
    ListDiff diff;                          ///< from the items of the update before
    QList<SharedLockRow> rows;              ///< that were read, whatever facets and order show
    QByteArray contains;                    ///< only locks with these bytes were read; empty = all
    std::optional<FilterError> filterError; ///< what of the filter cannot be understood: it is looked for as it stands
    bool isFilling = false;                 ///< as LockSnapshot::isFilling
    QList<LockGroup> groups;                ///< of what filter and facets show, whichever of them is looked into
    LockCounts counts;                      ///< of the whole server, whatever filter and facets show
    qint64 read = 0;                        ///< locks that were read; fewer than there are when the list was cut
    qint64 shown = 0;                       ///< locks in `items`, without those that vanished
    SnapshotClock clock;
    QMap<int, SnapshotClock> clocks; ///< as LockSnapshot::clocks
    QMap<int, KeyPasses> keyPasses;  ///< the same
    Microseconds cost{};

    bool isCut() const { return counts.total() > read; }
};

/// Turns snapshots into list updates: filter, sort, mark what is new, keep what vanished for a moment. Rows that are
/// the same as in the snapshot before (SharedLockRow: the same pointer) keep their place; only others are filtered and
/// sorted again, unless the view asks for something else.
/// Not thread safe; meant to live in a thread of its own, so that no window waits for a sort.
class LockListBuilder
{
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    /// The next update. `snapshot` may be the same as last time when only the view changed.
    LockListUpdate build(const LockSnapshot &snapshot, const LockView &view, TimePoint now);
    /// When a vanished row has to leave the list; none when there is none.
    std::optional<TimePoint> nextGhostEnd(const LockView &view) const;

private:
    /// A lock of the last snapshot.
    struct Known
    {
        SharedLockRow row;
        std::optional<TimePoint> appearedAt;
        bool matches = false; ///< filter and facets
        bool passes = false;  ///< … and is in the group that is looked into
    };
    /// How the shown list becomes the next one.
    struct Step
    {
        QSet<const LockRow *> dropped; ///< rows that are shown and go, or come back as another
        QList<LockItem> fresh;
        bool isSameView = false;
        bool canReport = false; ///< what is new and what is gone
        QSet<int> strangers;    ///< but not of these servers, which were not in the list or are no more
    };

    bool matches(const LockRow &row) const;
    bool isWithin(const LockRow &row) const;
    void setView(const LockView &view, Step *step);
    void compare(const LockSnapshot &snapshot, TimePoint now, Step *step);
    Known see(const SharedLockRow &row, const Known *before, TimePoint now, Step *step) const;
    void vanish(const Known &gone, TimePoint now, Step *step);
    void addGhosts(TimePoint now, Step *step);
    QList<LockItem> arrange(Step step) const;
    QList<LockGroup> groups() const;

    QList<Known> m_known; ///< sorted by key, as the snapshot's rows
    QList<LockItem> m_ghosts;
    LockSnapshot m_last;
    LockView m_view;
    LockFilter m_filter; ///< of m_view
    std::optional<FilterError> m_filterError;
    QList<LockItem> m_items;
    bool m_isFirst = true;
};

} // namespace lockscope
