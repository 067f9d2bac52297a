// SPDX-License-Identifier: MIT
#include "serverchooser.h"

#include "connectiondialog.h"
#include "furtherservers.h"
#include "passworddialog.h"
#include "ui/text/commontext.h"

#include "console/serveraccess.h"
#include "sources/storeaddress.h"

#include <algorithm>

namespace lockscope::ui {

ServerChooser::ServerChooser(ServerConnection *connection, QWidget *window)
    : QObject(window)
    , m_connection(connection)
    , m_window(window)
{
    connect(connection, &ServerConnection::opened, this, [this] { ++m_choice; });
    connect(connection, &ServerConnection::statusChanged, this, &ServerChooser::onStatus);
    connect(connection, &ServerConnection::waitsOffChanged, this,
            [this] { m_servers.keepWaitsOff(m_connection->profile()); });
    connect(&m_servers, &KnownServers::changed, connection, &ServerConnection::recheckGuards);
    connect(&m_servers, &KnownServers::passwordNotKept, this, [this](const QString &server, const QString &why) {
        Q_EMIT warned(
            tr("The keyring did not store the password of %1. You will be asked for it each time.").arg(server), why);
    });
}

void ServerChooser::open(const ServerProfile &profile)
{
    const bool mayNeedNone = profile.isPrivate || profile.isStore(); // most stores have no passwords
    if (mayNeedNone && !profile.remembersPassword) {
        m_connection->open(profile, {});
        return;
    }
    if (!profile.remembersPassword) {
        askPassword(profile);
        return;
    }
    m_servers.findPassword(profile, {}, this, [this, profile, choice = ++m_choice](const QString &password) {
        if (choice != m_choice)
            return;
        if (password.isEmpty())
            askPassword(profile, tr("The keyring has no password for this server, or is not there."));
        else
            m_connection->open(profile, password);
    });
}

QList<ServerProfile> ServerChooser::offered() const
{
    QList<ServerProfile> all{m_connection->privateProfile()};
    all += m_servers.list();
    for (const ServerProfile &visited : m_connection->visited()) {
        const auto isIt = [&visited](const ServerProfile &known) { return known.isAt(visited); };
        if (std::none_of(all.cbegin(), all.cend(), isIt))
            all.append(visited);
    }
    return all;
}

/// As another user or on another schema it is the same server all the same.
ServerProfile ServerChooser::profileOf(const ServerUrl &url) const
{
    ServerProfile found = ServerProfile::unnamed(url);
    for (const ServerProfile &known : m_servers.list()) {
        if (known.url == url)
            return known;
        if (!isSameServer(known.url, url))
            continue;
        found = known;
        found.url = url;
        found.remembersPassword = false;
    }
    return found;
}

ServerProfile ServerChooser::profileOfStore(const QString &url) const
{
    ServerProfile found = ServerProfile::unnamedStore(url);
    for (const ServerProfile &known : m_servers.list()) {
        if (known.store == found.store)
            return known;
        if (!isSameStore(known.store, found.store))
            continue;
        const QString store = found.store;
        found = known;
        found.store = store;
        found.remembersPassword = false;
    }
    return found;
}

ServerProfile ServerChooser::profileAt(const QString &address) const
{
    if (isStore(address))
        return wrongStore(address).isEmpty() ? profileOfStore(address) : ServerProfile();
    ServerUrl url;
    QString error;
    return ServerUrl::parse(address, &url, &error) ? profileOf(url) : ServerProfile();
}

void ServerChooser::findPassword(const ServerProfile &profile, const QString &reason, QObject *context,
                                 std::function<void(const QString &password)> done)
{
    const auto ask = [this, profile, reason, context, done] {
        makePasswordDialog(profile, reason, {});
        m_passwordDialog->offerNoSettings(); // the window would go there
        connect(m_passwordDialog, &QDialog::accepted, context, [this, done] { done(takePassword()); });
        m_passwordDialog->open();
    };
    if (!reason.isEmpty() || !profile.remembersPassword)
        return ask();
    m_servers.findPassword(profile, {}, context, [ask, done](const QString &kept) {
        if (kept.isEmpty())
            ask();
        else
            done(kept);
    });
}

/// Of a server that is known otherwise.
void ServerChooser::askPassword(const ServerProfile &profile, const QString &reason, const QString &details)
{
    makePasswordDialog(profile, reason, details);
    connect(m_passwordDialog, &QDialog::accepted, this, &ServerChooser::onPassword);
    connect(m_passwordDialog, &PasswordDialog::settingsWanted, this, [this, profile] { ask(profile); });
    m_passwordDialog->open();
}

void ServerChooser::makePasswordDialog(const ServerProfile &profile, const QString &reason, const QString &details)
{
    delete m_passwordDialog;
    m_passwordDialog = new PasswordDialog(profile, m_servers.has(profile.name), reason, details, m_window);
    m_passwordDialog->setAttribute(Qt::WA_DeleteOnClose);
}

QString ServerChooser::takePassword()
{
    const QString typed = m_passwordDialog->password();
    if (const ServerProfile profile = m_passwordDialog->profile(); m_servers.has(profile.name))
        m_servers.put(profile, typed);
    return typed;
}

void ServerChooser::onPassword()
{
    const ServerProfile profile = m_passwordDialog->profile();
    const QString typed = takePassword();
    ++m_choice;
    m_connection->open(profile, typed);
}

void ServerChooser::makeDialog()
{
    if (m_dialog)
        return;
    m_dialog = new ConnectionDialog(m_connection, &m_servers, m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &QDialog::accepted, this, &ServerChooser::onAccepted);
    connect(m_dialog, &QDialog::finished, this, [this] { m_dialog.clear(); });
}

bool ServerChooser::refuseOwn(const ServerProfile &profile)
{
    const bool isOwn = !m_connection->isRecorded() && m_connection->profile().isAt(profile);
    if (isOwn)
        Q_EMIT warned(tr("The window looks at %1: its locks are in the list.").arg(profile.fullName()), {});
    return isOwn;
}

void ServerChooser::addToList(const ServerProfile &profile)
{
    FurtherServers *further = m_connection->further();
    if (refuseOwn(profile) || further->has(profile))
        return;
    if (profile.isStore() && !profile.remembersPassword) { // most stores have no passwords
        further->add(profile, {});
        return;
    }
    findPassword(profile, {}, this, [further, profile](const QString &password) { further->add(profile, password); });
}

void ServerChooser::askForList()
{
    makeDialog();
    m_dialog->setForList();
    m_dialog->setProfile(ServerProfile());
    m_dialog->open();
}

void ServerChooser::restoreList(const QStringList &addresses)
{
    FurtherServers *further = m_connection->further();
    for (const QString &address : addresses) {
        const ServerProfile profile = profileAt(address);
        if (profile.urlText().isEmpty() || further->has(profile))
            continue;
        m_servers.findPassword(profile, {}, this, [further, profile](const QString &password) {
            if (!password.isEmpty() || profile.isStore()) // most stores have no passwords
                further->add(profile, password);
            else
                further->addUntried(profile, noPassword());
        });
    }
}

/// A server that is tried without its password locks the account out in the end.
LockError ServerChooser::noPassword()
{
    LockError error;
    error.kind = LockError::Kind::AccessDenied;
    error.message = tr("It was not asked: its password is not in the keyring.");
    return error;
}

void ServerChooser::askPasswordOf(int number)
{
    FurtherServers *further = m_connection->further();
    const FurtherServers::Server *server = further->find(number);
    if (!server || !server->status.error)
        return;
    findPassword(server->profile, server->status.error->message, this,
                 [further, profile = server->profile](const QString &password) { further->add(profile, password); });
}

void ServerChooser::ask(const ServerProfile &profile, const QString &reason, const QString &details)
{
    makeDialog();
    m_dialog->setProfile(profile);
    if (!reason.isEmpty())
        m_dialog->showReason(reason, details);
    m_dialog->open();
}

void ServerChooser::onAccepted()
{
    const ServerProfile profile = m_dialog->profile();
    const QString typed = m_dialog->password();
    m_dialog->save();
    if (!m_dialog->isForList())
        connectTo(profile, typed);
    else if (typed.isEmpty())
        addToList(profile);
    else if (!refuseOwn(profile))
        m_connection->further()->add(profile, typed);
}

void ServerChooser::connectTo(const ServerProfile &profile, const QString &typed)
{
    m_servers.findPassword(profile, typed, this, [this, profile, choice = ++m_choice](const QString &password) {
        if (choice == m_choice)
            m_connection->open(profile, password);
    });
}

void ServerChooser::onStatus()
{
    const MonitorStatus &status = m_connection->status();
    if (status.phase != MonitorStatus::Phase::Failing || !status.isPermanent() || m_connection->profile().isPrivate
        || m_dialog || m_passwordDialog)
        return;
    askPassword(m_connection->profile(), status.error->message, CommonText::serverWords(*status.error));
}

} // namespace lockscope::ui
