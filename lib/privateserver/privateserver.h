// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/serverurl.h"

#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

namespace lockscope {

class FileLock;

struct PrivateServerOptions
{
    QString program;                   ///< empty: see ServerProgram::find()
    QStringList serverOptions;         ///< more arguments for the server
    std::chrono::seconds timeout{120}; ///< for the whole start or stop; a recovery may need it
};

/// A MariaDB or MySQL server of the user's own: data in one 0700 folder, reached through a Unix socket only, little
/// memory, full durability. It runs detached; whoever comes next joins it. After a SIGKILL of the server the next start
/// recovers its data.
///
/// One server per folder: its process holds a lock on a file there for as long as it lives.
///
/// Thread: every function may be called from any thread and blocks, `start` and `stop` for seconds. Never the GUI's.
class PrivateServer
{
public:
    using Options = PrivateServerOptions;
    struct StartResult
    {
        ServerUrl url;        ///< user root, no password, schema "lockscope", which the caller installs
        bool started = false; ///< false: it was running and was joined
        QString error;        ///< empty on success; says what is wrong, in the server's own words where it spoke
    };
    struct StopResult
    {
        bool wasRunning = false;
        QStringList users; ///< each as "process 4242 (lockscope)": who used it when it was to be stopped
        QString error;     ///< empty when no server runs any more
    };

    /// Starts the server of `folder`, or joins the one that runs there, to stay until it is stopped: whoever needs it
    /// only for as long as itself lives is a PrivateServerUser. An empty `folder` is PrivateFolder::defaultPath().
    static StartResult start(const QString &folder = {}, const Options &options = {});
    /// Asks the server to shut down, whoever uses it, and returns when its process is gone. Nothing to do is success.
    /// Signals no process but the one that serves this folder's data, and never kills it.
    static StopResult stop(const QString &folder = {}, const Options &options = {});
    /// Stops and starts it while nobody else can; it ends with whom it would have ended. Returns what went wrong,
    /// empty on success.
    static QString restart(const QString &folder = {});
    /// Where the running server of `folder` is; none when none answers. At most a second or so.
    static std::optional<ServerUrl> url(const QString &folder = {});
};

/// One who uses the private server of a folder: a server that a user started ends with the last of them. The system
/// knows them by their shares of a lock, so that one who was killed is none any more; what it had started ends with the
/// next last one. Thread: any; `start` and the end block for seconds.
class PrivateServerUser
{
public:
    PrivateServerUser();
    /// As leave().
    ~PrivateServerUser();
    PrivateServerUser(const PrivateServerUser &) = delete;
    PrivateServerUser &operator=(const PrivateServerUser &) = delete;

    /// Starts the server of `folder` or joins the one that runs there; that of another folder is left. Again: where it
    /// has been stopped meanwhile, starts it.
    PrivateServer::StartResult start(const QString &folder = {}, const PrivateServer::Options &options = {});
    /// Uses it no longer; the last one stops it, unless it is to stay.
    void leave();

private:
    void end();

    std::mutex m_mutex;
    QString m_folder;
    std::unique_ptr<FileLock> m_share; ///< while it is used
};

} // namespace lockscope
