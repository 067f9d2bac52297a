// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessonplayer.h"
#include "privateserver/privateserver.h"

namespace lockscope::ui {

class ServerConnection;

/// Where lessons play: on the private server, which is started when it is needed and is used from then on as long as
/// this lives, and what it gave to play.
class PlayServer
{
public:
    /// `connection` is not owned and must outlive this.
    explicit PlayServer(const ServerConnection *connection);

    /// The one that the window knows as private.
    LessonPlayer::FindServer finder() const;
    /// Starts the private server of a folder for `user`, or joins it. Blocks.
    static std::optional<SessionTarget> start(const QString &folder, const PrivateServerOptions &options,
                                              PrivateServerUser *user, LockError *error);
    /// Whose end stops no thread that drops it: the last one's end may take seconds, and happens elsewhere. The program
    /// waits for it.
    static std::shared_ptr<PrivateServerUser> makeUser();
    /// Uses the server together with the other one, so that it does not end between the two.
    void takeOver(const PlayServer &other) { m_user = other.m_user; }

private:
    const ServerConnection *m_connection;
    std::shared_ptr<PrivateServerUser> m_user = makeUser();
};

} // namespace lockscope::ui
