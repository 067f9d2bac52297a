// SPDX-License-Identifier: MIT
#pragma once

#include "stores/nodes/redisnode.h"

#include <QtCore/QByteArrayList>

#include <memory>

struct redisContext;

namespace lockscope::test {

/// A real Redis of a test's own, which keeps nothing unless it is told to. One that cannot be started ends the test
/// with its own words. Thread: as RedisNode.
class TestRedis
{
public:
    using Keeping = RedisNode::Keeping;

    explicit TestRedis(QStringList options = {}, Keeping keeping = Keeping::Memory);
    ~TestRedis();

    RedisUrl url() const { return m_node.url(); }
    qint64 pid() const { return m_node.pid(); }
    QString folder() const { return m_node.folder(); }

    void start();
    void stop();
    void kill9();
    void freeze();
    void thaw();

    /// Runs a command over a connection of this object's own; numbers as text, lists flat, errors as they are.
    QByteArrayList rows(const QByteArrayList &words);
    QByteArray ask(const QByteArrayList &words) { return rows(words).value(0); }
    /// The words of sql/grants that make this user, whose password is "password".
    static QByteArrayList rightsOf(const QByteArray &user);
    /// Calls of a command since the start, those of scripts included.
    qint64 calls(const QByteArray &command);
    /// Requests in the queue of a resource.
    int waiters(const QByteArray &resource);

private:
    RedisNode m_node;
    std::unique_ptr<redisContext, void (*)(redisContext *)> m_connection;
};

} // namespace lockscope::test
