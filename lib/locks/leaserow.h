// SPDX-License-Identifier: MIT
#pragma once

#include "snapshot.h"

#include <QtCore/QHash>
#include <QtCore/QVariant>

namespace lockscope {

/// Owners by their text: many leases have the same one, and reading it costs more than all else of a row.
/// Not thread safe.
class OwnerTexts
{
public:
    Owner owner(const QByteArray &json);

private:
    QHash<QByteArray, Owner> m_owners;
};

/// `serverShows`: the server tells whether a session lives. `past`: its time is up.
LockState leaseStateOf(bool kept, bool alive, bool past, bool serverShows);

/// A lease or a row of pessimistic mode, from the columns of monitor/list; who waits is found later.
LockRow toHeldRow(LockKind kind, const QVariantList &values, ServerTime now, bool serverShows, OwnerTexts *owners);

} // namespace lockscope
