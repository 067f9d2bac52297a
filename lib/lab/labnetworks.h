// SPDX-License-Identifier: MIT
#pragma once

#include "faultyproxy.h"
#include "privateserver/processfolder.h"

#include <QtCore/QStringList>

#include <map>
#include <memory>
#include <vector>

namespace lockscope {

/// A network of its own for each worker process of a run, which can be cut or slowed while the others' goes on. Costs
/// each packet a hop through this process. Private to lib/lab. Thread: its maker's.
class LabNetworks
{
public:
    /// `servers`: their sockets, or `127.0.0.1:` with a port. Without any, or where one is empty, there are no
    /// networks.
    explicit LabNetworks(QStringList servers);

    /// Where `worker` has to connect to, one for each server and of its kind; the same for the one that takes its
    /// place. A server's own where there are no networks, or this one could not be made.
    QStringList addressesOf(int worker);
    /// False where that worker has no network of its own, or not to each server; what it has is in that state.
    bool set(int worker, FaultyProxy::State state);
    /// Stalls those of all workers with one server, by its number in `servers`, whatever each of them has beside that;
    /// of those that come later, too. Cut twice, it has to be healed twice. False where no worker has a network to it.
    bool cutServer(qsizetype server);
    void healServer(qsizetype server);
    void openAll();

private:
    using Proxies = std::vector<std::unique_ptr<FaultyProxy>>;

    FaultyProxy::State stateOf(int worker, std::size_t server) const;
    bool applyToAll();
    bool apply(int worker, const Proxies &proxies);

    const QStringList m_servers;
    std::unique_ptr<ProcessFolder> m_folder; ///< null: there are no networks
    std::map<int, Proxies> m_proxies;        ///< by worker, one for each server
    std::map<int, FaultyProxy::State> m_states;
    std::vector<int> m_cuts; ///< by server, how many last
};

} // namespace lockscope
