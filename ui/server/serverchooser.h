// SPDX-License-Identifier: MIT
#pragma once

#include "knownservers.h"
#include "lockscope/lockerror.h"

#include <QtCore/QPointer>

namespace lockscope::ui {

class ConnectionDialog;
class PasswordDialog;
class ServerConnection;

/// Brings the window to a server: knows the servers, finds their passwords, and asks when it has to. A server that
/// refuses the password is not tried again and again: somebody is asked. GUI thread only.
class ServerChooser : public QObject
{
    Q_OBJECT
public:
    /// `connection` and `window`, the dialog's parent, are not owned and must outlive this.
    ServerChooser(ServerConnection *connection, QWidget *window);

    KnownServers *servers() { return &m_servers; }
    /// What can be chosen: the private server, those that are known, and those that were opened by their address.
    QList<ServerProfile> offered() const;
    /// Opens the server, or first asks for its password.
    void open(const ServerProfile &profile);
    /// Of an address, which may be that of a known server.
    ServerProfile profileOf(const ServerUrl &url) const;
    /// The same of either kind of address; without one where that is none.
    ServerProfile profileAt(const QString &address) const;
    /// For work on a server beside the window's own: `done` gets what the keyring has or somebody types; it is not
    /// called after Cancel. With a `reason` somebody is asked in any case.
    void findPassword(const ServerProfile &profile, const QString &reason, QObject *context,
                      std::function<void(const QString &password)> done);
    /// Asks for a server, beginning with this one.
    void ask(const ServerProfile &profile, const QString &reason = {}, const QString &details = {});

    /// Adds the server's locks to the window's list, or first asks for its password. The window's own are there.
    void addToList(const ServerProfile &profile);
    /// Asks for a server that is to be added.
    void askForList();
    /// The servers that were in the list, by their addresses; nobody is asked for a password. A MySQL or MariaDB whose
    /// password is not in the keyring is listed and not tried.
    void restoreList(const QStringList &addresses);
    /// Of a further server, by its number, which refuses the one that it got.
    void askPasswordOf(int number);

Q_SIGNALS:
    /// What went wrong meanwhile.
    void warned(const QString &text, const QString &details);

private:
    void askPassword(const ServerProfile &profile, const QString &reason = {}, const QString &details = {});
    void makePasswordDialog(const ServerProfile &profile, const QString &reason, const QString &details);
    /// As typed; kept where it is to be.
    QString takePassword();
    void onAccepted();
    void onPassword();
    void onStatus();
    ServerProfile profileOfStore(const QString &url) const;
    void connectTo(const ServerProfile &profile, const QString &typed);
    void makeDialog();
    static LockError noPassword();
    /// A server stands in the list once.
    bool refuseOwn(const ServerProfile &profile);

    ServerConnection *m_connection;
    QWidget *m_window;
    KnownServers m_servers;
    QPointer<ConnectionDialog> m_dialog;
    QPointer<PasswordDialog> m_passwordDialog;
    int m_choice = 0; ///< the last one wins
};

} // namespace lockscope::ui
