// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace lockscope {

/// The columns of a record's key as InnoDB tells them, e.g. "5, 0x6C6564676572", with text instead of hexadecimal
/// digits where a binary column holds text: "5, 'ledger'". Zeros that pad such a column are counted, so that two keys
/// never read the same: "'ledger' + 10 zero bytes".
QByteArray readableKey(const QByteArray &key);

/// Of a record's lock in that mode ("X,GAP", "X,INSERT_INTENTION"): the gap before the record alone.
bool isGapMode(const QString &mode);

} // namespace lockscope
