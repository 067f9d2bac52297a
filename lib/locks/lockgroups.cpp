// SPDX-License-Identifier: MIT
#include "lockgroups.h"

#include "lockjson.h"

#include <algorithm>
#include <tuple>

namespace lockscope {

namespace {

bool endsFirstPart(char c)
{
    return c == '/' || c == ':' || c == '.' || c == '#' || (c >= '0' && c <= '9');
}

} // namespace

QString groupOf(const LockRow &row, LockGrouping grouping, const ServerNames &servers)
{
    switch (grouping) {
    case LockGrouping::Holder:
        return row.owner.service;
    case LockGrouping::Resource: {
        const QByteArray &name = row.key.resource;
        const auto end = std::find_if(name.cbegin(), name.cend(), endsFirstPart);
        return QString::fromUtf8(name.left(end - name.cbegin()));
    }
    case LockGrouping::Kind:
        return kindText(row.key.kind);
    case LockGrouping::Profile:
        if (row.keyLock)
            return row.keyLock->convention.title;
        return row.table ? row.table->table.profile.title : QString();
    case LockGrouping::Server:
        return servers.value(row.key.server);
    case LockGrouping::None:
        break;
    }
    return {};
}

void LockGroupCounter::add(const LockRow &row)
{
    const QString name = groupOf(row, m_grouping, m_servers);
    LockGroup &group = m_groups[name];
    ++group.locks;
    const int waiters = row.waiters.value_or(0);
    if (!traitsOf(row.key.kind).isServers) {
        group.waiting += waiters;
        return;
    }
    LockKey object = row.key;
    object.session = 0;
    int &counted = m_counted[{name, object}];
    group.waiting += std::max(0, waiters - counted);
    counted = std::max(counted, waiters);
}

QList<LockGroup> LockGroupCounter::groups() const
{
    QList<LockGroup> groups;
    groups.reserve(m_groups.size());
    for (auto it = m_groups.cbegin(); it != m_groups.cend(); ++it)
        groups.append({it.key(), it->locks, it->waiting});
    std::sort(groups.begin(), groups.end(), [](const LockGroup &a, const LockGroup &b) {
        return std::tie(b.waiting, b.locks, a.name) < std::tie(a.waiting, a.locks, b.name);
    });
    if (groups.size() > MostGroups)
        groups.resize(MostGroups);
    return groups;
}

} // namespace lockscope
