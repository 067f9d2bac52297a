// SPDX-License-Identifier: MIT
// Statements about other programs' tables, whose columns are known only when they are found.
#pragma once

#include "tablelock.h"

namespace lockscope {

/// Values are read as text, of at most this many characters; longer ones are told apart by their beginning.
constexpr int kMaxValueCharacters = 1024;

/// The column's value as text, the same in every session of Lockscope, whatever its character set and type are.
QByteArray textExpression(const TableColumn &column);
/// A row of what these statements read.
QList<TableValue> tableValues(const QVariantList &row);
/// Rows whose locks may be held, at most `limit`, those that are held before those whose time is up.
QByteArray readStatement(const LockTable &table, int limit);
/// True for the rows in which every value is the one that was seen.
QByteArray guardOf(const TableLock &lock);
/// What became of the row after the release, in the same transaction, by the values that a release does not set.
QByteArray checkStatement(const TableLock &lock, int limit);
/// The statement that releases, as the program itself would. Empty: there is none.
QByteArray releaseStatement(const TableLock &lock);

} // namespace lockscope
