// SPDX-License-Identifier: MIT
#include <lockscope/etcdstore.h>
#include <lockscope/lockengine.h>

#include <QtCore/QCoreApplication>

#include <cstdio>

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    lockscope::EtcdConfig etcd;
    QString error;
    if (!lockscope::EtcdUrl::parse(QStringLiteral("etcd:///locks?socket=%2Fnowhere%2Fetcd.sock"), &etcd.server, &error))
        return 1;
    lockscope::EngineConfig config;
    config.service = QStringLiteral("consumer");
    config.store = std::make_shared<lockscope::EtcdStore>(etcd);
    lockscope::LockEngine engine(config);
    lockscope::LockRequest request;
    request.resource = "r";
    const lockscope::AcquireResult result = engine.acquire(request);
    const bool isAway = result.error && result.error->kind == lockscope::LockError::Kind::Unavailable;
    std::puts(isAway ? "etcd consumer: as expected" : "etcd consumer: found a server where none is");
    return isAway ? 0 : 1;
}
