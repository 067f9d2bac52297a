// SPDX-License-Identifier: MIT
// A process with a lock engine on etcd, driven line by line, for tests that crash, freeze or outlive it.
//   etcdworker URL
// Commands: those of workercommands.h.
#include "workercommands.h"

#include "lockscope/etcdstore.h"

#include <QtCore/QCoreApplication>

#include <iostream>

using namespace lockscope;
using namespace lockscope::test;

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    EtcdConfig etcd;
    QString error;
    if (argc != 2 || !EtcdUrl::parse(QString::fromLocal8Bit(argv[1]), &etcd.server, &error)) {
        std::cerr << "etcdworker URL: " << error.toStdString() << '\n';
        return 64;
    }
    EngineConfig config;
    config.service = QStringLiteral("worker");
    config.store = std::make_shared<EtcdStore>(etcd);
    LossNews news; // outlives the engine, whose threads tell it
    LockEngine engine(config);
    runWorker(engine, news);
    return 0;
}
