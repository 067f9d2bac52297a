// SPDX-License-Identifier: MIT
#pragma once

#include "globals.h"
#include "waits/waitsreader.h"

#include <memory>

namespace CLI {
class App;
}

namespace lockscope::ctl {

/// `--without SOURCE`, as often as wanted.
void addWithout(CLI::App &command, WaitOptions &options);

/// A connection that looks at the server's own locks, and what it saw last.
class WaitsLook
{
public:
    explicit WaitsLook(WaitOptions options = {})
        : m_options(std::move(options))
    {
    }

    /// Connects and looks, after asking for a password where one is needed; the error is the last one.
    std::optional<LockError> open(SessionTarget *target);
    /// Looks again, on a new connection where the old one has gone.
    std::optional<LockError> again();

    const SessionTarget &target() const { return m_target; }
    Session &session() { return *m_session; }
    const Capabilities &capabilities() const { return m_reader->capabilities(); }
    const ServerWaits &waits() const { return m_waits; }

private:
    std::optional<LockError> connect(const SessionTarget &target);

    const WaitOptions m_options;
    SessionTarget m_target;
    std::unique_ptr<Session> m_session;
    std::optional<WaitsReader> m_reader; ///< of m_session
    ServerWaits m_waits;
};

/// findServer() and WaitsLook::open(). False after an error; then `*exitCode` is set.
bool lookAtServer(const Globals &globals, WaitsLook *look, int *exitCode);

/// "mysql://root@db1:3306/shop", never with a password.
QString serverText(const SessionTarget &target);

} // namespace lockscope::ctl
