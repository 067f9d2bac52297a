// SPDX-License-Identifier: MIT
// Statements about other programs' tables, whose columns are known only when they are found.
#pragma once

#include "tablelock.h"

namespace lockscope {

/// Values are read as text, of at most this many characters; longer ones are told apart by their beginning.
constexpr int kMaxValueCharacters = 1024;

/// The column's value as text, the same in every session of Lockscope, whatever its character set and type are.
QByteArray textExpression(const TableColumn &column);
/// Rows whose locks may be held, at most `limit`.
QByteArray readStatement(const LockTable &table, int limit);
/// True for the rows in which every value is the one that was seen.
QByteArray guardOf(const TableLock &lock);
/// The statement that releases, as the program itself would. Empty: there is none.
QByteArray releaseStatement(const TableLock &lock);

} // namespace lockscope
