// SPDX-License-Identifier: MIT
#include "serverstarter.h"

#include "console/consoleurl.h"
#include "socketprobe.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>

#include <csignal>

#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope {

namespace {

constexpr auto kProbeTimeout = 1s;
constexpr useconds_t kPollMicroseconds = 10'000;
/// A server that was ready and has not greeted for this long is frozen or overloaded.
constexpr auto kSilence = 15s;

std::chrono::milliseconds left(const QDeadlineTimer &deadline)
{
    return std::chrono::milliseconds(deadline.remainingTime());
}

qint64 numberIn(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readLine().trimmed().toLongLong() : 0;
}

} // namespace

ServerUrl privateUrl(const QString &socket)
{
    ServerUrl url;
    url.user = u"root"_s;
    url.socket = socket;
    url.schema = defaultSchema();
    return url;
}

PrivateServer::StartResult ServerStarter::run()
{
    PrivateServer::StartResult result;
    if (joinRunning(&result))
        keepIfWanted(&result);
    else if (result.error.isEmpty())
        startNew(&result);
    return result;
}

/// True when `result->url` is that of a server that was there. It may still be starting, because whoever started it was
/// killed; its socket's folder may have been cleared away, and then it is stopped, since nobody can reach it.
bool ServerStarter::joinRunning(PrivateServer::StartResult *result)
{
    const QString socket = m_folder.record().socket;
    const QDeadlineTimer patience(kSilence);
    while (!m_serverLock.take(0ms)) {
        if (!m_serverLock.errorText().isEmpty()) {
            result->error = u"The folder %1 cannot be locked: %2."_s.arg(m_folder.path(), m_serverLock.errorText());
            return false;
        }
        const SocketProbe probe = probeSocket(socket, qMin<std::chrono::milliseconds>(kProbeTimeout, left(m_deadline)));
        const ProcessRef process(m_serverLock.recordedPid());
        if (probe.state == SocketProbe::State::Answering && serves(probe.pid, m_folder.dataFolder())) {
            result->url = privateUrl(socket);
            return true;
        }
        const bool wasReady = numberIn(m_folder.file("server.pid")) == process.pid();
        if (probe.state == SocketProbe::State::Absent && wasReady && serves(process.pid(), m_folder.dataFolder())) {
            process.signal(SIGTERM);
            process.waitUntilGone(left(m_deadline));
        }
        if (m_deadline.hasExpired() || (wasReady && patience.hasExpired())) {
            result->error = u"The private server in %1 runs as process %2 but does not answer; its log is %3."_s
                                .arg(m_folder.path())
                                .arg(process.pid())
                                .arg(m_folder.log());
            return false;
        }
        ::usleep(kPollMicroseconds);
    }
    return false;
}

void ServerStarter::keepIfWanted(PrivateServer::StartResult *result) const
{
    PrivateFolder::Record record = m_folder.record();
    if (m_endsWithUsers || !record.endsWithUsers)
        return;
    record.endsWithUsers = false;
    m_folder.write(record, &result->error);
}

QString ServerStarter::failure(const QString &what, qint64 logOffset) const
{
    const QString words = m_folder.errorsSince(logOffset);
    return words.isEmpty() ? u"%1 Its log, %2, says nothing."_s.arg(what, m_folder.log())
                           : u"%1 It says:\n%2\nThe whole log is %3."_s.arg(what, words, m_folder.log());
}

ServerCommand ServerStarter::commandFor(const QStringList &words) const
{
    QDir().mkdir(m_folder.temporaryFolder());
    return {words, m_folder.path(), m_folder.log(), m_folder.temporaryFolder(), m_serverLock.descriptor()};
}

/// Makes the data under another name and renames it, so that a start that was killed leaves no half-made data.
bool ServerStarter::install(const ServerProgram &program, QString *error)
{
    QDir unfinished(m_folder.file("data.new"));
    if (unfinished.exists() && !unfinished.removeRecursively()) {
        *error = u"The folder %1 cannot be removed."_s.arg(unfinished.path());
        return false;
    }
    const qint64 logOffset = QFileInfo(m_folder.log()).size();
    if (!runAndWait(commandFor(program.installCommand(unfinished.path())), left(m_deadline), error)) {
        *error = failure(u"The private server's data folder cannot be made: "_s + *error, logOffset);
        unfinished.removeRecursively(); // on a full disk it would be in its own way
        return false;
    }
    if (QDir().rename(unfinished.path(), m_folder.dataFolder()))
        return true;
    *error = u"The folder %1 cannot be renamed."_s.arg(unfinished.path());
    return false;
}

/// Nobody else works on the data, and `program` is of the family that made it.
bool ServerStarter::isFree(const PrivateFolder::Record &record, const ServerProgram &program, QString *error) const
{
    if (!record.family.isEmpty() && record.family != familyName(program.family)) {
        *error =
            u"The data in %1 was made by %2 %3, and %4 is %5 %6. Name another folder, or install a %2 server."_s.arg(
                m_folder.path(), record.family, record.version, program.path, familyName(program.family),
                program.version);
        return false;
    }
    // The server itself would retry for 100 s before it says so.
    const qint64 holder = recordLockHolder(m_folder.dataFolder() + u"/ibdata1"_s);
    if (holder != 0)
        *error = u"The data in %1 is in use by process %2, which Lockscope did not start."_s.arg(m_folder.path())
                     .arg(holder);
    return holder == 0;
}

bool ServerStarter::waitUntilAnswering(const ProcessRef &process, const QString &socket, qint64 logOffset,
                                       QString *error) const
{
    while (probeSocket(socket, kProbeTimeout).state != SocketProbe::State::Answering) {
        if (process.waitUntilGone(10ms)) {
            *error = failure(u"The private server could not start."_s, logOffset);
            return false;
        }
        if (m_deadline.hasExpired()) {
            *error = failure(
                u"The private server (process %1) is not ready yet; try again in a moment."_s.arg(process.pid()),
                logOffset);
            return false;
        }
    }
    return true;
}

void ServerStarter::startNew(PrivateServer::StartResult *result)
{
    const auto program = ServerProgram::find(m_options.program, &result->error);
    const PrivateFolder::Record before = m_folder.record();
    if (!program || !isFree(before, *program, &result->error))
        return;
    m_folder.removeSocket();
    m_folder.rotateLog();
    QFile::remove(m_folder.file("server.pid"));
    if (!QFileInfo::exists(m_folder.dataFolder()) && !install(*program, &result->error))
        return;
    const QString socket = m_folder.chooseSocket(&result->error);
    if (socket.isEmpty()
        || !m_folder.write({familyName(program->family), program->version, socket, m_endsWithUsers}, &result->error))
        return;

    const qint64 logOffset = QFileInfo(m_folder.log()).size();
    const QStringList words =
        program->serveCommand(m_folder.dataFolder(), socket, m_folder.file("server.pid")) + m_options.serverOptions;
    const qint64 pid = startDetached(commandFor(words), &result->error);
    const ProcessRef process(pid);
    if (pid == 0 || !waitUntilAnswering(process, socket, logOffset, &result->error))
        return;
    result->url = privateUrl(socket);
    result->started = true;
}

} // namespace lockscope
