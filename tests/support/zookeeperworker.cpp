// SPDX-License-Identifier: MIT
// A process with a lock engine on ZooKeeper, driven line by line, for tests that crash, freeze or outlive it.
//   zookeeperworker URL SESSION_MS
// Commands: those of workercommands.h.
#include "workercommands.h"

#include "lockscope/zookeeperstore.h"

#include <QtCore/QCoreApplication>

#include <iostream>

using namespace lockscope;
using namespace lockscope::test;

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    ZooKeeperConfig zooKeeper;
    QString error;
    if (argc != 3 || !ZooKeeperUrl::parse(QString::fromLocal8Bit(argv[1]), &zooKeeper.server, &error)) {
        std::cerr << "zookeeperworker URL SESSION_MS: " << error.toStdString() << '\n';
        return 64;
    }
    zooKeeper.sessionTimeout = std::chrono::milliseconds(QByteArray(argv[2]).toInt());
    EngineConfig config;
    config.service = QStringLiteral("worker");
    config.store = std::make_shared<ZooKeeperStore>(zooKeeper);
    LossNews news; // outlives the engine, whose threads tell it
    LockEngine engine(config);
    runWorker(engine, news);
    return 0;
}
