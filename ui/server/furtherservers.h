// SPDX-License-Identifier: MIT
#pragma once

#include "feeds/monitor.h"
#include "liveclock.h"
#include "serverprofile.h"

#include <QtCore/QObject>

#include <map>
#include <memory>

namespace lockscope::ui {

class ServerConnection;

/// Servers whose locks stand in the window's list beside those of its own server, each with its own pace, error, age
/// and colour. They stay when the window goes to another server; one that it goes to stands in the list once, and is a
/// further one again when the window leaves it. GUI thread only; nothing here blocks.
class FurtherServers : public QObject
{
    Q_OBJECT
public:
    /// One of them, or the window's own.
    struct Server
    {
        ServerProfile profile;
        QString password = {};
        MonitorStatus status = {};
        std::unique_ptr<LiveClock> clock = {};
        std::unique_ptr<LockSource> words = {}; ///< for what releases send, never opened
        bool mayAct = false;                    ///< a person agreed to that when it was named
        std::optional<LockError> untried = {};  ///< why it is not asked at all
    };

    explicit FurtherServers(ServerConnection *connection);

    /// Returns its number. One that is in the list already, by its address, takes the password and is asked again.
    int add(const ServerProfile &profile, const QString &password);
    /// The same of one that is not asked before it is added with a password; `why` is its error until then.
    int addUntried(const ServerProfile &profile, const LockError &why);
    void remove(int number);
    /// Asks it now.
    void refresh(int number);
    bool isEmpty() const { return m_servers.empty(); }
    /// Of all of them, whole; also of one that the window looks at for now.
    QStringList addresses() const;
    /// By their numbers, as LockKey::server has them.
    const std::map<int, Server> &all() const { return m_servers; }
    const Server *find(int number) const;
    bool has(const ServerProfile &profile) const { return numberOf(profile) != 0; }
    /// What servers are called in the list, each otherwise, the window's own too; empty while there is no further one.
    ServerNames names() const;
    /// In which colours they are shown: the chosen ones, and for the others one that no server of the list has.
    QMap<int, Tint> tints() const;

    /// A person agreed to changes on these and no others.
    void setOperators(const QList<int> &numbers);
    /// Those of which it changed whether they are guarded: see recognize().
    QList<int> recognizeAll();
    QList<int> operators() const;

Q_SIGNALS:
    /// Another one is in the list, or one is no more.
    void changed();
    void statusChanged(int number);

private:
    int numberOf(const ServerProfile &profile) const;
    int put(Server added);
    void setOwnAside();
    void attach();
    void attach(int number);
    void onStatus(int number, const MonitorStatus &status);
    void onList(const LockListUpdatePtr &update);
    void freezeClocks();

    ServerConnection *m_connection;
    std::map<int, Server> m_servers;
    std::map<int, Server> m_aside; ///< the one that the window looks at
    int m_last = 0;                ///< number that was given
};

} // namespace lockscope::ui
