// SPDX-License-Identifier: MIT
#include "alarmcenter.h"

#include "alarmtext.h"

#include <algorithm>
#include <utility>

namespace lockscope::ui {

AlarmCenter::AlarmCenter(QObject *parent)
    : QObject(parent)
    , m_thresholds(m_settings.limits)
{
}

void AlarmCenter::setSettings(const AlarmSettings &settings)
{
    m_settings = settings;
    m_thresholds.setLimits(settings.limits);
    m_alarms = m_thresholds.alarms();
    Q_EMIT changed(false); // the limits are among the words
}

void AlarmCenter::setServers(const ServerNames &servers)
{
    if (std::exchange(m_servers, servers) != servers && !m_alarms.isEmpty())
        Q_EMIT changed(false); // they are among the words
}

QString AlarmCenter::text() const
{
    return AlarmText::summary(m_alarms, m_settings.limits, m_isPartial, m_servers);
}

QHash<LockKey, QString> AlarmCenter::lockMarks() const
{
    QHash<LockKey, QString> marks;
    for (const Alarm &alarm : m_alarms) {
        if (!alarm.subject.lock)
            continue;
        QString &text = marks[*alarm.subject.lock];
        if (!text.isEmpty())
            text += u'\n';
        text += AlarmText::ofLock(alarm, m_settings.limits);
    }
    return marks;
}

quint64 AlarmCenter::sessionOf(const Alarm &alarm) const
{
    if (alarm.blocker != 0 || alarm.subject.session != 0 || !m_picture)
        return alarm.blocker != 0 ? alarm.blocker : alarm.subject.session;
    const QList<WaitEdge> &edges = m_picture->waits->edges;
    const auto found = std::find_if(edges.cbegin(), edges.cend(),
                                    [&alarm](const WaitEdge &edge) { return edge.object == alarm.subject.object; });
    return found == edges.cend() ? 0 : found->waiter;
}

void AlarmCenter::onLeases(const LeaseReading &leases)
{
    const bool wasPartial = m_isPartial;
    const AlarmChanges changes = m_thresholds.update(leases, QTime::currentTime());
    m_isPartial = leases.isPartial || m_thresholds.isFull();
    take(changes);
    if (m_isPartial != wasPartial && !m_alarms.isEmpty())
        Q_EMIT changed(false); // that it is so is among the words
}

void AlarmCenter::onPicture(const WaitPicturePtr &picture)
{
    m_picture = picture;
    take(m_thresholds.update(*picture->waits, picture->graph, QTime::currentTime()));
}

void AlarmCenter::forget()
{
    m_thresholds.clear();
    m_picture.reset();
    m_isPartial = false;
    if (m_alarms.isEmpty())
        return;
    m_alarms.clear();
    Q_EMIT changed(false);
}

void AlarmCenter::take(const AlarmChanges &changes)
{
    if (changes.raised.isEmpty() && changes.cleared.isEmpty())
        return;
    m_alarms = m_thresholds.alarms();
    Q_EMIT changed(!changes.raised.isEmpty());
    QList<Alarm> loud;
    for (const Alarm &alarm : changes.raised) {
        if (!alarm.isQuiet)
            loud.append(alarm);
    }
    if (!loud.isEmpty())
        Q_EMIT announced(loud);
}

} // namespace lockscope::ui
