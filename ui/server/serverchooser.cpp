// SPDX-License-Identifier: MIT
#include "serverchooser.h"

#include "connectiondialog.h"
#include "ui/text/words.h"

namespace lockscope::ui {

ServerChooser::ServerChooser(ServerLink *link, QWidget *window)
    : QObject(window)
    , m_link(link)
    , m_window(window)
{
    connect(link, &ServerLink::opened, this, [this] { ++m_choice; });
    connect(link, &ServerLink::statusChanged, this, &ServerChooser::onStatus);
    connect(link, &ServerLink::waitsOffChanged, this, [this] { m_servers.keepWaitsOff(m_link->profile()); });
    connect(&m_servers, &KnownServers::passwordNotKept, this, [this](const QString &server, const QString &why) {
        Q_EMIT warned(tr("The keyring did not take the password of %1. It is asked for each time.").arg(server), why);
    });
}

void ServerChooser::open(const ServerProfile &profile)
{
    if (profile.isPrivate) {
        m_link->open(profile, {});
        return;
    }
    if (!profile.remembersPassword) {
        ask(profile);
        return;
    }
    m_servers.findPassword(profile, {}, this, [this, profile, choice = ++m_choice](const QString &password) {
        if (choice != m_choice)
            return;
        if (password.isEmpty())
            ask(profile, tr("The keyring has no password for this server, or is not there."));
        else
            m_link->open(profile, password);
    });
}

void ServerChooser::ask(const ServerProfile &profile, const QString &reason, const QString &details)
{
    if (!m_dialog) {
        m_dialog = new ConnectionDialog(m_link, &m_servers, m_window);
        m_dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_dialog, &QDialog::accepted, this, &ServerChooser::onAccepted);
        connect(m_dialog, &QDialog::finished, this, [this] { m_dialog.clear(); });
    }
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
    connectTo(profile, typed);
}

void ServerChooser::connectTo(const ServerProfile &profile, const QString &typed)
{
    m_servers.findPassword(profile, typed, this, [this, profile, choice = ++m_choice](const QString &password) {
        if (choice == m_choice)
            m_link->open(profile, password);
    });
}

void ServerChooser::onStatus()
{
    const MonitorStatus &status = m_link->status();
    if (status.phase != MonitorStatus::Phase::Failing || !status.isPermanent() || m_link->profile().isPrivate
        || m_dialog)
        return;
    ask(m_link->profile(), status.error->message, Words::serverWords(*status.error));
}

} // namespace lockscope::ui
