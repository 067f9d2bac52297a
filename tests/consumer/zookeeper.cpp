// SPDX-License-Identifier: MIT
#include <lockscope/lockengine.h>
#include <lockscope/zookeeperstore.h>

#include <QtCore/QCoreApplication>

#include <cstdio>

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    lockscope::ZooKeeperConfig zooKeeper;
    QString error;
    if (!lockscope::ZooKeeperUrl::parse(QStringLiteral("zookeeper://localhost:1/locks"), &zooKeeper.server, &error))
        return 1;
    zooKeeper.connectTimeout = std::chrono::milliseconds(200);
    lockscope::EngineConfig config;
    config.service = QStringLiteral("consumer");
    config.store = std::make_shared<lockscope::ZooKeeperStore>(zooKeeper);
    lockscope::LockEngine engine(config);
    lockscope::LockRequest request;
    request.resource = "r";
    const lockscope::AcquireResult result = engine.acquire(request);
    const bool isAway = result.error && result.error->kind == lockscope::LockError::Kind::Unavailable;
    std::puts(isAway ? "zookeeper consumer: as expected" : "zookeeper consumer: found a server where none is");
    return isAway ? 0 : 1;
}
