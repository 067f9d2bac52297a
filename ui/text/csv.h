// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QStringList>

class QAbstractItemModel;

namespace lockscope::ui {

/// One line of CSV (RFC 4180, UTF-8) with its end.
QByteArray csvLine(const QStringList &cells);
/// A table as it is shown, with its headers.
QByteArray toCsv(const QAbstractItemModel &model);
/// Some rows of it.
QByteArray toCsv(const QAbstractItemModel &model, const QList<int> &rows);
/// The same as plain text, with tabs between the cells.
QString toText(const QAbstractItemModel &model, const QList<int> &rows);

} // namespace lockscope::ui
