// SPDX-License-Identifier: MIT
#include <lockscope/lockengine.h>
#include <lockscope/redisstore.h>

#include <QtCore/QCoreApplication>

#include <cstdio>

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    lockscope::RedisConfig redis;
    QString error;
    if (!lockscope::RedisUrl::parse(QStringLiteral("redis://localhost/0?socket=%2Fnowhere%2Fredis.sock"), &redis.server,
                                    &error))
        return 1;
    lockscope::EngineConfig config;
    config.service = QStringLiteral("consumer");
    config.store = std::make_shared<lockscope::RedisStore>(redis);
    lockscope::LockEngine engine(config);
    lockscope::LockRequest request;
    request.resource = "r";
    const lockscope::AcquireResult result = engine.acquire(request);
    const bool isAway = result.error && result.error->kind == lockscope::LockError::Kind::Unavailable;
    std::puts(isAway ? "redis consumer: as expected" : "redis consumer: found a server where none is");
    return isAway ? 0 : 1;
}
