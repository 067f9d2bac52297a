// SPDX-License-Identifier: MIT
#include "playserver.h"

#include "ui/server/serverconnection.h"

namespace lockscope::ui {

PlayServer::PlayServer(const ServerConnection *connection)
    : m_connection(connection)
{
}

LessonPlayer::FindServer PlayServer::finder() const
{
    const ServerProfile &profile = m_connection->profile();
    if (profile.isPrivate && !profile.url.socket.isEmpty()) // nobody has to find or start it
        return [here = m_connection->target()](LockError *) { return std::optional(here); };
    return [folder = m_connection->privateProfile().folder, user = m_user](LockError *error) {
        return start(folder, {}, user.get(), error);
    };
}

std::optional<SessionTarget> PlayServer::start(const QString &folder, const PrivateServerOptions &options,
                                               PrivateServerUser *user, LockError *error)
{
    const PrivateServer::StartResult started = user->start(folder, options);
    if (!started.error.isEmpty()) {
        error->message = started.error;
        return std::nullopt;
    }
    SessionTarget target;
    target.url = started.url;
    return target;
}

} // namespace lockscope::ui
