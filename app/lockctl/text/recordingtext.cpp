// SPDX-License-Identifier: MIT
#include "recordingtext.h"

#include "actions/recordedacts.h"
#include "acttext.h"
#include "blockingtree.h"
#include "console/duration.h"
#include "deadlocktext.h"
#include "preparedtext.h"
#include "recording/unseen.h"
#include "terminal/output.h"
#include "waitsjson.h"
#include "waitstext.h"

#include <QtCore/QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

using Kind = RecordedMark::Kind;

constexpr int kReportColumns = 120;
/// More than a person reads; the rest is listed without who blocked whom.
constexpr int kMaxPictures = 100;
constexpr double kMegabyte = 1e6;

/// All that a recording cannot tell of a stretch.
struct Unseen
{
    QList<RecordingGap> gaps;
    UnseenDeadlocks deadlocks;
    QString damage;

    Unseen(Recording &recording, ServerTime from, ServerTime to)
        : gaps(gapsOf(recording, from, to))
        , deadlocks(unseenDeadlocks(recording, from, to))
        , damage(recording.info().damage)
    {
    }
    /// There may be an incident of which nothing was seen.
    bool mayHideOne() const { return !gaps.isEmpty() || deadlocks.mayHideOne() || !damage.isEmpty(); }
};

QString spanText(ServerTime from, const std::optional<ServerTime> &to)
{
    return timeText(from) + u" to "_s + (to ? timeText(*to) : u"the end"_s);
}

QString gapText(const RecordingGap &gap)
{
    return spanText(gap.from, gap.to) + u": "_s + printable(gap.why);
}

/// Of deadlocks, what there is to say beside those that are listed.
QStringList deadlockNotes(const UnseenDeadlocks &unseen)
{
    QStringList notes;
    if (unseen.notCaptured > 0)
        notes += u"%1 not captured: the server keeps the text of the latest alone"_s.arg(unseen.notCaptured);
    for (const auto &one : unseen.blindness) {
        const QString span = spanText(one.from, one.to);
        notes += one.sight == DeadlockSight::Nothing
            ? u"not read from %1: %2"_s.arg(span, printable(one.why))
            : u"how many were not captured from %1 is not known: the server does not count them"_s.arg(span);
    }
    return notes;
}

QStringList unseenLines(const Unseen &unseen)
{
    QStringList lines;
    for (const RecordingGap &gap : unseen.gaps)
        lines += u"- "_s + gapText(gap);
    for (const QString &note : deadlockNotes(unseen.deadlocks))
        lines += u"- Deadlocks: "_s + note;
    if (!unseen.damage.isEmpty())
        lines += u"- "_s + unseen.damage;
    return lines.isEmpty() ? lines : QStringList{u"## Not seen"_s, QString()} + lines + QStringList{QString()};
}

QJsonObject spanToJson(ServerTime from, const std::optional<ServerTime> &to, const QString &why)
{
    return {{u"from"_s, toJson(std::optional(from))}, {u"to"_s, toJson(to)}, {u"why"_s, textOrNull(why)}};
}

void insertUnseen(const Unseen &unseen, QJsonObject *json)
{
    QJsonArray gaps;
    for (const RecordingGap &gap : unseen.gaps)
        gaps.append(spanToJson(gap.from, gap.to, gap.why));
    QJsonArray notRead;
    QJsonArray notCounted;
    for (const auto &one : unseen.deadlocks.blindness)
        (one.sight == DeadlockSight::Nothing ? notRead : notCounted).append(spanToJson(one.from, one.to, one.why));
    json->insert(u"gaps"_s, gaps);
    json->insert(u"deadlocksNotCaptured"_s, unseen.deadlocks.notCaptured);
    json->insert(u"deadlocksNotRead"_s, notRead);
    json->insert(u"deadlocksNotCounted"_s, notCounted);
}

QString lockOf(const Incident &incident)
{
    if (incident.object)
        return objectText(*incident.object, {});
    return incident.alarm && incident.alarm->subject.lock ? printable(incident.alarm->subject.lock->resource)
                                                          : QString();
}

QString blockerOf(const Incident &incident)
{
    if (incident.blocker == 0)
        return {};
    const QString who =
        (isPreparedNumber(incident.blocker) ? u"prepared "_s : u"session "_s) + holderText(incident.blocker);
    return incident.blockerIs.isEmpty() ? who : who + u' ' + printable(incident.blockerIs);
}

/// Of a queue, or of alarms about one.
QString waitersText(const Incident &incident)
{
    QString text = counted(qint64(incident.waiting), u"session"_s, u"sessions"_s) + u" waited, the longest for "_s
        + formatDuration(incident.longest);
    if (const QString lock = lockOf(incident); !lock.isEmpty())
        text += u", for "_s + lock;
    if (incident.locks > 1)
        text += u" and "_s + counted(incident.locks - 1, u"lock more"_s, u"locks more"_s);
    if (const QString blocker = blockerOf(incident); !blocker.isEmpty())
        text += u"; %1 blocked %2"_s.arg(blocker, incident.waiting == 1 ? u"it"_s : u"them"_s);
    return text;
}

