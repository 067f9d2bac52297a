// SPDX-License-Identifier: MIT
#include "redisscripts.h"

#include "embeddedlua.h"
#include "rediserror.h"
#include "stores/quotedword.h"

#include <QtCore/QCryptographicHash>

#include <algorithm>
#include <map>

namespace lockscope::detail {

namespace {

constexpr int kCallAgain = 2; ///< the code of a script that had more to do than one may

struct Script
{
    QByteArray text;
    QByteArray sha;
};

std::map<QByteArray, Script> readScripts()
{
    const auto end = kEmbeddedLua + kEmbeddedLuaCount;
    const auto isCommon = [](const EmbeddedLua &script) { return QByteArrayView(script.name) == "common"; };
    const QByteArray common = std::find_if(kEmbeddedLua, end, isCommon)->text;
    std::map<QByteArray, Script> scripts;
    std::for_each(kEmbeddedLua, end, [&](const EmbeddedLua &script) {
        const QByteArray text = common + '\n' + script.text;
        scripts[script.name] = {text, QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex()};
    });
    return scripts;
}

const Script &scriptOf(const char *name)
{
    static const std::map<QByteArray, Script> scripts = readScripts();
    return scripts.at(name);
}

QByteArray whatIs(const char *script)
{
    return QByteArray("redis/") + script;
}

QByteArrayList withCount(const QByteArrayList &keys, const QByteArrayList &arguments)
{
    return QByteArrayList{QByteArray::number(keys.size())} + keys + arguments;
}

/// By its hash; by its text where the server does not know it, as after each start.
RedisReply evaluate(RedisConnection &connection, const char *name, const QByteArrayList &keys,
                    const QByteArrayList &arguments)
{
    const Script &script = scriptOf(name);
    const QByteArray what = whatIs(name);
    const QByteArrayList rest = withCount(keys, arguments);
    RedisReply reply = connection.run(QByteArrayList{"EVALSHA", script.sha} + rest, what);
    if (reply.value.bytes.startsWith("NOSCRIPT"))
        reply = connection.run(QByteArrayList{"EVAL", script.text} + rest, what);
    return reply;
}

RedisAnswer answerOf(RedisReply reply)
{
    RedisAnswer answer;
    answer.error = std::move(reply.error);
    if (!answer.error && !reply.value.items.isEmpty()) {
        answer.code = int(reply.value.items.takeFirst().integer);
        answer.values = std::move(reply.value.items);
    }
    return answer;
}

QByteArrayList keysOf(const QByteArray &resource)
{
    const QByteArray key = leaseKey(resource);
    return {key, queueKey(resource), key + ":w", key + ":t", "lockscope:held", "lockscope:events", "lockscope:kept"};
}

} // namespace

bool RedisAnswer::isLost() const
{
    return error && isRedisLost(*error);
}

bool RedisAnswer::isAway() const
{
    return error && isRedisAway(*error);
}

QByteArray ttlText(Duration ttl)
{
    using std::chrono::milliseconds;
    return ttl == Forever ? QByteArray("0") : QByteArray::number(qint64(std::chrono::ceil<milliseconds>(ttl).count()));
}

QByteArrayList renewalWords(quint64 token, Duration ttl, quint64 number)
{
    return {QByteArray::number(token), ttlText(ttl), QByteArray::number(number)};
}

QByteArray leaseKey(const QByteArray &resource)
{
    return "lockscope:{" + resource + '}';
}

QByteArray queueKey(const QByteArray &resource)
{
    return leaseKey(resource) + ":q";
}

QByteArray RedisScripts::statement(const char *script, const QByteArray &resource, const QByteArrayList &arguments)
{
    const QByteArrayList keys = keysOf(resource);
    QByteArray words = "EVALSHA " + scriptOf(script).sha + ' ' + QByteArray::number(keys.size());
    for (const QByteArray &word : keys + arguments)
        words += ' ' + quotedWord(word);
    return words;
}

QByteArray RedisScripts::text(const char *script)
{
    return scriptOf(script).text;
}

RedisAnswer RedisScripts::run(const char *script, const QByteArray &resource, const QByteArrayList &arguments,
                              RedisConnectionId *lost) const
{
    return run(script, keysOf(resource), arguments, false, lost);
}

RedisAnswer RedisScripts::runTwice(const char *script, const QByteArray &resource, const QByteArrayList &arguments,
                                   const std::function<bool()> &isTooLate) const
{
    return runTwice(script, keysOf(resource), arguments, isTooLate);
}

std::unique_ptr<RedisPool::Sent> RedisScripts::send(const char *script, const QByteArray &resource,
                                                    const QByteArrayList &arguments) const
{
    return m_pool.send(QByteArrayList{"EVALSHA", scriptOf(script).sha} + withCount(keysOf(resource), arguments));
}

RedisAnswer RedisScripts::answerTo(RedisPool::Sent &sent, const char *script)
{
    return answerOf(sent.answer(whatIs(script)));
}

RedisAnswer RedisScripts::runOn(const char *script, const QByteArrayList &keys) const
{
    return runTwice(script, keys, {}, {});
}

RedisAnswer RedisScripts::runTwice(const char *script, const QByteArrayList &keys, const QByteArrayList &arguments,
                                   const std::function<bool()> &isTooLate) const
{
    RedisAnswer answer = run(script, keys, arguments, false, nullptr);
    if (!answer.isLost() || (isTooLate && isTooLate()))
        return answer;
    answer = run(script, keys, arguments, true, nullptr);
    if (answer.error) // which says nothing of the first one
        answer.error->kind = LockError::Kind::ConnectionLost;
    return answer;
}

RedisAnswer RedisScripts::run(const char *script, const QByteArrayList &keys, const QByteArrayList &arguments,
                              bool isNew, RedisConnectionId *lost) const
{
    RedisAnswer answer = runOnce(script, keys, arguments, isNew, lost);
    if (answer.error && isRedisDemoted(*answer.error))
        answer = runOnce(script, keys, arguments, true, lost);
    return answer;
}

RedisAnswer RedisScripts::runOnce(const char *script, const QByteArrayList &keys, const QByteArrayList &arguments,
                                  bool isNew, RedisConnectionId *lost) const
{
    RedisAnswer answer;
    const auto error = m_pool.use(
        [&](RedisConnection &connection) {
            do {
                answer = answerOf(evaluate(connection, script, keys, arguments));
            } while (answer && answer.code == kCallAgain);
            if (lost && answer.isLost())
                *lost = connection.id();
        },
        isNew);
    if (error)
        answer.error = error;
    return answer;
}

std::optional<LockError> RedisScripts::endConnection(const RedisConnectionId &lost) const
{
    std::optional<LockError> error;
    const auto end = [&](RedisConnection &connection) {
        if (connection.id().runId != lost.runId)
            return; // it ended with that server, and its number may be a stranger's
        error = connection.run({"CLIENT", "KILL", "ID", QByteArray::number(lost.number)}, "redis/end-connection").error;
    };
    const auto unavailable = m_pool.use(end, true);
    return unavailable ? unavailable : error;
}

} // namespace lockscope::detail
