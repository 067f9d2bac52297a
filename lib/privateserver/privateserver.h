// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/serverurl.h"

#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>
#include <optional>

namespace lockscope {

struct PrivateServerOptions
{
    QString program;                   ///< empty: see ServerProgram::find()
    QStringList serverOptions;         ///< more arguments for the server
    std::chrono::seconds timeout{120}; ///< for the whole start or stop; a recovery may need it
};

/// A MariaDB or MySQL server of the user's own: data in one 0700 folder, reached through a Unix socket only, little
/// memory, full durability. It runs detached and outlives whoever started it; whoever comes next joins it. After a
/// SIGKILL of the server the next start recovers its data.
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
        QString error; ///< empty when no server runs any more
    };

    /// Starts the server of `folder` or joins the one that runs there. An empty `folder` is
    /// PrivateFolder::defaultPath().
    static StartResult start(const QString &folder = {}, const Options &options = {});
    /// Asks the server to shut down and returns when its process is gone. Nothing to do is success. Signals no
    /// process but the one that serves this folder's data, and never kills it.
    static StopResult stop(const QString &folder = {}, const Options &options = {});
    /// `stop`, then `start`; returns what went wrong, empty on success.
    static QString restart(const QString &folder = {});
    /// Where the running server of `folder` is; none when none answers. At most a second or so.
    static std::optional<ServerUrl> url(const QString &folder = {});
};

} // namespace lockscope
