// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QDateTime>
#include <QtCore/QVariant>

#include <chrono>
#include <optional>

namespace lockscope {

using Microseconds = std::chrono::microseconds;
/// A moment on the server's clock, UTC.
using ServerTime = std::chrono::sys_time<Microseconds>;

/// The same moment for display and for ISO 8601 (milliseconds, UTC).
QDateTime toDateTime(ServerTime time);
/// As exact as `time` is: milliseconds.
ServerTime toServerTime(const QDateTime &time);
/// From a column in microseconds since 1970; none for NULL.
std::optional<ServerTime> toServerTime(const QVariant &value);

/// Carries the server's clock between two polls on this process's monotonic clock.
struct SnapshotClock
{
    ServerTime server{};
    std::chrono::steady_clock::time_point local{};

    /// The server's time at `at`.
    ServerTime at(std::chrono::steady_clock::time_point at) const;
    ServerTime now() const { return at(std::chrono::steady_clock::now()); }
};

} // namespace lockscope
