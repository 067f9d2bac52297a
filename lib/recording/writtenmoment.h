// SPDX-License-Identifier: MIT
#pragma once

#include "recording.h"

#include <optional>

namespace lockscope {

/// A moment of a recording as a person writes it.
struct WrittenMoment
{
    bool isTime = false;          ///< false: the text is none
    std::optional<ServerTime> at; ///< none of a time of day: the recording has no such one
};

/// ISO 8601, a space for its T too, else a time of day, which is the last such one of the recording: 03:12, 03:12:30Z,
/// 2026-11-26 03:12. Where it says no zone, in UTC or in this machine's.
WrittenMoment momentOf(const QString &written, const RecordingInfo &info, bool isUtc = false);

} // namespace lockscope
