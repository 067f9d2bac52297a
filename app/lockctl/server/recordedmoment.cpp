// SPDX-License-Identifier: MIT
#include "recordedmoment.h"

#include "console/duration.h"
#include "recording/writtenmoment.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"

#include <CLI/CLI.hpp>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

QString zonedText(ServerTime time)
{
    return u"%1 (%2)"_s.arg(timeText(time), zoneName(time));
}

} // namespace

void addRecordedAt(CLI::App &command, RecordedAt &recorded)
{
    auto *file = command.add_option("--recording", recorded.file, "What a recording has (see record), not a server");
    file->type_name("FILE");
    command
        .add_option("--at", recorded.at, "As it was then: 03:12, 03:12:30Z, 2026-11-26T03:12:30; the end if not given")
        ->type_name("TIME")
        ->needs(file);
}

std::optional<ServerTime> momentOf(const std::string &given, const RecordingInfo &info, QString *error)
{
    const QString text = QString::fromStdString(given);
    const WrittenMoment written = lockscope::momentOf(text, info);
    if (!written.isTime)
        *error = u"\"%1\" is no time: write 03:12, 03:12:30Z or 2026-11-26T03:12:30."_s.arg(printable(text));
    else if (!written.at)
        *error = u"the recording has no %1: it goes from %2 to %3 (%4)."_s.arg(text, timeText(info.from),
                                                                               timeText(info.to), zoneName(info.to));
    return written.at;
}

std::unique_ptr<Recording> openRecording(const std::string &file, int *exitCode)
{
    QString error;
    auto recording = Recording::open(QString::fromStdString(file), &error);
    if (recording && recording->info().looks == 0)
        error = u"%1 has no look yet."_s.arg(recording->info().path);
    if (error.isEmpty()) {
        if (const QString damage = recording->info().damage; !damage.isEmpty())
            printError(damage);
        return recording;
    }
    printError(printable(error));
    *exitCode = Failed;
    return nullptr;
}

bool readRecorded(const RecordedAt &recorded, RecordedMoment *moment, int *exitCode)
{
    const auto recording = openRecording(recorded.file, exitCode);
    if (!recording)
        return false;
    QString error;
    const RecordingInfo &info = recording->info();
    // The end is that of what was seen: a recording may have acts after it.
    const auto wanted = recorded.at.empty() ? recording->lookUntil(info.to) : momentOf(recorded.at, info, &error);
    *exitCode = Usage;
    if (!wanted) {
        printError(error);
        return false;
    }
    auto found = recording->at(*wanted);
    *exitCode = Failed;
    if (!found) {
        printError(*wanted < info.from ? u"the recording begins at %1."_s.arg(zonedText(info.from))
                                       : u"what was recorded then cannot be read."_s);
        return false;
    }
    *moment = std::move(*found);
    const QString age = formatDuration(*wanted - moment->at);
    printError(moment->isOldAt(*wanted)
                   ? u"nothing was seen at that time: this is what was seen %1 before it, at %2."_s.arg(
                       age, zonedText(moment->at))
                   : u"recorded at %1."_s.arg(zonedText(moment->at)));
    return true;
}

} // namespace lockscope::ctl
