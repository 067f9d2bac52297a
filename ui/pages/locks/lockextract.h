// SPDX-License-Identifier: MIT
#pragma once

#include "locks/lockgroups.h"
#include "locks/snapshotdiff.h"

#include <QtCore/QStringList>

namespace lockscope::ui {

/// Rows that leave the window, as they are at one moment. A value: there may be very many rows, so their text is made
/// in whatever thread has the time.
struct LockExtract
{
    enum class Format { Names, Text, Csv, Json };

    QList<LockItem> items;
    QStringList headers;
    QMap<int, ServerTime> times; ///< of their servers, by their numbers
    ServerNames servers = {};    ///< empty: there is one, which needs no name

    /// UTF-8; as JSON what lockctl has of each lock, without those that vanished.
    QByteArray as(Format format) const;
};

} // namespace lockscope::ui
