// SPDX-License-Identifier: MIT
#pragma once

#include "faultyproxy.h"

#include <QtCore/QDir>

#include <map>
#include <memory>

namespace lockscope {

/// A network of its own for each worker process of a run, which can be cut or slowed while the others' goes on. Costs
/// each packet a hop through this process. Private to lib/lab. Thread: its maker's.
class LabNetworks
{
public:
    /// `serverSocket`: where the server is. Without one there are no networks.
    explicit LabNetworks(QString serverSocket);
    ~LabNetworks();
    LabNetworks(const LabNetworks &) = delete;
    LabNetworks &operator=(const LabNetworks &) = delete;

    /// The socket that `worker` has to connect to; the same for the one that takes its place. The server's own where
    /// there are no networks, or this one could not be made.
    QString socketOf(int worker);
    /// False where that worker has no network of its own.
    bool set(int worker, FaultyProxy::State state);
    void openAll();

    /// Removes what died with the process that it belonged to.
    static void removeDead();
    /// Where the folders are: nobody but this user can make or exchange anything there. Empty where that cannot be had;
    /// then the network cannot be made worse.
    static QString parentFolder();

private:
    const QString m_serverSocket;
    QDir m_folder;
    std::map<int, std::unique_ptr<FaultyProxy>> m_proxies;
};

} // namespace lockscope
