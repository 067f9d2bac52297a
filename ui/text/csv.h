// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QStringList>

#include <functional>

class QAbstractItemModel;

namespace lockscope::ui {

/// One line of CSV (RFC 4180, UTF-8) with its end.
QByteArray csvLine(const QStringList &cells);
/// The cells of a row.
using RowCells = std::function<QStringList(qsizetype row)>;
/// Rows below their headers.
QByteArray toCsv(const QStringList &headers, qsizetype rows, const RowCells &cells);
/// The same as plain text, with tabs between the cells.
QString toText(const QStringList &headers, qsizetype rows, const RowCells &cells);
/// A table as it is shown.
QByteArray toCsv(const QAbstractItemModel &model);

} // namespace lockscope::ui
