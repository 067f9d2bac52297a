// SPDX-License-Identifier: MIT
#include "endrun.h"

#include "arguments.h"
#include "server/server.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "terminal/terminal.h"
#include "text/killtext.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

void addEndOptions(CLI::App &command, EndArguments &arguments, const std::string &yes)
{
    addReason(command, arguments.reason, "Why; kept in the record");
    command.add_flag("--dry-run", arguments.dryRun, "Only show what would be done, and the statement");
    command.add_flag("--yes", arguments.yes, yes);
    addServerName(command, arguments.server);
}

EndRun::EndRun(const Globals &globals, const EndArguments &arguments, WaitOptions options)
    : m_globals(globals)
    , m_arguments(arguments)
    , m_poll(std::move(options))
{
}

bool EndRun::mayAsk() const
{
    return !asks() || ctl::mayAsk(m_globals.json, u"done"_s);
}

bool EndRun::reach(int *exitCode)
{
    if (!pollServer(m_globals, &m_poll, exitCode))
        return false;
    if (!isServerMeant(m_arguments.server, nameOf(m_poll.target()))) {
        *exitCode = NothingDone;
        return false;
    }
    m_access = ServerAccess::ofCommand(m_poll.target().url, m_poll.ownName(), !m_arguments.server.empty());
    return true;
}

bool EndRun::isAgreed(const QString &question, const QString &warning)
{
    if (!asks())
        return true;
    bool isAgreed = false;
    if (!question.isEmpty() && !m_access.isProduction()) {
        isAgreed = isAnsweredYes(question + u" This cannot be undone. [y/N] "_s);
    } else {
        isAgreed = isServerTyped(warning, nameOf(m_poll.target()));
        m_access = ServerAccess::ofCommand(m_poll.target().url, m_poll.ownName(), isAgreed);
    }
    if (!isAgreed)
        printError(u"nothing was done."_s);
    return isAgreed;
}

std::unique_ptr<Session> EndRun::openSession(Capabilities *capabilities, int *exitCode) const
{
    LockError refused;
    auto session = Session::open(m_poll.target(), &refused);
    const auto failed = session ? probe(*session, capabilities) : std::optional(refused);
    if (failed) {
        *exitCode = printError(*failed);
        return nullptr;
    }
    return session;
}

std::optional<QJsonObject> EndRun::lookAfterwards(const WaitForecast &expected)
{
    if (expected.isEmpty() || m_poll.againWithNewLists())
        return std::nullopt;
    const auto aftermath = aftermathOf(expected, m_poll.waits());
    if (!aftermath)
        return std::nullopt;
    if (!m_globals.json)
        printLine(u"of those who waited: "_s + aftermathText(*aftermath));
    return aftermathToJson(*aftermath);
}

} // namespace lockscope::ctl
