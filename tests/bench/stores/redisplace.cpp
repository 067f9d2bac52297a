// SPDX-License-Identifier: MIT
#include "place.h"
#include "stores/nodes/redisnode.h"
#include "stores/redis/embeddedlua.h"
#include "stores/redis/redisscripts.h"

#include <hiredis/hiredis.h>

#include <QtCore/QHash>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::bench {

namespace {

using ReplyPtr = std::unique_ptr<redisReply, decltype(&freeReplyObject)>;

ReplyPtr checked(void *reply, const redisContext &context)
{
    ReplyPtr answer(static_cast<redisReply *>(reply), freeReplyObject);
    if (!answer || answer->type == REDIS_REPLY_ERROR)
        qFatal("Redis: %s", answer ? answer->str : context.errstr);
    return answer;
}

/// hiredis over the socket of a server.
class Client
{
public:
    explicit Client(const RedisUrl &server)
        : m_context(redisConnectUnix(server.socket.toUtf8().constData()), redisFree)
    {
        if (!m_context || m_context->err != 0)
            qFatal("Redis: %s", m_context ? m_context->errstr : "no memory");
    }
    ReplyPtr run(const QByteArrayList &words)
    {
        std::vector<const char *> texts;
        std::vector<size_t> sizes;
        for (const QByteArray &word : words) {
            texts.push_back(word.constData());
            sizes.push_back(size_t(word.size()));
        }
        return checked(redisCommandArgv(m_context.get(), int(words.size()), texts.data(), sizes.data()), *m_context);
    }
    /// The next message of a channel.
    QByteArray message()
    {
        void *reply = nullptr;
        redisGetReply(m_context.get(), &reply);
        const ReplyPtr answer = checked(reply, *m_context);
        return {answer->element[2]->str, qsizetype(answer->element[2]->len)};
    }

private:
    const std::unique_ptr<redisContext, decltype(&redisFree)> m_context;
};

qint64 number(const ReplyPtr &reply, size_t index)
{
    const redisReply &value = *reply->element[index];
    return value.type == REDIS_REPLY_INTEGER ? value.integer : QByteArray(value.str).toLongLong();
}

/// The engine's own scripts, by their hashes.
class RedisBareLock : public BareLock
{
public:
    RedisBareLock(const RedisUrl &server, const QByteArray &resource, int number)
        : m_session("bare" + QByteArray::number(number))
        , m_commands(server)
        , m_mail(server)
    {
        const QByteArray key = detail::leaseKey(resource);
        m_keys = {"7",
                  key,
                  detail::queueKey(resource),
                  key + ":w",
                  key + ":t",
                  "lockscope:held",
                  "lockscope:events",
                  "lockscope:kept"};
        for (const char *script : {"acquire", "renew", "release"})
            m_hashes[script] = load(script);
        m_mail.run({"SUBSCRIBE", "lockscope:m:" + m_session});
    }

    void take() override
    {
        const QByteArray id = m_session + '/' + QByteArray::number(++m_requests);
        const ReplyPtr answer = run("acquire", {id, m_session, kTtl, OwnerText, "", "1"});
        if (number(answer, 0) == 1) {
            m_token = QByteArray::number(number(answer, 1));
            return;
        }
        const QByteArrayList words = m_mail.message().split(' '); // "grant <request> <token>"
        m_token = words.value(2);
        if (number(run("renew", {m_token, kTtl, QByteArray::number(++m_renewals)}), 0) != 1)
            qFatal("The bare lock came too late.");
    }
    void give() override
    {
        if (number(run("release", {m_token, "0"}), 0) != 1)
            qFatal("The bare lock could not release its lease.");
    }

private:
    static constexpr const char *kTtl = "30000";
    QByteArray load(const char *name)
    {
        const auto textOf = [](const QByteArray &script) {
            const auto end = detail::kEmbeddedLua + detail::kEmbeddedLuaCount;
            return std::find_if(detail::kEmbeddedLua, end, [&](const auto &each) { return script == each.name; })->text;
        };
        const ReplyPtr answer = m_commands.run({"SCRIPT", "LOAD", QByteArray(textOf("common")) + '\n' + textOf(name)});
        return answer->str;
    }
    ReplyPtr run(const char *script, const QByteArrayList &arguments)
    {
        return m_commands.run(QByteArrayList{"EVALSHA", m_hashes[script]} + m_keys + arguments);
    }

    const QByteArray m_session;
    Client m_commands;
    Client m_mail;
    QByteArrayList m_keys;
    QHash<QByteArray, QByteArray> m_hashes;
    QByteArray m_token;
    quint64 m_renewals = 0;
    quint64 m_requests = 0;
};

class RedisPlace : public Place
{
public:
    explicit RedisPlace(Keeping keeping)
        : m_keeping(keeping)
        , m_node(keeping == Keeping::Memory ? RedisNode::Keeping::Memory : RedisNode::Keeping::Durable)
    {
        if (const auto error = m_node.start())
            qFatal("%ls", qUtf16Printable(error->toString()));
        m_control = std::make_unique<Client>(m_node.url());
    }

    QString name() const override { return m_keeping == Keeping::Memory ? u"Redis, in memory"_s : u"Redis, durable"_s; }
    EngineConfig engineConfig() override
    {
        RedisConfig config = m_node.config();
        config.namesRisks = false;
        EngineConfig engine;
        engine.store = std::make_shared<RedisStore>(config);
        return engine;
    }
    std::unique_ptr<BareLock> bareLock(const QByteArray &resource) override
    {
        return std::make_unique<RedisBareLock>(m_node.url(), resource, ++m_bareLocks);
    }
    int requests(const QByteArray &resource) override
    {
        const auto waiting = m_control->run({"ZCARD", detail::queueKey(resource)})->integer;
        return int(waiting + m_control->run({"EXISTS", detail::leaseKey(resource)})->integer);
    }

    Peers peers() override
    {
        return startedPeers({redisPyPeer(), redlockPeer(), redisSemaphorePeer()}, m_node.url().socket);
    }

private:
    const Keeping m_keeping;
    RedisNode m_node;
    std::unique_ptr<Client> m_control;
    int m_bareLocks = 0;
};

} // namespace

std::unique_ptr<Place> redisPlace(Keeping keeping)
{
    return std::make_unique<RedisPlace>(keeping);
}

} // namespace lockscope::bench
