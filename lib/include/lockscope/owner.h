// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope_export.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace lockscope {

/// Who asks for a lock. Stored with the lease as JSON so that any console can show it. A plain value.
struct LOCKSCOPE_EXPORT Owner
{
    QString service; ///< the application's name, as it names itself
    QString host;
    qint64 pid = 0;
    QString thread;      ///< thread number in that process, or the caller's own owner key
    QByteArray session;  ///< 32 hex digits, random per engine
    QByteArray key = {}; ///< 16 hex digits that stand for the caller's own owner key; empty for a thread

    /// At most 512 bytes; longer service and host names are shortened in the middle with "…".
    QByteArray toJson() const;
    /// An owner with empty fields where the text does not say; never fails.
    static Owner fromJson(const QByteArray &json);
    /// "billing@a7:812/3"
    QString toString() const;

    bool operator==(const Owner &) const = default;
};

} // namespace lockscope
