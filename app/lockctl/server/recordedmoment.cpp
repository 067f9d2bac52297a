// SPDX-License-Identifier: MIT
#include "recordedmoment.h"

#include "console/duration.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"

#include <CLI/CLI.hpp>

#include <chrono>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope::ctl {

namespace {

/// An older look than this is not what the moment was like, whoever stopped recording then.
constexpr Microseconds kOldLook = 15s;

ServerTime toTime(const QDateTime &time)
{
    return ServerTime(std::chrono::milliseconds(time.toMSecsSinceEpoch()));
}

QString text(ServerTime time)
{
    return toDateTime(time).toUTC().toString(Qt::ISODateWithMs);
}

/// The last one of the recording, which ends at `end`, in that one's zone; none: it has none.
std::optional<ServerTime> lastAt(QTime time, const QDateTime &end, const RecordingInfo &info)
{
    for (const int daysBefore : {0, 1}) {
        QDateTime moment = end;
        moment.setDate(end.date().addDays(-daysBefore));
        moment.setTime(time);
        const ServerTime found = toTime(moment);
        if (found <= info.to)
            return found >= info.from ? std::optional(found) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<ServerTime> timeOfDay(const QString &text, const RecordingInfo &info, bool *isOne)
{
    const bool isUtc = text.endsWith(u'Z');
    const QDateTime end = toDateTime(info.to);
    const QString digits = isUtc ? text.chopped(1) : text;
    for (const QString &format : {u"H:mm"_s, u"H:mm:ss"_s, u"H:mm:ss.zzz"_s}) {
        const QTime time = QTime::fromString(digits, format);
        *isOne = time.isValid();
        if (*isOne)
            return lastAt(time, isUtc ? end.toUTC() : end.toLocalTime(), info);
    }
    return std::nullopt;
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
    bool isTimeOfDay = false;
    const auto found = timeOfDay(text, info, &isTimeOfDay);
    if (found)
        return found;
    if (isTimeOfDay) {
        *error =
            u"the recording has no %1: it goes from %2 to %3."_s.arg(text, ctl::text(info.from), ctl::text(info.to));
        return std::nullopt;
    }
    const QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs);
    if (time.isValid())
        return toTime(time);
    *error = u"\"%1\" is no time: write 03:12, 03:12:30Z or 2026-11-26T03:12:30."_s.arg(printable(text));
    return std::nullopt;
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
    const auto wanted = recorded.at.empty() ? recording->info().to : momentOf(recorded.at, recording->info(), &error);
    *exitCode = Usage;
    if (!wanted) {
        printError(error);
        return false;
    }
    auto found = recording->at(*wanted);
    *exitCode = Failed;
    if (!found) {
        printError(*wanted < recording->info().from ? u"the recording begins at %1."_s.arg(text(recording->info().from))
                                                    : u"what was recorded then cannot be read."_s);
        return false;
    }
    *moment = std::move(*found);
    const QString age = formatDuration(*wanted - moment->at);
    const bool isOld = moment->isGap || *wanted - moment->at > kOldLook;
    printError(isOld ? u"nothing was seen at that time: this is what was seen %1 before it, at %2."_s.arg(
                   age, text(moment->at))
                     : u"recorded at %1."_s.arg(text(moment->at)));
    return true;
}

} // namespace lockscope::ctl
