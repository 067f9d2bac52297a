// SPDX-License-Identifier: MIT
#include "privateserver.h"

#include "filelock.h"
#include "privatefolder.h"
#include "processref.h"
#include "serverstarter.h"
#include "socketprobe.h"

#include <QtCore/QDeadlineTimer>

#include <csignal>

#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope {

namespace {

constexpr auto kProbeTimeout = 1s;
constexpr useconds_t kPollMicroseconds = 10'000;

/// What keeps two programs from starting or stopping the same server at once.
bool takeControl(FileLock *control, const PrivateFolder &folder, std::chrono::seconds timeout, QString *error)
{
    if (control->take(timeout)) {
        control->recordOwnPid();
        return true;
    }
    *error = control->errorText().isEmpty()
        ? u"Process %1 is starting or stopping the private server in %2."_s.arg(control->recordedPid())
              .arg(folder.path())
        : u"The folder %1 cannot be locked: %2."_s.arg(folder.path(), control->errorText());
    return false;
}

/// True when no server runs any more.
bool shutDown(const FileLock &serverLock, const PrivateFolder &folder, const QDeadlineTimer &deadline, QString *error)
{
    while (serverLock.isHeldByOther()) {
        const ProcessRef process(serverLock.recordedPid());
        if (serves(process.pid(), folder.dataFolder())) {
            process.signal(SIGTERM);
            process.signal(SIGCONT); // a stopped one would never see the first
            if (process.waitUntilGone(std::chrono::milliseconds(deadline.remainingTime())))
                return true;
            *error = u"The private server (process %1) is still shutting down; its log is %2."_s.arg(process.pid())
                         .arg(folder.log());
            return false;
        }
        // Making the data of a first start whose starter was killed, which takes a second.
        if (deadline.hasExpired()) {
            *error =
                u"Process %1 holds the lock of %2 but does not serve its data; it was left alone."_s.arg(process.pid())
                    .arg(folder.path());
            return false;
        }
        ::usleep(kPollMicroseconds);
    }
    return true;
}

} // namespace

PrivateServer::StartResult PrivateServer::start(const QString &folderPath, const Options &options)
{
    StartResult result;
    PrivateFolder folder;
    if (!PrivateFolder::prepare(folderPath, &folder, &result.error))
        return result;
    FileLock control(folder.own(), "control.lock");
    if (!takeControl(&control, folder, options.timeout, &result.error))
        return result;
    return ServerStarter(folder, options).run();
}

PrivateServer::StopResult PrivateServer::stop(const QString &folderPath, const Options &options)
{
    StopResult result;
    PrivateFolder folder;
    if (!PrivateFolder::find(folderPath, &folder, &result.error))
        return result;
    FileLock control(folder.own(), "control.lock");
    if (!takeControl(&control, folder, options.timeout, &result.error))
        return result;
    const FileLock serverLock(folder.own(), "server.lock");
    if (!serverLock.errorText().isEmpty()) {
        result.error = u"The folder %1 cannot be locked: %2."_s.arg(folder.path(), serverLock.errorText());
        return result;
    }
    if (serverLock.isHeldByOther()) {
        result.wasRunning = true;
        if (!shutDown(serverLock, folder, QDeadlineTimer(options.timeout), &result.error))
            return result;
    }
    folder.removeSocket();
    return result;
}

QString PrivateServer::restart(const QString &folder)
{
    const StopResult stopped = stop(folder);
    return stopped.error.isEmpty() ? start(folder).error : stopped.error;
}

std::optional<ServerUrl> PrivateServer::url(const QString &folderPath)
{
    PrivateFolder folder;
    QString notOurs;
    if (!PrivateFolder::find(folderPath, &folder, &notOurs))
        return std::nullopt;
    const QString socket = folder.record().socket;
    const SocketProbe probe = probeSocket(socket, kProbeTimeout);
    if (probe.state != SocketProbe::State::Answering || !serves(probe.pid, folder.dataFolder()))
        return std::nullopt;
    return privateUrl(socket);
}

} // namespace lockscope
