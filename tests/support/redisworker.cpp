// SPDX-License-Identifier: MIT
// A process with a lock engine on Redis, driven line by line, for tests that crash, freeze or outlive it.
//   redisworker URL
// Commands: those of workercommands.h.
#include "workercommands.h"

#include "lockscope/redisstore.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QLoggingCategory>

#include <iostream>

using namespace lockscope;
using namespace lockscope::test;

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    QLoggingCategory::setFilterRules(QStringLiteral("lockscope.redis.warning=false"));
    RedisConfig redis;
    QString error;
    if (argc != 2 || !RedisUrl::parse(QString::fromLocal8Bit(argv[1]), &redis.server, &error)) {
        std::cerr << "redisworker URL: " << error.toStdString() << '\n';
        return 64;
    }
    EngineConfig config;
    config.service = QStringLiteral("worker");
    config.store = std::make_shared<RedisStore>(redis);
    LossNews news; // outlives the engine, whose threads tell it
    LockEngine engine(config);
    runWorker(engine, news);
    return 0;
}