QString alarmText(const Incident &incident)
{
    const Alarm &alarm = *incident.alarm;
    const QString owner = printable(alarm.owner.toString());
    switch (alarm.subject.kind) {
    case AlarmKind::Held:
        return u"%1 is held for long by %2"_s.arg(lockOf(incident), owner);
    case AlarmKind::Orphan:
        return u"%1 is held by %2, whose session is gone"_s.arg(lockOf(incident), owner);
    case AlarmKind::Queue:
        if (incident.longest.count() == 0)
            return u"%1 wait for %2"_s.arg(incident.waiting).arg(lockOf(incident));
        break;
    case AlarmKind::Blocked:
        break;
    }
    return waitersText(incident);
}

QString kindName(Incident::Kind kind)
{
    switch (kind) {
    case Incident::Kind::Deadlock:
        return u"deadlock"_s;
    case Incident::Kind::Alarm:
        return u"alarm"_s;
    case Incident::Kind::Queue:
        break;
    }
    return u"queue"_s;
}

/// Acts and events of a stretch, in the order in which they were recorded.
struct Acts
{
    QList<AuditLine> acts;
    QList<Event> events;

    Acts(Recording &recording, ServerTime from, ServerTime to)
    {
        QList<AuditLine> lines;
        for (const RecordedMark &mark : recording.marks(from, to, {Kind::Act, Kind::Event})) {
            if (mark.kind == Kind::Act)
                lines.append(actOf(mark.body));
            else
                events.append(eventOf(mark.body));
        }
        acts = auditActs(lines);
    }
};

/// The server it was is named above all of them.
QString doneText(const RecordedEvent &done)
{
    const QString text = timeText(done.event.at) + u"  "_s + eventText(done.event);
    return done.line && !done.isOnServer ? text + u" ("_s + printable(done.line->outcome) + u')' : text;
}

/// Fenced so that no text inside can end it.
QStringList fenced(const QStringList &lines)
{
    QString fence = u"```"_s;
    while (std::any_of(lines.cbegin(), lines.cend(), [&fence](const QString &line) { return line.contains(fence); }))
        fence += u'`';
    return QStringList{fence + u"text"_s} + lines + QStringList{fence, QString()};
}

QStringList pictureOf(Recording &recording, const Incident &incident)
{
    if (incident.deadlock)
        return fenced(deadlockLines(*incident.deadlock));
    const auto moment = recording.at(incident.worst);
    if (!moment)
        return {};
    const ServerWaits &waits = moment->look.waits;
    const WaitGraph graph = buildWaitGraph(waits, moment->at);
    if (graph.roots.isEmpty())
        return {};
    return QStringList{u"Who blocked whom at %1:"_s.arg(timeText(moment->at)), QString()}
    + fenced(blockingTree(waits, graph, moment->at, {kReportColumns, false}));
}

QStringList incidentLines(Recording &recording, const QList<Incident> &incidents, const Unseen &unseen)
{
    QStringList lines{u"## Incidents"_s, QString()};
    if (incidents.isEmpty())
        lines += {unseen.mayHideOne() ? u"None was seen; but see what was not seen, below."_s
                                      : u"None: nobody waited for long, and no deadlock was seen."_s,
                  QString()};
    int number = 0;
    for (const Incident &one : incidents) {
        ++number;
        const QString until = one.to > one.from ? u" to "_s + timeText(one.to).section(u' ', 1) : QString();
        lines += {u"### %1. %2%3: %4"_s.arg(number).arg(timeText(one.from), until, incidentText(one)), QString()};
        if (number <= kMaxPictures)
            lines += pictureOf(recording, one);
    }
    return lines;
}

QStringList actLines(Recording &recording, ServerTime from, ServerTime to)
{
    const Acts acts(recording, from, to);
    QStringList lines;
    for (const RecordedEvent &done : mergedRecords(acts.events, acts.acts))
        lines.prepend(doneText(done));
    if (lines.isEmpty())
        return {};
    return QStringList{u"## What was done, and what the engine recorded"_s, QString()} + fenced(lines);
}

