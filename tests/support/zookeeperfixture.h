// SPDX-License-Identifier: MIT
#pragma once

#include "storefixture.h"
#include "stores/nodes/zookeepernode.h"
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

/// Each test function begins with a server that runs, and a path with nothing below it.
class ZooKeeperTest : public QObject
{
    Q_OBJECT

protected Q_SLOTS:
    void initTestCase();
    void init();

protected:
    ZooKeeperConfig config(std::chrono::milliseconds session = std::chrono::seconds(10)) const;
    std::unique_ptr<LockEngine> newEngine(std::chrono::milliseconds session = std::chrono::seconds(10)) const;
    /// A process with an engine, whose session has a time-out.
    std::unique_ptr<StoreWorker> newWorker(std::chrono::milliseconds session = ShortSession) const;
    /// The path of a lock's folder.
    QByteArray folder(const QByteArray &resource) const;
    /// Its nodes, first one first.
    QByteArrayList queue(const QByteArray &resource);
    bool haveJoined(qsizetype nodes, const QByteArray &resource = "r");
    /// What the server has been sent since it started, by all.
    qint64 packets() const;

    std::unique_ptr<ZooKeeperNode> m_node;
    std::unique_ptr<ZooKeeperEye> m_eye;
    ZooKeeperUrl m_url;

private:
    int m_tests = 0;
};

} // namespace lockscope::test
