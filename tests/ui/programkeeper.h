// SPDX-License-Identifier: MIT
#pragma once

#include "storenodes.h"
#include "stores/etcd/etcdclient.h"
#include "stores/etcd/etcdnames.h"
#include "stores/redis/redisconnection.h"
#include "stores/zookeeper/zookeepersession.h"

#include <QtCore/QJsonArray>

namespace lockscope::test {

/// Keeps locks as other programs do, in keys and nodes of StoreNodes. Nodes of a ZooKeeper go with it. Thread: one.
class ProgramKeeper
{
public:
    explicit ProgramKeeper(StoreNodes *nodes)
        : m_nodes(nodes)
    {
    }

    /// One of the usual programs of such a store; returns what it is called there.
    QByteArray lock(StoreKind kind, const QByteArray &name)
    {
        const QByteArray uuid = "b3c4f0d0-cb4d-11f0-a4a9-acde48001122";
        if (kind == StoreKind::Redis) { // redis-py's
            redis({{"SET", "lock:" + name, QByteArray(uuid).replace('-', ""), "PX", "60000"}});
            return "lock:" + name;
        }
        if (kind == StoreKind::Etcd) { // etcd3gw's
            etcd("/locks/" + name, uuid);
            return "/locks/" + name;
        }
        const QByteArray folder = "/app/" + name; // Curator's, with one that waits
        for (const char *who : {"10.0.0.7", "10.0.0.8"})
            node(folder + "/_c_" + uuid + "-lock-", who, Node::EphemeralSequential);
        return folder;
    }

    void redis(const QList<QByteArrayList> &commands)
    {
        LockError error;
        RedisConfig config;
        RedisUrl::parse(m_nodes->url(StoreKind::Redis), &config.server, &m_error);
        const auto connection = detail::RedisConnection::openAny(config, "keeper", &error);
        if (!connection)
            qFatal("%s", qPrintable(error.toString()));
        for (const detail::RedisReply &reply : connection->runAll(commands, "test")) {
            if (reply.error || reply.value.type == detail::RedisValue::Type::Error)
                qFatal("%s", reply.value.bytes.constData());
        }
    }

    void etcd(const QByteArray &key, const QByteArray &value)
    {
        EtcdConfig config;
        EtcdUrl::parse(m_nodes->url(StoreKind::Etcd), &config.server, &m_error);
        detail::EtcdClient client(config);
        const detail::EtcdReply lease = client.call("lease/grant", {{QStringLiteral("TTL"), QStringLiteral("60")}});
        const qint64 id = detail::etcdNumber(lease.body[QLatin1String("ID")]);
        const detail::EtcdReply put =
            client.call("kv/txn", {{QStringLiteral("success"), QJsonArray{detail::putOp(key, value, id)}}});
        if (put.error)
            qFatal("%s", qPrintable(put.error->toString()));
    }

    using Node = detail::ZooKeeperFlight::Node;
    /// With those above it.
    void node(const QByteArray &path, const QByteArray &data, Node kind)
    {
        if (!m_session) {
            LockError error;
            ZooKeeperConfig config;
            ZooKeeperUrl::parse(m_nodes->url(StoreKind::ZooKeeper), &config.server, &m_error);
            m_session = detail::ZooKeeperSession::open(config, {[] {}, [](const QByteArray &, bool) {}}, &error);
            if (!m_session || !m_session->waitConnected(std::chrono::seconds(30)))
                qFatal("%s", qPrintable(error.toString()));
        }
        detail::ZooKeeperFlight flight(*m_session);
        std::size_t above = 0;
        for (qsizetype at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1), ++above)
            flight.create(path.left(at), {}, Node::Persistent);
        flight.create(path, data, kind);
        flight.wait();
        if (flight[above].code != 0)
            qFatal("%s: %d", path.constData(), flight[above].code);
    }
    /// As a holder that ends: its nodes go.
    void endSession() { m_session.reset(); }

private:
    StoreNodes *m_nodes;
    QString m_error; ///< of an address, which has none
    std::shared_ptr<detail::ZooKeeperSession> m_session;
};

} // namespace lockscope::test
