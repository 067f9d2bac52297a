// SPDX-License-Identifier: MIT
#pragma once

#include "storefixture.h"
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

/// Each test function begins with a server that runs and is empty.
class RedisTest : public QObject
{
    Q_OBJECT

protected Q_SLOTS:
    void initTestCase();
    void init();

protected:
    std::unique_ptr<TestRedis> m_node;
};

} // namespace lockscope::test
