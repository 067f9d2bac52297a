// SPDX-License-Identifier: MIT
// What a recording cannot tell of a stretch of time: that nothing was seen is not that nothing was.
#pragma once

#include "recording.h"

namespace lockscope {

/// A stretch of which there are no looks; it may reach beyond the one that was asked for.
struct RecordingGap
{
    ServerTime from{};
    std::optional<ServerTime> to; ///< none: until the end
    QString why;
};

/// In the order of time. The server may have gone away after the last look; that somebody ended the recording then is
/// no gap.
QList<RecordingGap> gapsOf(Recording &recording, ServerTime from, ServerTime to);

/// What of the deadlocks of a stretch is not in a recording.
struct UnseenDeadlocks
{
    struct Blindness
    {
        ServerTime from{};
        std::optional<ServerTime> to;                 ///< none: until the end
        DeadlockSight sight = DeadlockSight::Nothing; ///< less than All
        QString why;                                  ///< of Nothing
    };

    qint64 notCaptured = 0; ///< they came between two looks
    QList<Blindness> blindness;

    /// There may be one of which the recording has no trace.
    bool mayHideOne() const;
};

UnseenDeadlocks unseenDeadlocks(Recording &recording, ServerTime from, ServerTime to);

} // namespace lockscope
