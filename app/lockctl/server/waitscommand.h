// SPDX-License-Identifier: MIT
#pragma once

#include "console/polledsession.h"
#include "globals.h"
#include "waits/waitsreader.h"

namespace CLI {
class App;
}

namespace lockscope::ctl {

/// `--without SOURCE`, as often as wanted.
void addWithout(CLI::App &command, WaitOptions &options);

/// A connection that polls the server's own locks, and what it saw last.
class WaitsPoll
{
public:
    static constexpr std::chrono::milliseconds MinInterval{200};

    explicit WaitsPoll(WaitOptions options = {}, std::chrono::milliseconds interval = std::chrono::seconds(1))
        : m_options(std::move(options))
        , m_interval(interval)
    {
    }

    std::optional<LockError> connect(const SessionTarget &target);
    /// Connects and polls, after asking for a password where one is needed; the error is the last one.
    std::optional<LockError> open(SessionTarget *target);
    /// Polls again, on a new connection where the old one has gone.
    std::optional<LockError> again();
    /// The same, once InnoDB's lists are newer than those of an earlier look.
    std::optional<LockError> againWithNewLists();

    const SessionTarget &target() const { return m_target; }
    /// ServerInfo::ownName, once it was open.
    const QString &ownName() const { return m_ownName; }
    /// After open().
    PolledSession &server() { return *m_server; }
    const Capabilities &capabilities() const { return m_reader->capabilities(); }
    const ServerWaits &waits() const { return m_waits; }

private:
    const WaitOptions m_options;
    const std::chrono::milliseconds m_interval;
    SessionTarget m_target;
    QString m_ownName;
    std::optional<PolledSession> m_server;
    std::optional<WaitsReader> m_reader; ///< of its session
    ServerWaits m_waits;
};

/// reachServer() by a poll. False after an error; then `*exitCode` is set.
bool pollServer(const Globals &globals, WaitsPoll *poll, int *exitCode);

/// "mysql://root@db1:3306/shop", never with a password.
QString serverText(const SessionTarget &target);

} // namespace lockscope::ctl
