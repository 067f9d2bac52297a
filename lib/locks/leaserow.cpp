// SPDX-License-Identifier: MIT
#include "leaserow.h"

#include "engine/unique/leaserelease_p.h"

namespace lockscope {

namespace {

using namespace detail; // LeaseColumn

constexpr qsizetype kMostOwners = 50'000;

} // namespace

Owner OwnerTexts::owner(const QByteArray &json)
{
    const auto known = m_owners.constFind(json);
    if (known != m_owners.cend())
        return *known;
    if (m_owners.size() >= kMostOwners)
        m_owners.clear();
    return *m_owners.insert(json, Owner::fromJson(json));
}

LockState leaseStateOf(bool kept, bool alive, bool past, bool serverShows)
{
    if (kept)
        return LockState::Kept;
    if (past)
        return LockState::Expired;
    if (alive)
        return LockState::Held;
    return serverShows ? LockState::Orphan : LockState::Unknown;
}

LockRow toHeldRow(LockKind kind, const QVariantList &values, ServerTime now, bool serverShows, OwnerTexts *owners)
{
    LockRow row;
    row.key.kind = kind;
    row.key.resource = values.value(ResourceCol).toByteArray();
    row.key.slot = values.value(SlotCol).toInt();
    row.token = values.value(TokenCol).toULongLong();
    if (const QVariant holder = values.value(HolderCol); !holder.isNull())
        row.connectionId = holder.toULongLong();
    row.sessionAlive = row.connectionId.has_value();
    row.acquiredAt = toServerTime(values.value(AcquiredCol));
    row.expiresAt = toServerTime(values.value(ExpiresCol));
    if (const QVariant ttl = values.value(TtlCol); !ttl.isNull())
        row.ttl = Microseconds(ttl.toLongLong());
    row.owner = owners->owner(values.value(OwnerCol).toByteArray());
    row.note = values.value(NoteCol).toByteArray();
    row.waiters.reset(); // found later
    row.state = leaseStateOf(values.value(KeptCol).toBool(), row.sessionAlive, row.expiresAt && *row.expiresAt <= now,
                             serverShows);
    return row;
}

} // namespace lockscope
