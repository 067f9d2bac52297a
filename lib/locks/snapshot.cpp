// SPDX-License-Identifier: MIT
#include "snapshot.h"

#include <QtCore/QHash>

#include <algorithm>
#include <tuple>

namespace lockscope {

bool operator<(const LockKey &a, const LockKey &b)
{
    return std::tie(a.resource, a.kind, a.slot, a.session, a.server)
        < std::tie(b.resource, b.kind, b.slot, b.session, b.server);
}

size_t qHash(const LockKey &key, size_t seed) noexcept
{
    return qHashMulti(seed, int(key.kind), key.resource, key.slot, key.session, key.server);
}

QString Event::actor() const
{
    return operatorName.isEmpty() || account.isEmpty() ? operatorName
                                                       : operatorName + QLatin1String(" (") + account + u')';
}

std::optional<quint64> LockRow::endsWith() const
{
    if (traitsOf(key.kind).isServers)
        return isPreparedNumber(key.session) ? std::nullopt : std::optional(key.session);
    return key.kind == LockKind::Row ? connectionId : std::nullopt;
}

std::optional<Microseconds> LockRow::remaining(ServerTime now) const
{
    if (!expiresAt)
        return std::nullopt;
    return *expiresAt - now;
}

std::optional<Microseconds> LockRow::heldFor(ServerTime now) const
{
    if (!acquiredAt)
        return std::nullopt;
    return std::max(Microseconds::zero(), now - *acquiredAt);
}

std::optional<double> AttemptCounts::conflictRate() const
{
    return attempts() == 0 ? std::nullopt : std::optional(double(conflicts) / double(attempts()));
}

void LockCounts::add(LockState state, qint64 n)
{
    switch (state) {
    case LockState::Held:
        held += n;
        return;
    case LockState::Orphan:
        orphan += n;
        return;
    case LockState::Expired:
        expired += n;
        return;
    case LockState::Kept:
        kept += n;
        return;
    case LockState::Open:
        open += n;
        return;
    case LockState::Unknown:
        unknown += n;
        return;
    }
}

LockCounts &LockCounts::operator+=(const LockCounts &other)
{
    held += other.held;
    orphan += other.orphan;
    expired += other.expired;
    kept += other.kept;
    open += other.open;
    unknown += other.unknown;
    unknownTables += other.unknownTables;
    unread += other.unread;
    waiting += other.waiting;
    isWaitingKnown = isWaitingKnown && other.isWaitingKnown;
    isAtLeast = isAtLeast || other.isAtLeast;
    return *this;
}

QList<SharedLockRow> shared(QList<LockRow> rows)
{
    QList<SharedLockRow> list;
    list.reserve(rows.size());
    for (LockRow &row : rows)
        list.append(std::move(row));
    return list;
}

} // namespace lockscope
