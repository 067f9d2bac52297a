// SPDX-License-Identifier: MIT
#include "etcdnode.h"

#include "nodequestion.h"
#include "privateserver/ownedchild.h"
#include "storeprograms.h"
#include "stores/etcd/etcdclient.h"
#include "stores/etcd/etcderror.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QFile>
#include <QtCore/QProcessEnvironment>

#include <chrono>
#include <thread>

namespace lockscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

using namespace detail;

constexpr auto kStartWithin = 30s;
constexpr auto kLook = 20ms;

/// A name that looks like host and port, as etcd wants it, is a socket in the folder where it works.
QString clientSocket(int member)
{
    return u"c%1:1"_s.arg(member);
}

QString peerUrl(int member)
{
    return u"unix://p%1:1"_s.arg(member);
}

QString nameOf(int member)
{
    return u"m%1"_s.arg(member);
}

/// Nothing of ours may change what it does: it takes options from the environment.
QProcessEnvironment cleanEnvironment()
{
    QProcessEnvironment clean;
    clean.insert(u"PATH"_s, qEnvironmentVariable("PATH"));
    clean.insert(u"LC_ALL"_s, u"C.UTF-8"_s);
    return clean;
}

} // namespace

EtcdNode::EtcdNode(int members, const QStringList &options)
    : m_options(options)
{
    for (int i = 0; i < members; ++i) {
        auto process = std::make_unique<QProcess>();
        process->setWorkingDirectory(m_folder.path());
        process->setStandardInputFile(QProcess::nullDevice());
        process->setProcessChannelMode(QProcess::MergedChannels);
        process->setStandardOutputFile(m_folder.filePath(nameOf(i) + u".log"_s)); // nobody empties a pipe
        process->setProcessEnvironment(cleanEnvironment());
        process->setChildProcessModifier(endsWithItsOwner());
        m_processes.push_back(std::move(process));
    }
}

EtcdNode::~EtcdNode()
{
    for (int i = 0; i < int(m_processes.size()); ++i)
        kill9(i);
}

EtcdUrl EtcdNode::url() const
{
    EtcdUrl url;
    for (int i = 0; i < int(m_processes.size()); ++i)
        url.sockets.append(m_folder.filePath(clientSocket(i)));
    return url;
}

EtcdUrl EtcdNode::url(int member) const
{
    EtcdUrl url;
    url.sockets = {m_folder.filePath(clientSocket(member))};
    return url;
}

qint64 EtcdNode::pid(int member) const
{
    return m_processes[std::size_t(member)]->processId();
}

QStringList EtcdNode::words(int member) const
{
    const QString client = u"unix://"_s + clientSocket(member);
    const QString peer = peerUrl(member);
    QStringList cluster;
    for (int i = 0; i < int(m_processes.size()); ++i)
        cluster.append(nameOf(i) + u'=' + peerUrl(i));
    return QStringList{u"--name"_s,
                       nameOf(member),
                       u"--data-dir"_s,
                       m_data.filePath(nameOf(member)),
                       u"--listen-client-urls"_s,
                       client,
                       u"--advertise-client-urls"_s,
                       client,
                       u"--listen-peer-urls"_s,
                       peer,
                       u"--initial-advertise-peer-urls"_s,
                       peer,
                       u"--initial-cluster"_s,
                       cluster.join(u','),
                       u"--logger"_s,
                       u"zap"_s,
                       u"--log-outputs"_s,
                       u"stderr"_s,
                       u"--log-level"_s,
                       u"warn"_s,
                       u"--auto-compaction-mode"_s,
                       u"revision"_s,
                       u"--auto-compaction-retention"_s,
                       u"1000"_s}
    + m_options;
}

std::optional<MissingServer> EtcdNode::missing()
{
    if (!storeProgram(u"etcd"_s).isEmpty())
        return std::nullopt;
    return MissingServer{u"an etcd server"_s, u"etcd-server"_s, u"etcd-server"_s, {}};
}

