// SPDX-License-Identifier: MIT
#include "playserver.h"

#include "ui/server/serverconnection.h"

#include <QtCore/QThreadPool>

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

/// QCoreApplication's end waits for what runs in that pool.
std::shared_ptr<PrivateServerUser> PlayServer::makeUser()
{
    return {new PrivateServerUser,
            [](PrivateServerUser *user) { QThreadPool::globalInstance()->start([user] { delete user; }); }};
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
