// SPDX-License-Identifier: MIT
#pragma once

#include "lessons/lessonplayer.h"
#include "privateserver/privateserver.h"

namespace lockscope::ui {

class ServerConnection;

/// Where lessons play: on the private server, which is started when it is needed and then ends with this.
class PlayServer
{
public:
    /// `connection` is not owned and must outlive this.
    explicit PlayServer(const ServerConnection *connection);
    /// What plays must have ended before.
    ~PlayServer();
    PlayServer(const PlayServer &) = delete;
    PlayServer &operator=(const PlayServer &) = delete;

    /// Where the window is at the private server already, that one.
    LessonPlayer::FindServer finder() const;
    /// Starts the private server of a folder or joins it; `*hasStarted` becomes true in the first case. Blocks.
    static std::optional<SessionTarget> start(const QString &folder, const PrivateServerOptions &options,
                                              std::atomic<bool> *hasStarted, LockError *error);
    /// The server that the other one has started ends with this.
    void takeOver(PlayServer &other);

private:
    const ServerConnection *m_connection;
    std::shared_ptr<std::atomic<bool>> m_hasStarted = std::make_shared<std::atomic<bool>>(false);
};

} // namespace lockscope::ui
