// SPDX-License-Identifier: MIT
#include "furtherservers.h"

#include "serverconnection.h"
#include "sources/mysqlsource.h"
#include "sources/storeaddress.h"

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

SourceMaker makerOf(const ServerProfile &profile, const QString &password)
{
    if (profile.isStore())
        return [url = profile.store, password](SourceUse /*use*/) { return makeSource(url, password); };
    SessionTarget target;
    target.url = profile.url;
    target.password = password;
    return [target](SourceUse use) { return makeMySqlSource(target, use); };
}

} // namespace

FurtherServers::FurtherServers(ServerConnection *connection)
    : QObject(connection)
    , m_connection(connection)
{
    connect(connection, &ServerConnection::opened, this, [this] {
        setOwnAside();
        attach();
    });
    connect(connection, &ServerConnection::feedsMade, this, qOverload<>(&FurtherServers::attach));
    connect(connection, &ServerConnection::listUpdated, this, &FurtherServers::onList);
    connect(connection, &ServerConnection::pausedChanged, this, &FurtherServers::freezeClocks);
    connection->follow(&Monitor::serverStatusChanged, this, &FurtherServers::onStatus);
}

int FurtherServers::numberOf(const ServerProfile &profile) const
{
    for (const auto &[number, server] : m_servers) {
        if (server.profile.isAt(profile))
            return number;
    }
    return 0;
}

const FurtherServers::Server *FurtherServers::find(int number) const
{
    const auto found = m_servers.find(number);
    return found != m_servers.end() ? &found->second : nullptr;
}

void FurtherServers::setOwnAside()
{
    m_servers.merge(m_aside);
    if (const int number = numberOf(m_connection->profile()))
        m_aside.insert(m_servers.extract(number));
}

QStringList FurtherServers::addresses() const
{
    std::map<int, QString> all;
    for (const auto *servers : {&m_servers, &m_aside}) {
        for (const auto &[number, server] : *servers)
            all[number] = server.profile.urlText();
    }
    QStringList addresses;
    for (const auto &[number, address] : all)
        addresses += address;
    return addresses;
}

int FurtherServers::add(const ServerProfile &profile, const QString &password)
{
    return put({.profile = profile, .password = password});
}

int FurtherServers::addUntried(const ServerProfile &profile, const LockError &why)
{
    return put({.profile = profile, .untried = why});
}

int FurtherServers::put(Server added)
{
    m_servers.merge(m_aside);
    int number = numberOf(added.profile);
    if (number != 0)
        m_connection->call(&Monitor::removeServer, number);
    else
        number = ++m_last;
    Server &server = m_servers[number];
    added.profile.ownName.clear(); // another server may be there by now
    added.profile.isRecognized = false;
    added.profile.isProduction |= isTaggedAsProduction(added.profile);
    added.mayAct = server.mayAct;
    added.clock = server.clock ? std::move(server.clock) : std::make_unique<LiveClock>(); // locks of it are shown by it
    added.clock->setTicking(false);
    if (added.profile.isStore())
        added.words = makeSource(added.profile.store, {});
    server = std::move(added);
    setOwnAside();
    attach(number);
    Q_EMIT changed();
    return number;
}

void FurtherServers::remove(int number)
{
    m_connection->call(&Monitor::removeServer, number);
    if (m_servers.erase(number) > 0)
        Q_EMIT changed();
}

void FurtherServers::refresh(int number)
{
    m_connection->call(&Monitor::refreshServer, number);
}

/// A name that two have is followed by the address.
ServerNames FurtherServers::names() const
{
    if (m_servers.empty() || m_connection->isRecorded())
        return {};
    ServerNames names{{0, m_connection->profile().name}};
    for (const auto &[number, server] : m_servers) {
        const QString &name = server.profile.name;
        const bool isTaken = std::find(names.cbegin(), names.cend(), name) != names.cend();
        names[number] = isTaken ? u"%1 (%2)"_s.arg(name, server.profile.urlText()) : name;
    }
    return names;
}

QMap<int, Tint> FurtherServers::tints() const
{
    const QList<int> numbers = names().keys();
    QList<Tint> chosen;
    for (const int number : numbers)
        chosen += m_connection->profileOf(number).tint;
    chosen = Tints::distinct(chosen);
    QMap<int, Tint> tints;
    for (qsizetype i = 0; i < numbers.size(); ++i)
        tints[numbers[i]] = chosen[i];
    return tints;
}

/// To a monitor that is new, where there is one already; none of the rows of the one before is in the list.
void FurtherServers::attach()
{
    for (const auto &[number, server] : m_servers)
        attach(number);
}

void FurtherServers::attach(int number)
{
    const auto found = m_servers.find(number);
    if (found == m_servers.end())
        return;
    Server &server = found->second;
    server.status = {};
    server.clock->forget();
    if (server.untried) {
        server.status.phase = MonitorStatus::Phase::Failing;
        server.status.error = server.untried;
        return;
    }
    if (!m_connection->feed<Monitor>() || m_connection->isRecorded())
        return;
    m_connection->call(&Monitor::addServer, number, makerOf(server.profile, server.password));
    m_connection->pacePolls();
}

void FurtherServers::onStatus(int number, const MonitorStatus &status)
{
    const auto found = m_servers.find(number);
    if (found == m_servers.end())
        return;
    found->second.status = status;
    if (hearOwnName(&found->second.profile, status.server.ownName))
        m_connection->recheckGuards();
    freezeClocks();
    Q_EMIT statusChanged(number);
}

void FurtherServers::onList(const LockListUpdatePtr &update)
{
    for (const auto &[number, server] : m_servers) {
        if (const auto clock = update->clocks.constFind(number); clock != update->clocks.constEnd())
            server.clock->sync(*clock);
    }
}

/// A countdown that went on would claim what nobody knows.
void FurtherServers::freezeClocks()
{
    for (const auto &[number, server] : m_servers)
        server.clock->setFrozen(m_connection->isPaused() || server.status.isFailing());
}

QList<int> FurtherServers::recognizeAll()
{
    QList<int> changed;
    for (auto &[number, server] : m_servers) {
        if (recognize(&server.profile))
            changed.append(number);
    }
    return changed;
}

void FurtherServers::setOperators(const QList<int> &numbers)
{
    for (auto &[number, server] : m_servers)
        server.mayAct = numbers.contains(number);
}

QList<int> FurtherServers::operators() const
{
    QList<int> numbers;
    for (const auto &[number, server] : m_servers) {
        if (server.mayAct)
            numbers += number;
    }
    return numbers;
}

} // namespace lockscope::ui
