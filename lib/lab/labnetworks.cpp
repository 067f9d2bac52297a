// SPDX-License-Identifier: MIT
#include "labnetworks.h"

#include <algorithm>

namespace lockscope {

using namespace Qt::StringLiterals;

LabNetworks::LabNetworks(QStringList servers)
    : m_servers(std::move(servers))
    , m_cuts(std::size_t(m_servers.size()))
{
    if (!m_servers.isEmpty() && !m_servers.contains(QString()))
        m_folder = std::make_unique<ProcessFolder>();
    if (m_folder && !m_folder->isValid())
        m_folder.reset();
}

QStringList LabNetworks::addressesOf(int worker)
{
    if (!m_folder)
        return m_servers;
    Proxies &proxies = m_proxies[worker];
    QStringList addresses;
    for (qsizetype server = 0; server < m_servers.size(); ++server) {
        const bool isPort = FaultyProxy::isPort(m_servers[server]);
        const QString path = isPort ? QString() : m_folder->filePath(u"%1-%2"_s.arg(worker).arg(server));
        const bool isNew = proxies.size() <= std::size_t(server);
        if (isNew)
            proxies.push_back(std::make_unique<FaultyProxy>(path, m_servers[server]));
        FaultyProxy &proxy = *proxies[std::size_t(server)];
        if (isNew)
            proxy.setState(stateOf(worker, std::size_t(server)));
        const QString address = isPort ? u"127.0.0.1:%1"_s.arg(proxy.port()) : path;
        addresses += proxy.isListening() ? address : m_servers[server];
    }
    return addresses;
}

bool LabNetworks::set(int worker, FaultyProxy::State state)
{
    const auto isListening = [](const auto &proxy) { return proxy->isListening(); };
    const auto found = m_proxies.find(worker);
    if (found == m_proxies.end())
        return false;
    m_states[worker] = state;
    apply(worker, found->second);
    return std::all_of(found->second.begin(), found->second.end(), isListening);
}

bool LabNetworks::cutServer(qsizetype server)
{
    ++m_cuts[std::size_t(server)];
    return applyToAll();
}

void LabNetworks::healServer(qsizetype server)
{
    int &cuts = m_cuts[std::size_t(server)];
    cuts = std::max(0, cuts - 1); // openAll() may have healed it
    applyToAll();
}

void LabNetworks::openAll()
{
    m_states.clear();
    std::fill(m_cuts.begin(), m_cuts.end(), 0);
    applyToAll();
}

FaultyProxy::State LabNetworks::stateOf(int worker, std::size_t server) const
{
    if (m_cuts[server] > 0)
        return FaultyProxy::State::Stalled;
    const auto own = m_states.find(worker);
    return own == m_states.end() ? FaultyProxy::State::Open : own->second;
}

/// False: there is no network that could be given a state.
bool LabNetworks::applyToAll()
{
    bool isAny = false;
    for (const auto &[worker, proxies] : m_proxies)
        isAny = apply(worker, proxies) || isAny;
    return isAny;
}

bool LabNetworks::apply(int worker, const Proxies &proxies)
{
    bool isAny = false;
    for (std::size_t server = 0; server < proxies.size(); ++server) {
        proxies[server]->setState(stateOf(worker, server)); // which tries to listen where an address was lost
        isAny = isAny || proxies[server]->isListening();
    }
    return isAny;
}

} // namespace lockscope
