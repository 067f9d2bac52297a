// SPDX-License-Identifier: MIT
#pragma once

#include "console/serveraccess.h"
#include "server/waitscommand.h"
#include "waits/waitforecast.h"

#include <QtCore/QJsonObject>

namespace lockscope::ctl {

/// The options of commands that end what is somebody else's.
struct EndArguments
{
    std::string reason;
    std::string server;
    bool dryRun = false;
    bool yes = false;
};
/// `yes` is the help of --yes.
void addEndOptions(CLI::App &command, EndArguments &arguments, const std::string &yes);

/// The steps that `kill` and `xa` share.
class EndRun
{
public:
    EndRun(const Globals &globals, const EndArguments &arguments, WaitOptions options = {});

    /// False after an error: a person would have to be asked, and cannot be.
    bool mayAsk() const;
    /// Polls the server. False after an error, or when another one is meant; then `*exitCode` is set.
    bool reach(int *exitCode);
    /// Whether a person agrees, where one is to be asked: by a yes to `question`, and without a question or on a
    /// production server by the server's name, after `warning`.
    bool isAgreed(const QString &question, const QString &warning);
    /// To act on. Null after an error; then `*exitCode` is set. The server may be another one since the poll, so what
    /// it can do is asked again.
    std::unique_ptr<Session> openSession(Capabilities *capabilities, int *exitCode) const;
    /// Reads again what became of those who waited, because a forecast is no result, and says it. None: nobody waited,
    /// or it cannot be told.
    std::optional<QJsonObject> lookAfterwards(const WaitForecast &expected);

    WaitsPoll &poll() { return m_poll; }
    const WaitsPoll &poll() const { return m_poll; }
    const ServerAccess &access() const { return m_access; }

private:
    bool asks() const { return !m_arguments.dryRun && !m_arguments.yes; }

    const Globals &m_globals;
    const EndArguments &m_arguments;
    WaitsPoll m_poll;
    ServerAccess m_access;
};

} // namespace lockscope::ctl
