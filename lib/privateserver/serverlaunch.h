// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>

namespace lockscope {

/// How a server, or the program that makes its data folder, is started: in a session of its own, with none of our
/// open files but `lockFd` (as descriptor 3), reading nothing, writing to `logPath` only, mode 0077 masked.
struct ServerCommand
{
    QStringList words;       ///< program (absolute path) and arguments
    QString folder;          ///< to work in
    QString logPath;         ///< appended to
    QString temporaryFolder; ///< for its temporary files
    /// An open file on which the caller holds a lock that the new process is to go on holding; the process writes its
    /// number into it before it becomes the program. -1: none.
    int lockFd = -1;
};

/// Starts `command` detached: it lives on when this process ends, by whatever means, and is no child of ours.
/// Returns its process id, or 0 and `*error`. Thread: any.
qint64 startDetached(const ServerCommand &command, QString *error);

/// Runs `command` as a child and waits. On time-out ends it with everything it started. True when it ended with 0.
/// Thread: any.
bool runAndWait(const ServerCommand &command, std::chrono::milliseconds timeout, QString *error);

} // namespace lockscope
