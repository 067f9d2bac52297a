// SPDX-License-Identifier: MIT
#pragma once

#include "snapshot.h"

#include <QtCore/QHash>

#include <utility>

namespace lockscope {

/// By what a list can be put into groups.
enum class LockGrouping {
    None,
    Holder,   ///< the service
    Resource, ///< the name's first part: what is before the first of / : . # or a digit
    Kind,     ///< kindText()
    Profile,  ///< the program whose table it is in
    Server    ///< what it is called, in a list of several
};

/// What servers are called, by their numbers; empty: there is one.
using ServerNames = QMap<int, QString>;

/// Of which group a row is; empty: of none that has a name.
QString groupOf(const LockRow &row, LockGrouping grouping, const ServerNames &servers = {});

/// Locks that have something in common.
struct LockGroup
{
    QString name;
    qint64 locks = 0;
    qint64 waiting = 0; ///< requests in their queues; of a lock that several sessions hold, those of the longest one

    bool operator==(const LockGroup &) const = default;
};

/// Puts rows into groups one by one.
class LockGroupCounter
{
public:
    /// More than a person reads.
    static constexpr qsizetype MostGroups = 1000;

    explicit LockGroupCounter(LockGrouping grouping, ServerNames servers = {})
        : m_grouping(grouping)
        , m_servers(std::move(servers))
    {
    }
    void add(const LockRow &row);
    /// Those with most waiting first, then those with most locks; at most MostGroups.
    QList<LockGroup> groups() const;

private:
    const LockGrouping m_grouping;
    const ServerNames m_servers;
    QHash<QString, LockGroup> m_groups;
    /// Of a group and a lock of the server's: several may hold it, and who waits for it nearly always waits for them
    /// all.
    QHash<std::pair<QString, LockKey>, int> m_counted;
};

} // namespace lockscope
