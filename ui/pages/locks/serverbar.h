// SPDX-License-Identifier: MIT
#pragma once

#include <QtWidgets/QWidget>

#include <map>

class QToolButton;

namespace lockscope {
struct MonitorStatus;
}

namespace lockscope::ui {

class FlowLayout;
class LiveClock;
class ServerConnection;
struct ServerProfile;

/// The servers of a list of several, each with its colour, the age of its data, and what is wrong with it; where they
/// are added and removed. Hidden while the window has one server.
class ServerBar : public QWidget
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive the bar.
    explicit ServerBar(ServerConnection *connection, QWidget *parent = nullptr);

Q_SIGNALS:
    /// Only its locks are to be shown; as the list calls it.
    void chosen(const QString &name);
    void serverWanted();
    /// Of a further server, by its number.
    void passwordWanted(int number);

private:
    void make();
    void add(int number);
    void showNow();
    void fillMenu(int number);
    QString text(int number) const;
    QString state(int number) const;
    QString tip(int number) const;
    const ServerProfile &profile(int number) const;
    const MonitorStatus &status(int number) const;
    const LiveClock &clock(int number) const;

    ServerConnection *m_connection;
    std::map<int, QToolButton *> m_buttons; ///< by the servers' numbers
    FlowLayout *m_row = nullptr;
    QToolButton *m_add;
    int m_ticks = 0;
};

} // namespace lockscope::ui
