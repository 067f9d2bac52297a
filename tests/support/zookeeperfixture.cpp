// SPDX-License-Identifier: MIT
#include "zookeeperfixture.h"

#include "stores/zookeeper/zookeepernames.h"
#include "stores/zookeeper/zookeeperrequest.h"

#include <algorithm>

namespace lockscope::test {

using namespace detail;

ZooKeeperEye::ZooKeeperEye(const ZooKeeperUrl &server, const QString &password)
{
    ZooKeeperConfig config;
    config.server = server;
    config.password = password;
    config.sessionTimeout = ZooKeeperNode::LongestSession; // it outlives what is done to the server
    LockError error;
    m_session = ZooKeeperSession::open(config, {[] {}, [](const QByteArray &, bool) {}}, &error);
    if (!m_session || !m_session->waitConnected(Patience))
        qFatal("No ZooKeeper answers: %s", qPrintable(error.toString()));
}

QByteArrayList ZooKeeperEye::children(const QByteArray &path)
{
    if (!m_session->waitConnected(Patience))
        qFatal("No ZooKeeper answers any more.");
    ZooKeeperFlight flight(*m_session);
    flight.children(path);
    flight.wait();
    return flight[0].names;
}

ZooKeeperReply ZooKeeperEye::node(const QByteArray &path)
{
    ZooKeeperFlight flight(*m_session);
    flight.get(path, false);
    flight.wait();
    return flight[0];
}

int ZooKeeperEye::make(const QByteArray &path, const QByteArray &data)
{
    ZooKeeperFlight flight(*m_session);
    std::size_t count = 0;
    for (qsizetype at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1), ++count)
        flight.create(path.left(at), {}, ZooKeeperFlight::Node::Persistent);
    flight.create(path, data, ZooKeeperFlight::Node::Persistent);
    flight.wait();
    return flight[count].code;
}

int ZooKeeperEye::set(const QByteArray &path, const QByteArray &data)
{
    ZooKeeperFlight flight(*m_session);
    flight.set(path, data, -1);
    flight.wait();
    return flight[0].code;
}

int ZooKeeperEye::remove(const QByteArray &path)
{
    ZooKeeperFlight flight(*m_session);
    flight.remove(path, -1);
    flight.wait();
    return flight[0].code;
}

void ZooKeeperBench::begin()
{
    if (!m_node)
        m_node = std::make_unique<GatedZooKeeper>();
    const auto error = m_node->pid() == 0 ? m_node->start() : std::nullopt;
    if (error)
        qFatal("%s", qPrintable(error->toString()));
    if (!m_eye)
        m_eye = std::make_unique<ZooKeeperEye>(m_node->url());
    m_url = m_node->url();
    m_url.chroot = QStringLiteral("/t%1").arg(++m_tests);
}

ZooKeeperConfig ZooKeeperBench::config(std::chrono::milliseconds session) const
{
    ZooKeeperConfig config;
    config.server = m_url;
    config.sessionTimeout = session;
    return config;
}

std::unique_ptr<LockEngine> ZooKeeperBench::newEngine(std::chrono::milliseconds session) const
{
    return std::make_unique<LockEngine>(engineOn(std::make_shared<ZooKeeperStore>(config(session))));
}

std::unique_ptr<StoreWorker> ZooKeeperBench::newWorker()
{
    return std::make_unique<StoreWorker>(QStringLiteral(LOCKSCOPE_ZOOKEEPERWORKER),
                                         QStringList{m_url.toString(), QString::number(ShortSession.count())});
}

QByteArray ZooKeeperBench::folder(const QByteArray &resource) const
{
    return folderOf(m_url, resource);
}

QByteArrayList ZooKeeperBench::queue(const QByteArray &resource)
{
    return queueOf(m_eye->children(folder(resource)));
}

int ZooKeeperBench::waiters(const QByteArray &resource)
{
    return std::max(0, int(queue(resource).size()) - 1);
}

qint64 ZooKeeperBench::packets() const
{
    const QByteArray said = m_node->ask("mntr");
    const QByteArray name = "zk_packets_received\t";
    const auto found = said.indexOf(name);
    if (found < 0)
        qFatal("The server does not tell what it was sent: %s", said.constData());
    return said.mid(found + name.size()).split('\n').constFirst().toLongLong();
}

} // namespace lockscope::test
