// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QHash>

namespace lockscope {

/// What one look saw, as items: what tells an item from the others, and the rest of it. So a look is recorded as what
/// changed since the look before, whatever it is about.
using RecordedItems = QHash<QByteArray, QByteArray>;

/// What makes `after` of `before`, compressed; of nothing, a whole look.
QByteArray packedChanges(const RecordedItems &before, const RecordedItems &after);
/// False where the bytes are damaged; then only some of the changes are made.
bool applyChanges(const QByteArray &packed, RecordedItems *items);

/// Compressed, with a checksum. False: damaged.
QByteArray packed(const QByteArray &bytes);
bool unpack(const QByteArray &packed, QByteArray *bytes);

} // namespace lockscope
