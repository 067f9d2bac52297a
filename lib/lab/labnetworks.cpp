// SPDX-License-Identifier: MIT
#include "labnetworks.h"

#include <algorithm>

namespace lockscope {

using namespace Qt::StringLiterals;

LabNetworks::LabNetworks(QStringList servers)
    : m_servers(std::move(servers))
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
        if (proxies.size() <= std::size_t(server))
            proxies.push_back(std::make_unique<FaultyProxy>(path, m_servers[server]));
        const FaultyProxy &proxy = *proxies[std::size_t(server)];
        const QString address = isPort ? u"127.0.0.1:%1"_s.arg(proxy.port()) : path;
        addresses += proxy.isListening() ? address : m_servers[server];
    }
    return addresses;
}

bool LabNetworks::set(int worker, FaultyProxy::State state)
{
    const auto isListening = [](const auto &proxy) { return proxy->isListening(); };
    const auto found = m_proxies.find(worker);
    if (found == m_proxies.end() || !std::all_of(found->second.begin(), found->second.end(), isListening))
        return false;
    for (const auto &proxy : found->second)
        proxy->setState(state);
    return true;
}

bool LabNetworks::setServer(qsizetype server, FaultyProxy::State state)
{
    bool isSet = false;
    for (auto &[worker, proxies] : m_proxies) {
        if (std::size_t(server) >= proxies.size() || !proxies[std::size_t(server)]->isListening())
            continue;
        proxies[std::size_t(server)]->setState(state);
        isSet = true;
    }
    return isSet;
}

void LabNetworks::openAll()
{
    for (auto &[worker, proxies] : m_proxies) {
        for (const auto &proxy : proxies)
            proxy->setState(FaultyProxy::State::Open);
    }
}

} // namespace lockscope
