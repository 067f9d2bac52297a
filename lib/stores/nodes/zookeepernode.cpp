// SPDX-License-Identifier: MIT
#include "zookeepernode.h"

#include "nodequestion.h"
#include "privateserver/ownedchild.h"
#include "storeprograms.h"
#include "stores/zookeeper/zookeepererror.h"
#include "stores/zookeeper/zookeepersession.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QProcessEnvironment>

#include <algorithm>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace lockscope {

namespace {

using namespace std::chrono_literals;
using namespace detail;

constexpr auto kPatience = 30s;
constexpr auto kLook = 50ms;
/// Another program may take the port between our look and the server's start.
constexpr int kTries = 5;
/// Bytes of its log that tell why it ended.
constexpr qint64 kLastWords = 4096;

const QString kJava = QStringLiteral("/usr/share/java");

/// The least that it runs with; without a binding of SLF4J it does not say why it ends.
const QStringList &jars()
{
    static const QStringList all{QStringLiteral("zookeeper.jar"),    QStringLiteral("zookeeper-jute.jar"),
                                 QStringLiteral("slf4j-api.jar"),    QStringLiteral("slf4j-simple.jar"),
                                 QStringLiteral("metrics-core.jar"), QStringLiteral("snappy-java.jar")};
    return all;
}

/// Its jars, and what they need.
constexpr auto kZooKeeperPackages = "libzookeeper-java libslf4j-java libdropwizard-metrics-java libsnappy-java";

/// A Java points into /etc, where an unpacked one has nothing.
MissingServer javaMissing()
{
    const auto java =
        QStringLiteral("$(apt-cache depends default-jre-headless | grep -o 'openjdk-[0-9]*-jre-headless' | head -1) ");
    const auto links = QStringLiteral(
        "find usr/lib/jvm -lname '/etc/*' -exec sh -c 'ln -sf \"$PWD$(readlink \"$0\")\" \"$0\"' {} ';'");
    return {QStringLiteral("Java for ZooKeeper"), QStringLiteral("default-jre-headless libzookeeper-java"),
            java + QLatin1String(kZooKeeperPackages), links};
}

MissingServer zooKeeperMissing()
{
    return {QStringLiteral("a ZooKeeper server"),
            QStringLiteral("libzookeeper-java"),
            QLatin1String(kZooKeeperPackages),
            {}};
}

/// The class path; empty: some of it is not there.
QString classPath()
{
    for (const QString &folder : {kJava, unpackedPackages() + kJava}) {
        QStringList paths;
        for (const QString &jar : jars())
            paths.append(folder + u'/' + jar);
        if (std::all_of(paths.begin(), paths.end(), [](const QString &path) { return QFile::exists(path); }))
            return paths.join(u':');
    }
    return {};
}

} // namespace

int ZooKeeperNode::freePort()
{
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto *const any = reinterpret_cast<sockaddr *>(&address);
    const bool isBound = ::bind(socket, any, size) == 0 && ::getsockname(socket, any, &size) == 0;
    ::close(socket);
    return isBound ? ntohs(address.sin_port) : 0;
}

ZooKeeperNode::ZooKeeperNode(Keeping keeping)
    : m_keeping(keeping)
{
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.setStandardOutputFile(logFile(), QIODevice::Append); // a pipe that nobody reads would stop it
    m_process.setWorkingDirectory(m_folder.path());
    // Nothing of this process's environment: it could have options for the JVM in it.
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
    m_process.setProcessEnvironment(environment);
    m_process.setChildProcessModifier(endsWithItsOwner());
}

ZooKeeperNode::~ZooKeeperNode()
{
    kill9();
}

ZooKeeperUrl ZooKeeperNode::url() const
{
    ZooKeeperUrl url;
    url.hosts.append({QStringLiteral("127.0.0.1"), m_port});
    return url;
}

std::optional<MissingServer> ZooKeeperNode::missing()
{
    if (storeProgram(QStringLiteral("java")).isEmpty())
        return javaMissing();
    return classPath().isEmpty() ? std::optional(zooKeeperMissing()) : std::nullopt;
}

std::optional<LockError> ZooKeeperNode::start()
{
    std::optional<LockError> error;
    for (int i = 0; i < kTries; ++i) {
        const bool isNew = m_port == 0;
        if (isNew)
            m_port = freePort();
        error = launch();
        if (!error)
            error = untilItAnswers();
        if (!error || !isPortTaken(*error))
            return error;
        if (isNew)
            m_port = 0;
    }
    return error;
}

