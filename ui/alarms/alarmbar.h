// SPDX-License-Identifier: MIT
#pragma once

#include "feeds/monitor.h"
#include "ui/server/backgroundcalls.h"
#include "ui/widgets/messagebar.h"

namespace lockscope {
struct Alarm;
struct LeaseReading;
} // namespace lockscope

namespace lockscope::ui {

class AlarmCenter;
class Notifier;
class ServerConnection;

/// Which alarms are up, in one line at the foot of the page. Closed by the person it stays away until another one is
/// raised.
class AlarmBar : public MessageBar
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive the bar.
    AlarmBar(ServerConnection *connection, QWidget *parent);

    AlarmCenter *center() const { return m_center; }
    /// "Alarms…": when something is to be told.
    QAction *editAction() const { return m_edit; }
    /// A list is being looked through for alarms, which tests wait for.
    bool isLooking() const { return m_isLooking; }

Q_SIGNALS:
    /// To be shown: the first of the alarms.
    void lockChosen(const lockscope::LockKey &key);
    void sessionChosen(quint64 session);

private:
    void onList(const LockListUpdatePtr &update);
    void look();
    void onSeen(quint64 server, const LeaseReading &leases);
    void onChanged(bool hasMore);
    void onAnnounced(const QList<Alarm> &alarms);
    void edit();
    void showFirst();

    ServerConnection *m_connection;
    AlarmCenter *m_center;
    Notifier *m_notifier;
    LockListUpdatePtr m_unseen; ///< to be looked through once the one before was
    bool m_isLooking = false;
    quint64 m_server = 0; ///< what was seen of the ones before says nothing any more
    QAction *m_edit;
    QAction *m_show;
    BackgroundCalls m_calls;
};

} // namespace lockscope::ui
