// SPDX-License-Identifier: MIT
#pragma once

#include "stores/common/storebench.h"
#include "testredis.h"

#include <QtCore/QObject>

#include <memory>

namespace lockscope::test {

using namespace std::chrono_literals;

RedisConfig redisConfigFor(const TestRedis &node);
/// With a store of its own.
EngineConfig engineOn(const RedisConfig &config);
EngineConfig engineOn(const TestRedis &node);

/// A redisworker process. Ends with the object.
class RedisWorker : public StoreWorker
{
public:
    explicit RedisWorker(const TestRedis &node);
};

/// A private Redis, empty when a test function begins.
class RedisBench : public StoreBench
{
public:
    void begin() override;
    std::unique_ptr<LockEngine> newEngine() override;
    std::unique_ptr<StoreWorker> newWorker() override;
    Duration shortestTtl() const override { return 1s; } // that a busy machine can renew
    int waiters(const QByteArray &resource) override { return m_node->waiters(resource); }

    std::unique_ptr<TestRedis> m_node;
};

/// Each test function begins with a server that runs and is empty.
class RedisTest : public QObject, protected RedisBench
{
    Q_OBJECT

protected Q_SLOTS:
    void initTestCase();
    void init() { begin(); }
};

} // namespace lockscope::test
