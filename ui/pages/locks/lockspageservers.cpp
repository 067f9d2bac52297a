// SPDX-License-Identifier: MIT
// The part of the page that knows of several servers, and what others ask of it.
#include "lockspage.h"

#include "lockcopies.h"
#include "lockending.h"
#include "lockinspector.h"
#include "locktablemodel.h"
#include "serverbar.h"
#include "ui/server/furtherservers.h"
#include "ui/server/serverconnection.h"
#include "ui/widgets/filteredit.h"
#include "ui/widgets/flatheader.h"
#include "ui/widgets/livetableview.h"

#include <QtGui/QAction>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

void LocksPage::setupServers()
{
    connect(m_servers, &ServerBar::serverWanted, this, &LocksPage::serverWanted);
    connect(m_servers, &ServerBar::passwordWanted, this, &LocksPage::passwordWanted);
    connect(m_servers, &ServerBar::chosen, this,
            [this](const QString &name) { m_filter->setText(u"server:=\"%1\""_s.arg(name)); });
    m_guesses->setCheckable(true);
    m_guesses->setToolTip(
        tr("In Redis also those of which only the name says so. They are listed, and never released"));
    connect(m_guesses, &QAction::toggled, m_connection, &ServerConnection::setGuesses);
    connect(m_connection->further(), &FurtherServers::changed, this, &LocksPage::onServers);
    connect(m_connection->further(), &FurtherServers::statusChanged, this, &LocksPage::onServers);
    onServers();
}

/// A monitor begins with an empty list, also in place of another one.
void LocksPage::onFeedsMade()
{
    m_model->clear();
    m_connection->call(&Monitor::setLimit, m_limit);
    m_connection->call(&Monitor::setView, m_lockView);
}

/// What the list has to know of its servers, before it paints a row of one that is new or after one has gone.
void LocksPage::onServers()
{
    const FurtherServers *further = m_connection->further();
    const ServerNames names = further->names();
    const QMap<int, Tint> tints = further->tints();
    QMap<int, LockTableModel::Server> servers;
    for (auto name = names.cbegin(); name != names.cend(); ++name) {
        LockKey key;
        key.server = name.key();
        servers[key.server] = {name.value(), m_connection->clockOf(key), tints.value(key.server),
                               m_connection->statusOf(key).isFailing()};
    }
    if (m_inspector->lock() && m_inspector->lock()->key.server != 0
        && !further->find(m_inspector->lock()->key.server)) {
        m_selected.reset();
        m_inspector->setLock(std::nullopt);
    }
    const auto isStore = [](const auto &each) { return each.second.profile.isStore(); };
    m_guesses->setEnabled(m_connection->isStore()
                          || std::any_of(further->all().begin(), further->all().end(), isStore));
    m_model->setServers(servers);
    m_view->flatHeader()->setOffered(LockTableModel::ServerColumn, !servers.isEmpty());
    m_view->setStale(servers.isEmpty() && m_connection->status().isFailing());
    if (m_lockView.servers != names)
        sendView();
    m_ending->update();
    showEmpty();
}

QMap<int, KeyPasses> LocksPage::keyPasses() const
{
    QMap<int, KeyPasses> passes = m_connection->last().keyPasses;
    passes.removeIf([this](const auto &each) {
        LockKey key;
        key.server = each.key();
        return m_connection->statusOf(key).isFailing();
    });
    return passes;
}

bool LocksPage::isListed(int server) const
{
    const QList<LockItem> &items = m_model->items();
    return std::any_of(items.cbegin(), items.cend(),
                       [server](const LockItem &item) { return item.row->key.server == server; });
}

QAction *LocksPage::copyAction() const
{
    return m_copies->nameAction();
}

QList<QAction *> LocksPage::copyActions() const
{
    return m_copies->actions();
}

} // namespace lockscope::ui
