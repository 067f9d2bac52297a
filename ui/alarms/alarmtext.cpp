// SPDX-License-Identifier: MIT
#include "alarmtext.h"

#include "console/duration.h"
#include "ui/pages/waits/preparedtext.h"
#include "ui/pages/waits/waittext.h"
#include "ui/text/commontext.h"

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kMaxNames = 3;

} // namespace

QString AlarmText::name(const Alarm &alarm)
{
    const AlarmSubject &subject = alarm.subject;
    if (subject.lock)
        return CommonText::shortened(CommonText::lock(*subject.lock));
    if (subject.object)
        return CommonText::shortened(WaitText::object(*subject.object));
    const QString number = QString::number(subject.session);
    const QString account = CommonText::shortened(CommonText::resource(alarm.account.toUtf8()));
    return alarm.account.isEmpty() ? number : tr("%1 (%2)").arg(number, account);
}

QString AlarmText::names(const QList<Alarm> &alarms, const ServerNames &servers)
{
    QStringList names;
    for (const Alarm &alarm : alarms.first(qMin(alarms.size(), kMaxNames))) {
        const QString server = servers.value(alarm.subject.server());
        names += server.isEmpty() ? name(alarm) : name(alarm) + u" · "_s + CommonText::shortened(server);
    }
    const QString text = names.join(tr(", "));
    const int more = int(alarms.size() - names.size());
    return more > 0 ? tr("%1 and %n more", nullptr, more).arg(text) : text;
}

/// Who is at the head of most of them, in the words of `lockctl check`; empty where it is not known.
QString AlarmText::culprit(const QList<Alarm> &alarms)
{
    QHash<quint64, int> blocked;
    const Alarm *worst = nullptr;
    for (const Alarm &alarm : alarms) {
        if (alarm.blocker != 0 && ++blocked[alarm.blocker] > (worst ? blocked.value(worst->blocker) : 0))
            worst = &alarm;
    }
    if (!worst)
        return {};
    const int count = blocked.value(worst->blocker);
    const QString who = blocker(worst->blocker, worst->blockerIs);
    return u' '
        + (alarms.size() == 1 ? tr("%1 blocks it.").arg(who)
                              : tr("%1 blocks %2 of them.").arg(who, CommonText::count(count)));
}

QString AlarmText::blocker(quint64 session, const QString &who)
{
    if (isPreparedNumber(session))
        return tr("Prepared %1").arg(PreparedText::holder(session));
    const QString number = QString::number(session);
    const QString shown = CommonText::shortened(CommonText::resource(who.toUtf8()));
    return who.isEmpty() ? tr("Session %1").arg(number) : tr("Session %1 %2").arg(number, shown);
}

QString AlarmText::sentence(AlarmKind kind, const QList<Alarm> &alarms, const AlarmLimits &limits,
                            const ServerNames &servers)
{
    const int count = int(alarms.size());
    switch (kind) {
    case AlarmKind::Blocked:
        return tr("%n connections wait for longer than %1: %2.", nullptr, count)
                   .arg(formatDuration(limits.blocked.value_or(Microseconds::zero())), names(alarms, servers))
            + culprit(alarms);
    case AlarmKind::Queue:
        return tr("%n locks have more than %1 waiting: %2.", nullptr, count)
                   .arg(CommonText::count(limits.queue.value_or(0)), names(alarms, servers))
            + culprit(alarms);
    case AlarmKind::Held:
        return tr("%n locks have been held for longer than %1: %2.", nullptr, count)
            .arg(formatDuration(limits.held.value_or(Microseconds::zero())), names(alarms, servers));
    case AlarmKind::Orphan:
        break;
    }
    return tr("%n leases have had no living session for %1: %2.", nullptr, count)
        .arg(formatDuration(limits.orphan.value_or(Microseconds::zero())), names(alarms, servers));
}

QString AlarmText::summary(const QList<Alarm> &alarms, const AlarmLimits &limits, bool isPartial,
                           const ServerNames &servers)
{
    QStringList sentences;
    for (const AlarmKind kind : {AlarmKind::Blocked, AlarmKind::Queue, AlarmKind::Held, AlarmKind::Orphan}) {
        QList<Alarm> some;
        std::copy_if(alarms.cbegin(), alarms.cend(), std::back_inserter(some),
                     [kind](const Alarm &alarm) { return alarm.subject.kind == kind; });
        if (!some.isEmpty())
            sentences += sentence(kind, some, limits, servers);
    }
    if (isPartial && !sentences.isEmpty())
        sentences += tr("There may be more: not all locks were read.");
    return sentences.join(u' ');
}

QString AlarmText::ofLock(const Alarm &alarm, const AlarmLimits &limits)
{
    switch (alarm.subject.kind) {
    case AlarmKind::Queue:
        return tr("Alarm: more than %1 wait for it.").arg(CommonText::count(limits.queue.value_or(0)));
    case AlarmKind::Orphan:
        return tr("Alarm: no living session for longer than %1.")
            .arg(formatDuration(limits.orphan.value_or(Microseconds::zero())));
    case AlarmKind::Held:
    case AlarmKind::Blocked:
        break;
    }
    return tr("Alarm: held for longer than %1.").arg(formatDuration(limits.held.value_or(Microseconds::zero())));
}

QString AlarmText::title(qsizetype count, const QString &server)
{
    return tr("%n alarms on %1", nullptr, int(count)).arg(server);
}

} // namespace lockscope::ui
