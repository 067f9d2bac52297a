// SPDX-License-Identifier: MIT
#include "servertime.h"

#include <QtCore/QTimeZone>

namespace lockscope {

QDateTime toDateTime(ServerTime time)
{
    const auto sinceEpoch = std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch());
    return QDateTime::fromMSecsSinceEpoch(sinceEpoch.count(), QTimeZone::utc());
}

ServerTime toServerTime(const QDateTime &time)
{
    return ServerTime(std::chrono::milliseconds(time.toMSecsSinceEpoch()));
}

std::optional<ServerTime> toServerTime(const QVariant &value)
{
    if (value.isNull())
        return std::nullopt;
    return ServerTime(Microseconds(value.toLongLong()));
}

ServerTime SnapshotClock::at(std::chrono::steady_clock::time_point at) const
{
    return server + std::chrono::floor<Microseconds>(at - local);
}

} // namespace lockscope
