// SPDX-License-Identifier: MIT
#pragma once

#include "gatedzookeeper.h"
#include "stores/common/storebench.h"
#include "stores/zookeeper/zookeepersession.h"

#include <QtCore/QObject>

#include <memory>

namespace lockscope::test {

/// Short enough to wait for its end, long enough for a busy machine to renew in it.
inline constexpr std::chrono::milliseconds ShortSession{2000};

/// Looks into a ZooKeeper as any other program does, with a session of its own.
class ZooKeeperEye
{
public:
    explicit ZooKeeperEye(const ZooKeeperUrl &server, const QString &password = {});

    QByteArrayList children(const QByteArray &path);
    /// Of one node; code is not 0 where there is none.
    detail::ZooKeeperReply node(const QByteArray &path);
    /// A persistent one, with those above it. Returns the code of the last one.
    int make(const QByteArray &path, const QByteArray &data = {});
    int set(const QByteArray &path, const QByteArray &data);
    int remove(const QByteArray &path);

private:
    std::shared_ptr<detail::ZooKeeperSession> m_session;
};

/// A private ZooKeeper, and a path for each test function with nothing below it.
class ZooKeeperBench : public StoreBench
{
public:
    void begin() override;
    std::unique_ptr<LockEngine> newEngine() override { return newEngine(std::chrono::seconds(10)); }
    std::unique_ptr<LockEngine> newEngine(std::chrono::milliseconds session) const;
    std::unique_ptr<LockEngine> newHastyEngine() override { return newEngine(ShortSession); }
    std::unique_ptr<StoreWorker> newWorker() override;
    Duration shortestTtl() const override { return ShortSession; }
    int waiters(const QByteArray &resource) override;

    ZooKeeperConfig config(std::chrono::milliseconds session = std::chrono::seconds(10)) const;
    /// The path of a lock's folder.
    QByteArray folder(const QByteArray &resource) const;
    /// Its nodes, first one first.
    QByteArrayList queue(const QByteArray &resource);
    /// What the server has been sent since it started, by all.
    qint64 packets() const;

    std::unique_ptr<GatedZooKeeper> m_node;
    std::unique_ptr<ZooKeeperEye> m_eye;
    ZooKeeperUrl m_url;

private:
    int m_tests = 0;
};

/// Each test function begins with a server that runs, and a path with nothing below it.
class ZooKeeperTest : public QObject, protected ZooKeeperBench
{
    Q_OBJECT

protected Q_SLOTS:
    void init() { begin(); }
};

} // namespace lockscope::test
