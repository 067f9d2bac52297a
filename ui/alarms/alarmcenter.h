// SPDX-License-Identifier: MIT
#pragma once

#include "alarmsettings.h"
#include "locks/lockgroups.h"
#include "ui/pages/waits/waitoutline.h"

#include <QtCore/QObject>

namespace lockscope::ui {

/// Finds in every look what lasts too long, and says so once. GUI thread only.
class AlarmCenter : public QObject
{
    Q_OBJECT
public:
    explicit AlarmCenter(QObject *parent = nullptr);

    const AlarmSettings &settings() const { return m_settings; }
    void setSettings(const AlarmSettings &settings);
    const QList<Alarm> &alarms() const { return m_alarms; }
    /// What the servers are called where the locks are those of several; else empty.
    void setServers(const ServerNames &servers);
    const ServerNames &servers() const { return m_servers; }
    /// All of them in words; empty: none.
    QString text() const;
    /// There are locks that nobody looked at.
    bool isPartial() const { return m_isPartial; }
    /// What is wrong with which lock.
    QHash<LockKey, QString> lockMarks() const;
    /// Whom to look at: the blocker, else one that waits; 0: nobody any more.
    quint64 sessionOf(const Alarm &alarm) const;
    /// As Thresholds::sieveFor.
    LeaseSieve sieveFor(const SnapshotClock &clock, const QMap<int, SnapshotClock> &further) const
    {
        return m_thresholds.sieveFor(clock, further);
    }

public Q_SLOTS:
    void onLeases(const lockscope::LeaseReading &leases);
    void onPicture(const lockscope::ui::WaitPicturePtr &picture);
    /// Another server from here on.
    void forget();

Q_SIGNALS:
    /// Not the same alarms are up as before; `hasMore`: there are some that were not.
    void changed(bool hasMore);
    /// New ones, outside of quiet hours: to be told to a person who looks elsewhere.
    void announced(const QList<lockscope::Alarm> &alarms);

private:
    void take(const AlarmChanges &changes);

    AlarmSettings m_settings;
    ServerNames m_servers;
    Thresholds m_thresholds;
    QList<Alarm> m_alarms;
    WaitPicturePtr m_picture; ///< the last one
    bool m_isPartial = false;
};

} // namespace lockscope::ui
