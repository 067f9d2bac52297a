// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QString>

#include <chrono>

namespace lockscope {

/// The longest path that a Unix socket's address can hold, in bytes.
inline constexpr int MaxSocketPathBytes = 107;

/// What listens on a Unix socket, found out without logging in.
struct SocketProbe
{
    enum class State {
        Absent,    ///< no such file, or nobody listens on it
        Silent,    ///< somebody listens but has not greeted in time: still starting, frozen or foreign
        Answering, ///< a MySQL or MariaDB server sent its greeting, or refused the connection in its protocol
        Foreign    ///< what answered is no such server, or another user's
    };

    State state = State::Absent;
    qint64 pid = 0;  ///< of the process that listens, as the kernel tells; 0 where unknown
    QString version; ///< as the greeting says; empty otherwise
};

/// Connects, reads the greeting and closes. Thread: any; blocks for at most `timeout`.
SocketProbe probeSocket(const QString &path, std::chrono::milliseconds timeout);

} // namespace lockscope