QJsonObject incidentToJson(Recording &recording, const Incident &one, bool hasPicture)
{
    QJsonObject json{{u"kind"_s, kindName(one.kind)},
                     {u"from"_s, toJson(std::optional(one.from))},
                     {u"to"_s, toJson(std::optional(one.to))},
                     {u"worstAt"_s, toJson(std::optional(one.worst))},
                     {u"waiting"_s, one.waiting},
                     {u"longestMs"_s, milliseconds(one.longest)},
                     {u"alarms"_s, one.alarms},
                     {u"lock"_s, textOrNull(lockOf(one))},
                     {u"blocker"_s, textOrNull(blockerOf(one))},
                     {u"text"_s, incidentText(one)}};
    json.insert(u"deadlock"_s, one.deadlock ? toJson(DeadlockNews{one.deadlock}).value(u"deadlock") : QJsonValue());
    const auto moment = hasPicture && !one.deadlock ? recording.at(one.worst) : std::nullopt;
    if (moment)
        json.insert(u"blockers"_s,
                    blockersToJson(moment->look.waits, buildWaitGraph(moment->look.waits, moment->at), moment->at));
    return json;
}

/// Of the recording, and of a stretch of it.
QJsonObject factsToJson(Recording &recording, ServerTime from, ServerTime to)
{
    const RecordingInfo &info = recording.info();
    QJsonObject json{{u"file"_s, info.path},
                     {u"server"_s, info.server},
                     {u"from"_s, toJson(std::optional(from))},
                     {u"to"_s, toJson(std::optional(to))},
                     {u"looks"_s, info.looks},
                     {u"bytes"_s, info.bytes},
                     {u"statements"_s, keepingName(info.statements)},
                     {u"damage"_s, textOrNull(info.damage)}};
    insertUnseen(Unseen(recording, from, to), &json);
    return json;
}

} // namespace

QStringList infoLines(Recording &recording)
{
    const RecordingInfo &info = recording.info();
    QStringList lines{u"Server      %1"_s.arg(printable(info.server)),
                      u"Time zone   %1"_s.arg(zoneName(info.from)),
                      u"From        %1"_s.arg(timeText(info.from)),
                      u"To          %1 (%2)"_s.arg(timeText(info.to), formatDuration(info.to - info.from)),
                      u"Looks       %1"_s.arg(info.looks),
                      u"Size        %1 MB"_s.arg(double(info.bytes) / kMegabyte, 0, 'f', 1),
                      u"Statements  %1"_s.arg(keepingName(info.statements))};
    const Unseen unseen(recording, info.from, info.to);
    for (const RecordingGap &gap : unseen.gaps)
        lines += u"Not seen    "_s + gapText(gap);
    for (const QString &note : deadlockNotes(unseen.deadlocks))
        lines += u"Deadlocks   "_s + note;
    for (const Incident &one : incidentsOf(recording, info.from, info.to))
        lines += u"Incident    %1: %2"_s.arg(timeText(one.from), incidentText(one));
    return lines;
}

QJsonObject infoToJson(Recording &recording)
{
    return factsToJson(recording, recording.info().from, recording.info().to);
}

QString incidentText(const Incident &incident)
{
    if (incident.deadlock)
        return u"a deadlock of %1 transactions"_s.arg(incident.deadlock->sides.size());
    if (!incident.alarm && incident.alarms == 0)
        return waitersText(incident);
    const QString alarms = incident.alarms == 1 ? u"alarm"_s : u"%1 alarms"_s.arg(incident.alarms);
    return alarms + u": "_s + (incident.alarm ? alarmText(incident) : waitersText(incident));
}

QString reportText(Recording &recording, ServerTime from, ServerTime to)
{
    const RecordingInfo &info = recording.info();
    const Unseen unseen(recording, from, to);
    const QList<Incident> incidents = incidentsOf(recording, from, to);
    QStringList lines{u"# Locks on %1"_s.arg(printable(info.server)), QString(),
                      u"%1 to %2, all times in %3."_s.arg(timeText(from), timeText(to), zoneName(from)), QString()};
    if (const Incident *longest = longestQueue(incidents))
        lines += {u"The longest queue: %1, at %2."_s.arg(counted(qint64(longest->waiting), u"session"_s, u"sessions"_s),
                                                         timeText(longest->worst)),
                  QString()};
    lines += incidentLines(recording, incidents, unseen);
    lines += actLines(recording, from, to);
    lines += unseenLines(unseen);
    lines.removeLast();
    return lines.join(u'\n') + u'\n';
}

QJsonObject reportToJson(Recording &recording, ServerTime from, ServerTime to)
{
    QJsonObject json = factsToJson(recording, from, to);
    QJsonArray incidents;
    for (const Incident &one : incidentsOf(recording, from, to))
        incidents.append(incidentToJson(recording, one, incidents.size() < kMaxPictures));
    json.insert(u"incidents"_s, incidents);
    const Acts acts(recording, from, to);
    QJsonArray done;
    for (const AuditLine &act : acts.acts)
        done.append(toJson(act));
    QJsonArray events;
    for (const Event &event : acts.events)
        events.append(toJson(event));
    json.insert(u"acts"_s, done);
    json.insert(u"events"_s, events);
    return json;
}

} // namespace lockscope::ctl
