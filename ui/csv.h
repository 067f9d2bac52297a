#pragma once

#include <QtCore/QByteArray>

class QAbstractItemModel;

namespace lockscope::ui {

/// A table as it is shown, with its headers, as CSV (RFC 4180, UTF-8).
QByteArray toCsv(const QAbstractItemModel &model);

} // namespace lockscope::ui
