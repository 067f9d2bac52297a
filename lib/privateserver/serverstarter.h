// SPDX-License-Identifier: MIT
#pragma once

#include "filelock.h"
#include "privatefolder.h"
#include "privateserver.h"
#include "processref.h"
#include "serverlaunch.h"
#include "serverprogram.h"

#include <QtCore/QDeadlineTimer>

namespace lockscope {

/// One start of the server in one folder, while its control lock is held.
class ServerStarter
{
public:
    ServerStarter(PrivateFolder folder, const PrivateServer::Options &options, bool endsWithUsers)
        : m_folder(std::move(folder))
        , m_options(options)
        , m_endsWithUsers(endsWithUsers)
        , m_deadline(options.timeout)
        , m_serverLock(m_folder.own(), "server.lock")
    {
    }

    /// One that runs and is joined stays from now on unless `endsWithUsers`.
    PrivateServer::StartResult run();

private:
    bool joinRunning(PrivateServer::StartResult *result);
    void keepIfWanted(PrivateServer::StartResult *result) const;
    void startNew(PrivateServer::StartResult *result);
    bool install(const ServerProgram &program, QString *error);
    bool isFree(const PrivateFolder::Record &record, const ServerProgram &program, QString *error) const;
    bool waitUntilAnswering(const ProcessRef &process, const QString &socket, qint64 logOffset, QString *error) const;
    QString failure(const QString &what, qint64 logOffset) const;
    ServerCommand commandFor(const QStringList &words) const;

    PrivateFolder m_folder;
    const PrivateServer::Options &m_options;
    const bool m_endsWithUsers;
    QDeadlineTimer m_deadline;
    FileLock m_serverLock;
};

/// As whom the server at that socket is used.
ServerUrl privateUrl(const QString &socket);

} // namespace lockscope
