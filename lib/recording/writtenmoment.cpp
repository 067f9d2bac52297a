// SPDX-License-Identifier: MIT
#include "writtenmoment.h"

#include "session/servertime.h"

#include <QtCore/QDateTime>

namespace lockscope {

namespace {

using namespace Qt::StringLiterals;

/// The last one of the recording, which ends at `end`, in that one's zone; none: it has none.
std::optional<ServerTime> lastAt(QTime time, const QDateTime &end, const RecordingInfo &info)
{
    for (const int daysBefore : {0, 1}) {
        QDateTime moment = end;
        moment.setDate(end.date().addDays(-daysBefore));
        moment.setTime(time);
        const ServerTime found = toServerTime(moment);
        if (found <= info.to)
            return found >= info.from ? std::optional(found) : std::nullopt;
    }
    return std::nullopt;
}

QTime timeOfDay(const QString &text)
{
    for (const QString &format : {u"H:mm"_s, u"H:mm:ss"_s, u"H:mm:ss.zzz"_s}) {
        if (const QTime time = QTime::fromString(text, format); time.isValid())
            return time;
    }
    return {};
}

} // namespace

WrittenMoment momentOf(const QString &written, const RecordingInfo &info, bool isUtc)
{
    QString text = written.trimmed();
    const bool saysUtc = text.endsWith(u'Z');
    if (const QTime time = timeOfDay(saysUtc ? text.chopped(1) : text); time.isValid()) {
        const QDateTime end = toDateTime(info.to);
        return {true, lastAt(time, saysUtc || isUtc ? end.toUTC() : end.toLocalTime(), info)};
    }
    const bool hasZone = saysUtc || text.lastIndexOf(u'+') > 0 || text.count(u'-') > 2;
    if (isUtc && !hasZone)
        text += u'Z';
    const QDateTime time = QDateTime::fromString(text.replace(u' ', u'T'), Qt::ISODateWithMs);
    return time.isValid() ? WrittenMoment{true, toServerTime(time)} : WrittenMoment{};
}

} // namespace lockscope
