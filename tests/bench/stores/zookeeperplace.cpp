// SPDX-License-Identifier: MIT
#include "place.h"
#include "stores/nodes/zookeepernode.h"
#include "stores/zookeeper/zookeepernames.h"

#include <zookeeper/zookeeper.h>

#include <QtCore/QUuid>

#include <condition_variable>
#include <mutex>

using namespace Qt::StringLiterals;

namespace lockscope::bench {

namespace {

void check(int code, const char *what)
{
    if (code != ZOK)
        qFatal("ZooKeeper: %s: %s", what, zerror(code));
}

QString addressOf(const ZooKeeperUrl &server)
{
    const ZooKeeperUrl::Host &host = server.hosts.first();
    return host.name + u':' + QString::number(host.port);
}

/// Something that one of the library's threads tells a waiting one.
class Signal
{
public:
    void set()
    {
        const std::lock_guard lock(m_mutex);
        m_isSet = true;
        m_changed.notify_all();
    }
    void wait()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_isSet; });
        m_isSet = false;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_isSet = false;
};

/// The names of Curator's InterProcessMutex: an ephemeral node with a number, and a watch on the one before.
class ZooKeeperBareLock : public BareLock
{
public:
    ZooKeeperBareLock(const ZooKeeperUrl &server, const QByteArray &resource)
        : m_folder('/' + detail::partOf(resource))
        , m_handle(zookeeper_init2(addressOf(server).toUtf8().constData(), onSession, 10'000, nullptr, &m_connected, 0,
                                   [](const char *) {}))
    {
        m_connected.wait();
        const int made =
            zoo_create(m_handle, m_folder.constData(), "", 0, &ZOO_OPEN_ACL_UNSAFE, ZOO_PERSISTENT, nullptr, 0);
        check(made == ZNODEEXISTS ? ZOK : made, "create");
    }
    ~ZooKeeperBareLock() override { zookeeper_close(m_handle); }

    void take() override
    {
        join();
        for (QByteArray previous = before(); !previous.isEmpty(); previous = before()) {
            const QByteArray path = m_folder + '/' + previous;
            Stat stat{};
            const int code = zoo_wexists(m_handle, path.constData(), onNode, &m_fired, &stat);
            if (code == ZOK)
                m_fired.wait();
            readChildren();
        }
    }
    void give() override { check(zoo_delete(m_handle, (m_folder + '/' + m_node).constData(), -1), "delete"); }

private:
    static void onSession(zhandle_t *, int type, int state, const char *, void *connected)
    {
        if (type == ZOO_SESSION_EVENT && state == ZOO_CONNECTED_STATE)
            static_cast<Signal *>(connected)->set();
    }
    static void onNode(zhandle_t *, int type, int, const char *, void *fired)
    {
        if (type != ZOO_SESSION_EVENT)
            static_cast<Signal *>(fired)->set();
    }
    static void onChildren(int code, const String_vector *names, const void *self)
    {
        auto *const lock = static_cast<ZooKeeperBareLock *>(const_cast<void *>(self));
        check(code, "children");
        lock->m_children.clear();
        for (int i = 0; i < names->count; ++i)
            lock->m_children.append(names->data[i]);
        lock->m_answered.set();
    }

    /// Its node, and who else is there, in the same flight.
    void join()
    {
        const QByteArray uuid = QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
        const QByteArray path = m_folder + "/_c_" + uuid + "-lock-";
        const auto onMade = [](int code, const char *made, const Stat *, const void *self) {
            check(code, "create");
            auto *const lock = static_cast<ZooKeeperBareLock *>(const_cast<void *>(self));
            lock->m_node = QByteArray(made).mid(lock->m_folder.size() + 1);
        };
        check(zoo_acreate2(m_handle, path.constData(), OwnerText, int(sizeof OwnerText) - 1, &ZOO_OPEN_ACL_UNSAFE,
                           ZOO_EPHEMERAL_SEQUENTIAL, onMade, this),
              "create");
        readChildren();
    }
    void readChildren()
    {
        check(zoo_aget_children(m_handle, m_folder.constData(), 0, onChildren, this), "children");
        m_answered.wait();
    }
    QByteArray before() const { return detail::before(m_children, m_node).value_or(QByteArray()); }

    const QByteArray m_folder;
    Signal m_connected;
    Signal m_answered;
    Signal m_fired;
    QByteArray m_node;
    QByteArrayList m_children;
    zhandle_t *const m_handle;
};

class ZooKeeperPlace : public Place
{
public:
    explicit ZooKeeperPlace(Keeping keeping)
        : m_keeping(keeping)
        , m_node(keeping == Keeping::Memory ? ZooKeeperNode::Keeping::Memory : ZooKeeperNode::Keeping::Durable)
    {
        if (const auto error = m_node.start())
            qFatal("%ls", qUtf16Printable(error->toString()));
    }

    QString name() const override
    {
        return m_keeping == Keeping::Memory ? u"ZooKeeper, in memory"_s : u"ZooKeeper, durable"_s;
    }
    EngineConfig engineConfig() override
    {
        ZooKeeperConfig config;
        config.server = m_node.url();
        EngineConfig engine;
        engine.store = std::make_shared<ZooKeeperStore>(config);
        return engine;
    }
    std::unique_ptr<BareLock> bareLock(const QByteArray &resource) override
    {
        return std::make_unique<ZooKeeperBareLock>(m_node.url(), resource);
    }
    int requests(const QByteArray &resource) override
    {
        const QByteArray folder = '/' + detail::partOf(resource) + '/';
        return int(m_node.ask("dump").count(folder));
    }

    Peers peers() override { return startedPeers({kazooPeer(), curatorPeer()}, addressOf(m_node.url())); }

private:
    const Keeping m_keeping;
    ZooKeeperNode m_node;
};

} // namespace

std::unique_ptr<Place> zooKeeperPlace(Keeping keeping)
{
    return std::make_unique<ZooKeeperPlace>(keeping);
}

} // namespace lockscope::bench
