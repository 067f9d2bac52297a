// SPDX-License-Identifier: MIT
#include "redisfixture.h"

#include <QtCore/QLoggingCategory>

namespace lockscope::test {

RedisConfig redisConfigFor(const TestRedis &node)
{
    RedisConfig config;
    config.server = node.url();
    return config;
}

EngineConfig engineOn(const RedisConfig &config)
{
    return engineOn(std::make_shared<RedisStore>(config));
}

EngineConfig engineOn(const TestRedis &node)
{
    return engineOn(redisConfigFor(node));
}

RedisWorker::RedisWorker(const TestRedis &node)
    : StoreWorker(QStringLiteral(LOCKSCOPE_REDISWORKER), {node.url().toString()})
{
}

void RedisBench::begin()
{
    // A node of a test keeps nothing, which is said each time.
    QLoggingCategory::setFilterRules(QStringLiteral("lockscope.redis.warning=false"));
    if (!m_node)
        m_node = std::make_unique<TestRedis>();
    m_node->ask({"FLUSHALL"});
    m_node->ask({"CONFIG", "RESETSTAT"});
}

std::unique_ptr<LockEngine> RedisBench::newEngine()
{
    return std::make_unique<LockEngine>(engineOn(*m_node));
}

std::unique_ptr<StoreWorker> RedisBench::newWorker()
{
    return std::make_unique<RedisWorker>(*m_node);
}

void RedisTest::initTestCase()
{
    QLoggingCategory::setFilterRules(QStringLiteral("lockscope.redis.warning=false"));
}

} // namespace lockscope::test
