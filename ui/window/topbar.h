// SPDX-License-Identifier: MIT
#pragma once

#include "ui/server/serverprofile.h"

#include <QtCore/QStringList>
#include <QtWidgets/QWidget>

class QAction;
class QMenu;
class QToolButton;

namespace lockscope::ui {

class ServerConnection;

/// The window's top: which server, what may be done there, the palette, pause and interval.
class TopBar : public QWidget
{
    Q_OBJECT
public:
    struct Actions
    {
        QAction *palette;
        QAction *pause;
        QAction *connectTo;
    };
    /// `connection` is not owned and must outlive the bar; the actions are placed, not owned.
    TopBar(ServerConnection *connection, const Actions &actions, QWidget *parent = nullptr);

    /// What the menu offers.
    void setProfiles(const QList<ServerProfile> &profiles);
    /// For the window's menu as well.
    QMenu *intervalMenu() const { return m_intervals; }
    QMenu *serverMenu() const { return m_servers; }

Q_SIGNALS:
    void serverChosen(const lockscope::ui::ServerProfile &profile);
    /// Its locks are to join the list; one without an address: a person is to be asked which.
    void serverAdded(const lockscope::ui::ServerProfile &profile);
    void operatorModeRequested();
    void readOnlyRequested();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void setupIntervals();
    void fillAdd(const QList<ServerProfile> &profiles);
    void showServer();
    QString modeText() const;
    QString modeTip() const;
    QStringList serversThat(bool mayBeChanged) const;
    void showMode();
    void onModeClicked();

    ServerConnection *m_connection;
    QAction *m_connectTo;
    QToolButton *m_server;
    QToolButton *m_mode;
    QToolButton *m_pause;
    QToolButton *m_interval;
    QMenu *m_servers;
    QMenu *m_add;
    QMenu *m_intervals;
};

} // namespace lockscope::ui
