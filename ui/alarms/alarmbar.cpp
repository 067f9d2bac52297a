// SPDX-License-Identifier: MIT
#include "alarmbar.h"

#include "alarmcenter.h"
#include "alarmdialog.h"
#include "alarmtext.h"
#include "notifier.h"
#include "ui/server/furtherservers.h"
#include "ui/server/serverconnection.h"

#include <QtCore/QSettings>
#include <QtGui/QAction>

#include <utility>

namespace lockscope::ui {

AlarmBar::AlarmBar(ServerConnection *connection, QWidget *parent)
    : MessageBar(parent)
    , m_connection(connection)
    , m_center(new AlarmCenter(this))
    , m_notifier(new Notifier(parent))
    , m_edit(new QAction(tr("&Alarms…"), this))
    , m_show(new QAction(tr("Show it"), this))
{
    m_edit->setIconText(tr("Change alarms…"));
    m_edit->setToolTip(tr("Choose when something lasts too long"));
    m_center->setSettings(loadAlarmSettings(QSettings()));
    connect(m_edit, &QAction::triggered, this, &AlarmBar::edit);
    connect(m_show, &QAction::triggered, this, &AlarmBar::showFirst);
    connect(m_center, &AlarmCenter::changed, this, &AlarmBar::onChanged);
    connect(m_center, &AlarmCenter::announced, this, &AlarmBar::onAnnounced);
    connect(connection, &ServerConnection::opened, this, [this] {
        m_unseen.reset();
        ++m_server;
        m_center->forget();
        m_center->setServers(m_connection->further()->names());
    });
    connect(connection->further(), &FurtherServers::changed, this,
            [this] { m_center->setServers(m_connection->further()->names()); });
    connect(connection, &ServerConnection::listUpdated, this, &AlarmBar::onList);
}

void AlarmBar::onList(const LockListUpdatePtr &update)
{
    if (m_connection->isRecorded())
        return; // what was is no alarm
    m_unseen = update;
    if (!m_isLooking)
        look();
}

/// Elsewhere: to go through a very long list takes as long as all else that an update does to the window.
void AlarmBar::look()
{
    m_isLooking = m_unseen != nullptr;
    if (!m_isLooking)
        return;
    const LockListUpdatePtr update = std::exchange(m_unseen, nullptr);
    const auto work = [update, sieve = m_center->sieveFor(update->clock, update->clocks)] {
        const bool isPartial = update->isCut() || !update->contains.isEmpty();
        return LeaseReading{update->clock, sieve.of(update->rows), isPartial, update->clocks};
    };
    m_calls.run(work, this, [this, server = m_server](const LeaseReading &leases) { onSeen(server, leases); });
}

void AlarmBar::onSeen(quint64 server, const LeaseReading &leases)
{
    if (server == m_server)
        m_center->onLeases(leases);
    look();
}

void AlarmBar::onChanged(bool hasMore)
{
    if (m_center->alarms().isEmpty()) {
        clear();
        m_notifier->done();
        return;
    }
    if (isHidden() && !hasMore)
        return; // the person closed it
    show(Level::Warning, m_center->text());
    addAction(m_show);
    addAction(m_edit);
}

void AlarmBar::onAnnounced(const QList<Alarm> &alarms)
{
    const AlarmSettings &settings = m_center->settings();
    QStringList servers;
    for (const Alarm &alarm : alarms)
        servers += m_center->servers().value(alarm.subject.server(), m_connection->profile().fullName());
    servers.removeDuplicates();
    m_notifier->notify(AlarmText::title(alarms.size(), servers.join(u", ")),
                       AlarmText::summary(alarms, settings.limits, m_center->isPartial(), m_center->servers()),
                       settings.notifies);
}

void AlarmBar::showFirst()
{
    if (m_center->alarms().isEmpty())
        return;
    const Alarm &alarm = m_center->alarms().first();
    if (alarm.subject.lock)
        Q_EMIT lockChosen(*alarm.subject.lock);
    else
        Q_EMIT sessionChosen(m_center->sessionOf(alarm));
}

void AlarmBar::edit()
{
    auto *dialog = new AlarmDialog(m_center->settings(), window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        QSettings settings;
        saveAlarmSettings(settings, dialog->settings());
        m_center->setSettings(dialog->settings());
    });
    dialog->open();
}

} // namespace lockscope::ui