std::optional<LockError> EtcdNode::start()
{
    if (!m_folder.isValid())
        return etcdUnavailable(
            u"A private etcd needs a folder for its sockets that nobody else may enter, and there is "
            "none, neither below XDG_RUNTIME_DIR nor in /tmp."_s);
    if (!m_data.isValid())
        return etcdUnavailable(
            u"A private etcd needs a folder for its data, and none can be made in the user's cache."_s);
    const QString etcd = storeProgram(u"etcd"_s);
    if (const auto none = missing())
        return etcdUnavailable(notInstalled({*none}));
    for (int i = 0; i < int(m_processes.size()); ++i) {
        QProcess &process = *m_processes[std::size_t(i)];
        if (process.state() != QProcess::NotRunning)
            continue;
        QFile::remove(m_folder.filePath(clientSocket(i))); // of one that was killed
        QFile::remove(m_folder.filePath(u"p%1:1"_s.arg(i)));
        process.start(etcd, words(i));
        if (!process.waitForStarted())
            return etcdUnavailable(u"%1 cannot be run."_s.arg(etcd), process.errorString());
    }
    auto error = untilTheyAnswer();
    for (int i = 0; error && i < int(m_processes.size()); ++i)
        kill9(i);
    return error;
}

/// A read that most members have agreed on.
std::optional<LockError> EtcdNode::untilTheyAnswer()
{
    const QDeadlineTimer deadline(kStartWithin);
    for (int i = 0; i < int(m_processes.size()); ++i) {
        EtcdConfig config;
        config.server = url(i);
        EtcdClient client(config);
        for (;;) {
            auto error = client.call("kv/range", {{u"key"_s, u"AA=="_s}}).error;
            if (!error || error->kind == LockError::Kind::AccessDenied)
                break;
            QProcess &process = *m_processes[std::size_t(i)];
            if (process.waitForFinished(0) || process.state() == QProcess::NotRunning)
                return whyItEnded(i);
            if (deadline.hasExpired())
                return error;
            std::this_thread::sleep_for(kLook);
        }
    }
    return std::nullopt;
}

LockError EtcdNode::whyItEnded(int member) const
{
    QFile log(m_folder.filePath(nameOf(member) + u".log"_s));
    const QByteArray said = log.open(QIODevice::ReadOnly) ? log.readAll().trimmed() : QByteArray();
    return etcdUnavailable(u"The private etcd ended as soon as it was started."_s,
                           QString::fromUtf8(said.split('\n').last()));
}

int EtcdNode::leader() const
{
    for (int i = 0; i < int(m_processes.size()); ++i) {
        if (m_processes[std::size_t(i)]->state() == QProcess::NotRunning)
            continue;
        EtcdConfig config;
        config.server = url(i);
        const QJsonObject status = EtcdClient(config).call("maintenance/status", {}).body;
        const QString leads = status["leader"_L1].toString();
        if (!leads.isEmpty() && leads == termOf(status).member)
            return i;
    }
    return -1;
}

/// `grpc_server_handled_total{…,grpc_method="Range",…} 5`; the gateway's calls are among them.
qint64 EtcdNode::calls(int member) const
{
    const QByteArray metrics =
        answerOfNode(m_folder.filePath(clientSocket(member)), "GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n");
    qint64 calls = 0;
    for (const QByteArray &line : metrics.split('\n')) {
        if (line.startsWith("grpc_server_handled_total{"))
            calls += qint64(line.mid(line.lastIndexOf(' ') + 1).toDouble()); // large ones have an exponent
    }
    return calls;
}

void EtcdNode::stop(int member)
{
    QProcess &process = *m_processes[std::size_t(member)];
    process.terminate();
    if (!process.waitForFinished())
        kill9(member);
}

void EtcdNode::kill9(int member)
{
    QProcess &process = *m_processes[std::size_t(member)];
    process.kill();
    process.waitForFinished();
}

} // namespace lockscope
