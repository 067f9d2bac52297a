// SPDX-License-Identifier: MIT
#include "server.h"

#include "console/consoleurl.h"
#include "console/environmentpassword.h"
#include "console/keyring.h"
#include "console/optionfile.h"
#include "locks/leasereader.h"
#include "privateserver/privateserver.h"
#include "storetarget.h"
#include "terminal/exitcode.h"
#include "terminal/output.h"
#include "terminal/password.h"
#include "terminal/terminal.h"

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

constexpr std::chrono::seconds kNoAnswer{10};

/// Read once: what this program starts is not to know it.
QString environmentPassword()
{
    static const QString password = takeEnvironmentPassword();
    return password;
}

/// `*password` becomes that of an option file where it is empty; the private server has none.
std::optional<ServerUrl> findUrl(const Globals &globals, QString *password, int *exitCode)
{
    const QString text = namedUrl(globals);
    if (text.isEmpty() && !globals.defaultsFile.empty()) {
        QString error;
        if (const auto file = OptionFile::read(QString::fromStdString(globals.defaultsFile), &error)) {
            if (password->isEmpty())
                *password = file->password;
            return file->url;
        }
        printError(error);
        *exitCode = Usage;
        return std::nullopt;
    }
    if (text.isEmpty()) {
        password->clear();
        if (auto url = PrivateServer::url())
            return url;
        printError(
            u"no server is named and the private server is not running. Start it with `lockctl sandbox start`, or "
            u"name a server with --url or LOCKSCOPE_URL."_s);
        *exitCode = Unavailable;
        return std::nullopt;
    }
    if (isStore(text)) {
        printError(
            u"this is not for Redis, ZooKeeper and etcd, which have leases alone: run, ask, list, waiters, check and "
            "release know them."_s);
        *exitCode = Usage;
        return std::nullopt;
    }
    ServerUrl url;
    QString error;
    if (parseConsoleUrl(text, &url, &error))
        return url;
    printError(error);
    *exitCode = Usage;
    return std::nullopt;
}

} // namespace

QString namedUrl(const Globals &globals)
{
    return globals.url.empty() ? qEnvironmentVariable("LOCKSCOPE_URL") : QString::fromStdString(globals.url);
}

std::optional<QString> givenPassword(const Globals &globals, int *exitCode)
{
    const QString fromEnvironment = environmentPassword();
    if (globals.passwordFile.empty())
        return fromEnvironment;
    QString error;
    auto password = readPasswordFile(QString::fromStdString(globals.passwordFile), &error);
    if (!password) {
        printError(error);
        *exitCode = Usage;
    }
    return password;
}

std::optional<SessionTarget> findServer(const Globals &globals, int *exitCode)
{
    auto password = givenPassword(globals, exitCode);
    if (!password)
        return std::nullopt;
    const auto url = findUrl(globals, &*password, exitCode);
    if (!url)
        return std::nullopt;
    SessionTarget target;
    target.url = *url;
    target.password = *password;
    target.readTimeout = kNoAnswer;
    return target;
}

std::optional<LockError> withPassword(SessionTarget *target, const Connect &connect)
{
    const QString server = target->url.host.isEmpty() ? target->url.socket : target->url.host;
    const QString prompt = u"Password of %1 on %2: "_s.arg(target->url.user, server);
    return tryPasswords(target->password, Keyring::nameOf(target->url), prompt, [&](const QString &password) {
        target->password = password;
        return connect(*target);
    });
}

std::optional<SessionTarget> reachServer(const Globals &globals, int *exitCode, const Connect &connect)
{
    auto target = findServer(globals, exitCode);
    if (!target)
        return std::nullopt;
    const auto error = withPassword(&*target, connect);
    if (!error)
        return target;
    *exitCode = printError(*error);
    return std::nullopt;
}

QString nameOf(const SessionTarget &target)
{
    return shortAddressOf(target.url);
}

bool isServerTyped(const QString &warning, const QString &server)
{
    return isAnswered(u"%1 Type the server's name (%2) to go on: "_s.arg(warning, printable(server)), server);
}

bool isServerMeant(const std::string &name, const QString &server)
{
    if (name.empty() || QString::fromStdString(name) == server)
        return true;
    printError(u"nothing was done: this server is %1, not %2."_s.arg(printable(server),
                                                                     printable(QByteArray::fromStdString(name))));
    return false;
}

int printRefusal(const LockError &refusal)
{
    printError(refusal);
    return NothingDone;
}

std::unique_ptr<ReconnectingSession> linkToServer(const Globals &globals, int *exitCode, SessionTarget *reached,
                                                  LinkUse use)
{
    std::unique_ptr<ReconnectingSession> link;
    const auto target =
        reachServer(globals, exitCode, [&link, use](const SessionTarget &to) -> std::optional<LockError> {
            link = std::make_unique<ReconnectingSession>(use == LinkUse::Watch ? forWatching(to) : to);
            LockError refused;
            return link->session(&refused) ? std::nullopt : std::optional(refused);
        });
    if (target && reached)
        *reached = *target;
    return target ? std::move(link) : nullptr;
}

} // namespace lockscope::ctl
