// SPDX-License-Identifier: MIT
#include "playserver.h"

#include "ui/server/serverconnection.h"

namespace lockscope::ui {

PlayServer::PlayServer(const ServerConnection *connection)
    : m_connection(connection)
{
}

PlayServer::~PlayServer()
{
    if (m_hasStarted->load())
        PrivateServer::stop();
}

LessonPlayer::FindServer PlayServer::finder() const
{
    std::optional<SessionTarget> here;
    if (m_connection->isOpen() && m_connection->profile().isPrivate)
        here = m_connection->target();
    return [here, hasStarted = m_hasStarted](LockError *error) -> std::optional<SessionTarget> {
        if (here)
            return here;
        return start({}, {}, hasStarted.get(), error);
    };
}

std::optional<SessionTarget> PlayServer::start(const QString &folder, const PrivateServerOptions &options,
                                               std::atomic<bool> *hasStarted, LockError *error)
{
    const PrivateServer::StartResult started = PrivateServer::start(folder, options);
    if (!started.error.isEmpty()) {
        error->message = started.error;
        return std::nullopt;
    }
    if (started.started)
        *hasStarted = true;
    SessionTarget target;
    target.url = started.url;
    return target;
}

void PlayServer::takeOver(PlayServer &other)
{
    m_hasStarted->store(other.m_hasStarted->exchange(false));
}

} // namespace lockscope::ui
