// SPDX-License-Identifier: MIT
#include "trialserver.h"

#include "server.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "terminal/terminal.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

/// With the password, which is asked for where one is needed.
std::optional<LockError> connectOnce(SessionTarget target, QString *ownName)
{
    target.url.schema.clear();
    LockError refused;
    const auto session = Session::open(target, &refused);
    if (!session)
        return refused;
    *ownName = session->info().ownName;
    return std::nullopt;
}

} // namespace

std::optional<TrialServer::Place> TrialServer::find(const QString &question, bool isAgreed, int *exitCode)
{
    std::optional<Place> place;
    if (!m_globals.url.empty() || qEnvironmentVariableIsSet("LOCKSCOPE_URL")) {
        place = findNamed(question, isAgreed, exitCode);
    } else if (const auto started = m_user.start(); started.error.isEmpty()) {
        place = Place{{}, {}, true};
        place->target.url = started.url;
    } else {
        printError(started.error);
        *exitCode = Unavailable;
    }
    if (!place)
        return std::nullopt;
    QString ownName;
    const auto connect = [&ownName](const SessionTarget &target) { return connectOnce(target, &ownName); };
    if (const auto refused = withPassword(&place->target, connect)) {
        *exitCode = printError(*refused);
        return std::nullopt;
    }
    if (const auto refused = ServerAccess::toLookAt(ownName).refusalOfLab()) {
        *exitCode = printRefusal(*refused);
        return std::nullopt;
    }
    return place;
}

std::optional<TrialServer::Place> TrialServer::findNamed(const QString &question, bool isAgreed, int *exitCode)
{
    const auto target = findServer(m_globals, exitCode);
    if (!target)
        return std::nullopt;
    const ServerAccess access = ServerAccess::ofCommand(target->url, {}, false);
    if (const auto refused = access.refusalOfLab()) {
        *exitCode = printRefusal(*refused);
        return std::nullopt;
    }
    const QString asked = question.arg(target->url.toString());
    if (!isAgreed && (m_globals.json || !Terminal().isForTheCommand() || !isAnsweredYes(asked))) {
        printError(u"nothing was done: a run loads a server; add --yes to run it on this one"_s);
        *exitCode = NothingDone;
        return std::nullopt;
    }
    return Place{*target, access};
}

} // namespace lockscope::ctl
