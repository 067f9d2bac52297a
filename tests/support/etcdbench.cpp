// SPDX-License-Identifier: MIT
#include "etcdbench.h"

#include "stores/etcd/etcdleases.h"
#include "stores/nodes/storeprograms.h"

#include <QtCore/QFile>

namespace lockscope::test {

using namespace Qt::StringLiterals;
using namespace detail;

EtcdEye::EtcdEye(const EtcdUrl &server, const QString &password)
    : m_client([&] {
        EtcdConfig config;
        config.server = server;
        config.password = password;
        return config;
    }())
{
}

QJsonObject EtcdEye::call(const QByteArray &path, const QJsonObject &body)
{
    EtcdReply reply = m_client.call(path, body);
    if (reply.error)
        qFatal("%s: %s", path.constData(), qPrintable(reply.error->toString()));
    return reply.body;
}

QList<EtcdKey> EtcdEye::keys(const QByteArray &prefix)
{
    QJsonObject range = rangeOf(prefix, endOfPrefix(prefix));
    range[u"sort_target"_s] = u"CREATE"_s;
    range[u"sort_order"_s] = u"ASCEND"_s;
    return keysIn(call("kv/range", range));
}

void EtcdEye::put(const QByteArray &key, const QByteArray &value, qint64 lease)
{
    call("kv/txn", {{u"success"_s, QJsonArray{putOp(key, value, lease)}}});
}

void EtcdEye::remove(const QByteArray &key)
{
    call("kv/txn", {{u"success"_s, QJsonArray{deleteOp(key)}}});
}

qint64 EtcdEye::revision()
{
    const QJsonObject body = call("kv/range", rangeOf("any"));
    return etcdNumber(body["header"_L1].toObject()["revision"_L1]);
}

qint64 EtcdEye::grant(std::chrono::seconds ttl)
{
    return etcdNumber(call("lease/grant", {{u"TTL"_s, QString::number(qint64(ttl.count()))}})["ID"_L1]);
}

EtcdBench::EtcdBench(int members, const QStringList &options)
    : m_node(members, options)
{
}

void EtcdBench::begin()
{
    if (const auto error = m_node.start())
        qFatal("%s", qPrintable(error->toString()));
    m_eye = std::make_unique<EtcdEye>(m_node.url());
    m_url = m_node.url();
    m_url.path = u"/t%1"_s.arg(++m_tests);
}

EtcdConfig EtcdBench::config() const
{
    EtcdConfig config;
    config.server = m_url;
    return config;
}

std::unique_ptr<LockEngine> EtcdBench::newEngine()
{
    return std::make_unique<LockEngine>(engineOn(std::make_shared<EtcdStore>(config())));
}

std::unique_ptr<StoreWorker> EtcdBench::newWorker()
{
    return std::make_unique<StoreWorker>(QStringLiteral(LOCKSCOPE_ETCDWORKER), QStringList{m_url.toString()});
}

QList<EtcdKey> EtcdBench::queue(const QByteArray &resource)
{
    EtcdClient client(config());
    QList<EtcdEntry> entries;
    if (const auto error = readQueue(client, resource, &entries))
        qFatal("%s", qPrintable(error->toString()));
    QList<EtcdKey> keys;
    for (const EtcdEntry &entry : std::as_const(entries))
        keys.append(entry.key);
    return keys;
}

int EtcdBench::waiters(const QByteArray &resource)
{
    return std::max(0, int(queue(resource).size()) - 1);
}

QByteArray EtcdBench::http(const QString &path, const QByteArray &body, int member) const
{
    QProcess curl;
    QStringList words{u"--silent"_s, u"--fail"_s, u"--unix-socket"_s, m_node.url(member).sockets.first(),
                      u"http://localhost"_s + path};
    if (!body.isEmpty())
        words += {u"--data"_s, QString::fromUtf8(body)};
    curl.start(u"curl"_s, words);
    if (!curl.waitForFinished() || curl.exitCode() != 0)
        qFatal("curl %s: %s", qPrintable(path), qPrintable(curl.errorString()));
    return curl.readAllStandardOutput();
}

std::unique_ptr<QProcess> EtcdBench::newEtcdctl(const QStringList &words) const
{
    const QString program = storeProgram(u"etcdctl"_s);
    if (program.isEmpty())
        qFatal("No etcdctl is here: resources/prepare.sh gets one with etcd-client.");
    auto process = std::make_unique<QProcess>();
    process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process->setWorkingDirectory(m_node.folder());
    QProcessEnvironment environment;
    environment.insert(u"ETCDCTL_API"_s, u"3"_s);
    process->setProcessEnvironment(environment);
    process->start(program, QStringList{u"--endpoints"_s, u"unix://c0:1"_s} + words);
    return process;
}

} // namespace lockscope::test
