// SPDX-License-Identifier: MIT
#pragma once

#include "recording/recording.h"

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace lockscope::ctl {

/// Which moment of which recording a command is to show instead of a server.
struct RecordedAt
{
    std::string file; ///< empty: a server
    std::string at;   ///< empty: the end
};

/// `--recording FILE` and `--at TIME`.
void addRecordedAt(CLI::App &command, RecordedAt &recorded);

/// A moment as people write it: ISO 8601, else a time of day, which is the last such one of the recording. In this
/// machine's time zone unless it says another. None, and an error that says how to write one.
std::optional<ServerTime> momentOf(const std::string &given, const RecordingInfo &info, QString *error);

/// Null after an error was printed; then `*exitCode` is set.
std::unique_ptr<Recording> openRecording(const std::string &file, int *exitCode);
/// False after an error was printed. Says on standard error when the look was, and what it may not show.
bool readRecorded(const RecordedAt &recorded, RecordedMoment *moment, int *exitCode);

} // namespace lockscope::ctl
