// SPDX-License-Identifier: MIT
#include "storesite.h"

#include "stores/nodes/redisnode.h"
#include "stores/redis/redisconnection.h"

#include <QtCore/QHash>

using namespace Qt::StringLiterals;

namespace lockscope::test {

namespace {

/// "id=3 addr=… name=lockscope:…"
QHash<QByteArray, QByteArray> fieldsOf(const QByteArray &client)
{
    QHash<QByteArray, QByteArray> fields;
    for (const QByteArray &word : client.split(' '))
        fields[word.left(word.indexOf('='))] = word.mid(word.indexOf('=') + 1);
    return fields;
}

/// Its log is on the disk before each answer, or a restart would forget leases.
class RedisSite : public StoreSite
{
public:
    void stop() override { m_node.stop(); }
    void kill9() override { m_node.kill9(); }
    QString target() const override { return m_node.url().socket; }
    std::chrono::milliseconds shortestTtl(const QList<std::chrono::milliseconds> & /*ttls*/) const override
    {
        return std::chrono::milliseconds::zero();
    }

    QString url(int port) const override
    {
        RedisUrl url = m_node.url();
        if (port > 0) {
            url.socket.clear();
            url.host = u"127.0.0.1"_s;
            url.port = port;
        }
        return url.toString();
    }

    bool endsConnections() const override { return true; }

    QStringList connectionIds(const QByteArray &session) override
    {
        QStringList ids;
        for (const QByteArray &client : ask({"CLIENT", "LIST"}).bytes.split('\n')) {
            const auto fields = fieldsOf(client);
            if (fields["name"] == "lockscope:" + session)
                ids += QString::fromLatin1(fields["id"]);
        }
        return ids;
    }

    void endConnection(const QString &id) override { ask({"CLIENT", "KILL", "ID", id.toLatin1()}); }

protected:
    qint64 pid() const override { return m_node.pid(); }
    std::optional<LockError> startServer() override { return m_node.start(); }
    void beginAt(int /*number*/) override { ask({"FLUSHALL"}); }

    /// Last tokens stay for days, and so do events.
    QStringList traces() override
    {
        QStringList left;
        for (const detail::RedisValue &key : ask({"KEYS", "lockscope:*"}).items) {
            if (!key.bytes.endsWith(":t") && key.bytes != "lockscope:events")
                left += QString::fromUtf8(key.bytes);
        }
        for (const QByteArray &client : ask({"CLIENT", "LIST"}).bytes.split('\n')) {
            const QByteArray name = fieldsOf(client)["name"];
            if (name.startsWith("lockscope:"))
                left += u"connection "_s + QString::fromLatin1(name);
        }
        return left;
    }

private:
    detail::RedisValue ask(const QByteArrayList &words)
    {
        LockError error;
        const auto connection = detail::RedisConnection::openAny(m_node.config(), "conformance", &error);
        return connection ? connection->run(words, "conformance").value : detail::RedisValue();
    }

    RedisNode m_node{RedisNode::Keeping::Durable};
};

} // namespace

std::unique_ptr<StoreSite> makeRedisSite()
{
    return std::make_unique<RedisSite>();
}

} // namespace lockscope::test
