// SPDX-License-Identifier: MIT
#pragma once

#include "locks/snapshot.h"
#include "ui/widgets/messagebar.h"

namespace lockscope {
struct Alarm;
}

namespace lockscope::ui {

class AlarmCenter;
class Notifier;
class ServerConnection;

/// Which alarms are up, in one line at the top of the window. Closed by the person it stays away until another one is
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

Q_SIGNALS:
    /// To be shown: the first of the alarms.
    void lockChosen(const lockscope::LockKey &key);
    void sessionChosen(quint64 session);

private:
    void onChanged(bool hasMore);
    void onAnnounced(const QList<Alarm> &alarms);
    void edit();
    void showFirst();

    ServerConnection *m_connection;
    AlarmCenter *m_center;
    Notifier *m_notifier;
    QAction *m_edit;
    QAction *m_show;
};

} // namespace lockscope::ui