bool ZooKeeperNode::isPortTaken(const LockError &error)
{
    return error.serverText.contains(QLatin1String("Address already in use"));
}

void ZooKeeperNode::join(int member, const QByteArray &members)
{
    m_member = member;
    m_members = members;
    m_port = freePort();
}

std::optional<LockError> ZooKeeperNode::writeConfiguration()
{
    QFile file(m_folder.filePath(QStringLiteral("zoo.cfg")));
    const QByteArray ensemble = m_members.isEmpty() ? QByteArray() : "initLimit=20\nsyncLimit=10\n" + m_members;
    const QByteArray text = "tickTime=300\ndataDir=data\nclientPort=" + QByteArray::number(m_port)
        + "\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\nmaxClientCnxns=0\nminSessionTimeout="
        + QByteArray::number(qint64(ShortestSession.count()))
        + "\nmaxSessionTimeout=" + QByteArray::number(qint64(LongestSession.count()))
        + "\n4lw.commands.whitelist=srvr,stat,cons,dump,mntr,wchs\n" + ensemble;
    if (m_folder.isValid() && file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && writeMember())
        return std::nullopt;
    LockError error = zooKeeperUnavailable(
        QStringLiteral("A private ZooKeeper needs a folder for its data, and none can be made in the user's cache."));
    error.serverText = file.errorString();
    return error;
}

/// Where it looks who of the ensemble it is.
bool ZooKeeperNode::writeMember()
{
    if (m_members.isEmpty())
        return true;
    const QDir data(m_folder.filePath(QStringLiteral("data")));
    QFile file(data.filePath(QStringLiteral("myid")));
    return data.mkpath(QStringLiteral(".")) && file.open(QIODevice::WriteOnly)
        && file.write(QByteArray::number(m_member)) > 0;
}

std::optional<LockError> ZooKeeperNode::launch()
{
    if (const auto none = missing())
        return zooKeeperUnavailable(notInstalled({*none}));
    if (auto error = writeConfiguration())
        return error;
    m_process.start(storeProgram(QStringLiteral("java")),
                    {QStringLiteral("-Xmx96m"), QStringLiteral("-XX:+UseSerialGC"),
                     QStringLiteral("-XX:TieredStopAtLevel=1"), QStringLiteral("-XX:-UsePerfData"),
                     QStringLiteral("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"),
                     QStringLiteral("-Dzookeeper.forceSync=")
                         + (m_keeping == Keeping::Durable ? QStringLiteral("yes") : QStringLiteral("no")),
                     QStringLiteral("-cp"), classPath(),
                     QStringLiteral("org.apache.zookeeper.server.quorum.QuorumPeerMain"), QStringLiteral("zoo.cfg")});
    return std::nullopt;
}

/// It is ready when it gives a session: it answers other questions before, even if it never will. But a session that is
/// asked for too early may get no answer, for two thirds of its time.
std::optional<LockError> ZooKeeperNode::untilItAnswers()
{
    LockError error = zooKeeperUnavailable(QStringLiteral("The private ZooKeeper did not start."));
    const QDeadlineTimer end(kPatience);
    const auto isStarting = [&] { return !end.hasExpired() && m_process.state() != QProcess::NotRunning; };
    while (isStarting() && !ask("srvr").contains("Mode:"))
        m_process.waitForFinished(int(kLook.count())); // so that its end is noticed
    ZooKeeperConfig config;
    config.server = url();
    const auto session = ZooKeeperSession::open(config, {[] {}, [](const QByteArray &, bool) {}}, &error);
    while (session && isStarting()) {
        if (session->waitConnected(kLook))
            return std::nullopt;
        m_process.waitForFinished(0);
    }
    kill9();
    error.serverText = lastWords();
    return error;
}

QByteArray ZooKeeperNode::ask(const QByteArray &word) const
{
    return answerOfNode(QStringLiteral("127.0.0.1:%1").arg(m_port), word);
}

QString ZooKeeperNode::lastWords() const
{
    QFile log(logFile());
    if (!log.open(QIODevice::ReadOnly))
        return {};
    log.seek(std::max<qint64>(0, log.size() - kLastWords));
    return QString::fromLocal8Bit(log.readAll());
}

void ZooKeeperNode::stop()
{
    m_process.terminate();
    if (!m_process.waitForFinished())
        kill9();
}

void ZooKeeperNode::kill9()
{
    m_process.kill();
    m_process.waitForFinished();
}

} // namespace lockscope
