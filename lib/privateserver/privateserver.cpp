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

QString lockingFailed(const PrivateFolder &folder, const FileLock &lock)
{
    return u"The folder %1 cannot be locked: %2."_s.arg(folder.path(), lock.errorText());
}

/// What keeps two programs from starting, stopping, joining or leaving the same server at once. Null and `*error` where
/// it cannot be had.
std::unique_ptr<FileLock> takeControl(const PrivateFolder &folder, std::chrono::seconds timeout, QString *error)
{
    auto control = std::make_unique<FileLock>(folder.own(), "control.lock");
    if (control->take(timeout)) {
        control->recordOwnPid();
        return control;
    }
    *error = control->errorText().isEmpty()
        ? u"Process %1 is starting or stopping the private server in %2."_s.arg(control->recordedPid())
              .arg(folder.path())
        : lockingFailed(folder, *control);
    return nullptr;
}

/// The same in a folder that is made where it is missing.
std::unique_ptr<FileLock> takeControl(const QString &path, PrivateFolder *folder, std::chrono::seconds timeout,
                                      QString *error)
{
    return PrivateFolder::prepare(path, folder, error) ? takeControl(*folder, timeout, error) : nullptr;
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

PrivateServer::StopResult stopIn(const PrivateFolder &folder, const PrivateServer::Options &options)
{
    PrivateServer::StopResult result;
    const FileLock serverLock(folder.own(), "server.lock");
    if (!serverLock.errorText().isEmpty()) {
        result.error = lockingFailed(folder, serverLock);
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

QStringList usersOf(const PrivateFolder &folder)
{
    QStringList users;
    for (const qint64 pid : FileLock(folder.own(), "users.lock").sharers())
        users += u"process %1 (%2)"_s.arg(pid).arg(processName(pid));
    return users;
}

} // namespace

PrivateServer::StartResult PrivateServer::start(const QString &folderPath, const Options &options)
{
    StartResult result;
    PrivateFolder folder;
    const auto control = takeControl(folderPath, &folder, options.timeout, &result.error);
    return control ? ServerStarter(folder, options, false).run() : result;
}

PrivateServer::StopResult PrivateServer::stop(const QString &folderPath, const Options &options)
{
    StopResult result;
    PrivateFolder folder;
    if (!PrivateFolder::find(folderPath, &folder, &result.error))
        return result;
    const auto control = takeControl(folder, options.timeout, &result.error);
    if (!control)
        return result;
    const QStringList users = usersOf(folder);
    result = stopIn(folder, options);
    result.users = users;
    return result;
}

QString PrivateServer::restart(const QString &folderPath)
{
    const Options options;
    PrivateFolder folder;
    QString error;
    const auto control = takeControl(folderPath, &folder, options.timeout, &error);
    if (!control)
        return error;
    const StopResult stopped = stopIn(folder, options);
    return stopped.error.isEmpty() ? ServerStarter(folder, options, folder.record().endsWithUsers).run().error
                                   : stopped.error;
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

PrivateServerUser::PrivateServerUser() = default;

PrivateServerUser::~PrivateServerUser()
{
    leave();
}

PrivateServer::StartResult PrivateServerUser::start(const QString &folderPath, const PrivateServer::Options &options)
{
    const std::scoped_lock lock(m_mutex);
    if (m_folder != folderPath)
        end();
    m_folder = folderPath;
    PrivateServer::StartResult result;
    PrivateFolder folder;
    const auto control = takeControl(folderPath, &folder, options.timeout, &result.error);
    if (!control)
        return result;
    auto share = std::make_unique<FileLock>(folder.own(), "users.lock");
    if (!share->share(0ms)) {
        result.error = lockingFailed(folder, *share);
        return result;
    }
    result = ServerStarter(folder, options, true).run();
    if (result.error.isEmpty())
        m_share = std::move(share);
    return result;
}

void PrivateServerUser::leave()
{
    const std::scoped_lock lock(m_mutex);
    end();
}

/// Nobody joins meanwhile, for that takes the control lock as well.
void PrivateServerUser::end()
{
    if (!m_share)
        return;
    const PrivateServer::Options options;
    PrivateFolder folder;
    QString nobodyHears;
    std::unique_ptr<FileLock> control;
    if (PrivateFolder::find(m_folder, &folder, &nobodyHears))
        control = takeControl(folder, options.timeout, &nobodyHears);
    if (control && m_share->take(0ms) && folder.record().endsWithUsers)
        stopIn(folder, options);
    m_share.reset();
}

} // namespace lockscope
