// SPDX-License-Identifier: MIT
#pragma once

#include "stores/common/storebench.h"
#include "stores/etcd/etcdclient.h"
#include "stores/etcd/etcdnames.h"
#include "stores/nodes/etcdnode.h"

#include <QtCore/QObject>

namespace lockscope::test {

/// etcd's shortest TTL.
inline constexpr std::chrono::seconds ShortTtl{2};

/// Looks into an etcd as any other program does.
class EtcdEye
{
public:
    explicit EtcdEye(const EtcdUrl &server, const QString &password = {});

    /// Those that begin so, oldest first; an error ends the test.
    QList<detail::EtcdKey> keys(const QByteArray &prefix);
    void put(const QByteArray &key, const QByteArray &value, qint64 lease = 0);
    void remove(const QByteArray &key);
    /// How often anything was written.
    qint64 revision();
    qint64 grant(std::chrono::seconds ttl);
    /// Any call; an error ends the test.
    QJsonObject call(const QByteArray &path, const QJsonObject &body);

private:
    detail::EtcdClient m_client;
};

/// A private etcd, and a path for each test function with nothing below it.
class EtcdBench : public StoreBench
{
public:
    explicit EtcdBench(int members = 1, const QStringList &options = {});

    void begin() override;
    std::unique_ptr<LockEngine> newEngine() override;
    std::unique_ptr<StoreWorker> newWorker() override;
    Duration shortestTtl() const override { return ShortTtl; }
    int waiters(const QByteArray &resource) override;

    EtcdConfig config() const;
    /// Keys of a resource's requests, first one first.
    QList<detail::EtcdKey> queue(const QByteArray &resource);
    /// What a path of a member's answers beside its calls: "/metrics". A body is posted.
    QByteArray http(const QString &path, const QByteArray &body = {}, int member = 0) const;
    /// A program of etcd's that runs beside this one, with the addresses of the node; it is ended with the object.
    std::unique_ptr<QProcess> newEtcdctl(const QStringList &words) const;

    EtcdNode &node() { return m_node; }
    EtcdEye &eye() { return *m_eye; }
    const EtcdUrl &url() const { return m_url; }

private:
    EtcdNode m_node;
    std::unique_ptr<EtcdEye> m_eye;
    EtcdUrl m_url;
    int m_tests = 0;
};

/// Each test function begins with a server that runs, and a path with nothing below it.
class EtcdTest : public QObject
{
    Q_OBJECT

protected Q_SLOTS:
    void init() { m_bench.begin(); }

protected:
    EtcdBench m_bench;
};

} // namespace lockscope::test
