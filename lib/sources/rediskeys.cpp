// SPDX-License-Identifier: MIT
#include "rediskeys.h"

#include "keylockcollector.h"
#include "keylocks/releasescript.h"
#include "stores/redis/rediserror.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

using namespace detail;
using Clock = std::chrono::steady_clock;

/// Names that one step of a scan looks at: others wait meanwhile.
constexpr const char *kScanCount = "250";
/// The quickest of them tells what the way there and back takes.
constexpr int kPings = 5;
constexpr const char *kWhat = "redis/keys";
/// Keys of the engine's own.
constexpr QByteArrayView kOurs = "lockscope:";

/// One is enough: a source has one thread.
RedisConfig forOneThread(RedisConfig config)
{
    config.maxConnections = 1;
    return config;
}

std::optional<KeyType> typeOf(const QByteArray &type)
{
    for (const KeyType known : {KeyType::String, KeyType::Hash, KeyType::SortedSet}) {
        if (type == typeName(known).toLatin1())
            return known;
    }
    return std::nullopt;
}

/// The keys that a convention names for this lock.
QByteArrayList namedFor(const KeyLock &lock, const QStringList &patterns)
{
    QByteArrayList names;
    for (const QString &pattern : patterns)
        names.append(pattern.toUtf8().replace('*', lock.name));
    return names;
}

QByteArrayList queuesOf(const KeyLock &lock)
{
    return namedFor(lock, lock.convention.queues);
}

/// One that is gone, or has become something else, answers with an error.
bool isError(const RedisValue &value)
{
    return value.type == RedisValue::Type::Error;
}

/// The account may not read this key, whatever the command.
bool isKeyRefused(const RedisValue &value)
{
    return isError(value) && value.bytes.startsWith("NOPERM") && value.bytes.contains(" access ");
}

/// Of all keys: the account may not, or the server will not.
bool isRefusal(const RedisValue &value)
{
    return isError(value) && !value.bytes.startsWith("WRONGTYPE") && !isKeyRefused(value);
}

/// A command of a script was refused; those before it are done.
bool isWithinScript(const RedisValue &value)
{
    return isError(value) && value.bytes.contains("user_script") && !value.bytes.startsWith("ERR Error compiling");
}

QRegularExpression anyName(const QList<KeyConvention> &conventions)
{
    QStringList globs;
    for (const KeyConvention &each : conventions)
        globs += each.names;
    return globPattern(globs);
}

} // namespace

RedisKeys::RedisKeys(const RedisConfig &config, QByteArray connectionName, QList<KeyConvention> conventions)
    : m_conventions(std::move(conventions))
    , m_names(anyName(m_conventions))
    , m_pool(forOneThread(config))
{
    m_pool.setName(connectionName);
    m_pool.allowAnyServer();
}

/// For what does no harm twice: the server may have closed a connection that was idle.
std::optional<LockError> RedisKeys::run(const Words &commands, QList<RedisValue> *answers)
{
    answers->clear();
    if (commands.isEmpty())
        return std::nullopt;
    ++m_roundTrips;
    const auto begun = Clock::now();
    auto error = runOnce(commands, false, answers);
    m_waited += Clock::now() - begun;
    return error && isRedisLost(*error) ? runOnce(commands, true, answers) : error;
}

/// In one flight. The first that is refused is the error of all.
std::optional<LockError> RedisKeys::runOnce(const Words &commands, bool isNew, QList<RedisValue> *answers)
{
    answers->clear();
    std::optional<LockError> failed;
    const auto job = [&](RedisConnection &connection) {
        QList<RedisReply> replies = connection.runAll(commands, kWhat);
        for (RedisReply &reply : replies) {
            if (!failed && reply.error)
                failed = reply.error;
            else if (!failed && isRefusal(reply.value))
                failed = redisError(reply.value.bytes, kWhat);
            answers->append(std::move(reply.value));
        }
    };
    const auto error = m_pool.use(job, isNew);
    return error ? error : failed;
}

std::optional<LockError> RedisKeys::scan(const std::stop_token &stop, const Take &take)
{
    QList<RedisValue> answers;
    QByteArray cursor = "0";
    m_unreadable = 0;
    Clock::duration roundTrip = Clock::duration::max();
    for (int i = 0; i < kPings; ++i) { // the first one opens the connection
        const auto begun = Clock::now();
        if (auto error = run({{"PING"}}, &answers))
            return error;
        roundTrip = std::min(roundTrip, Clock::now() - begun);
    }
    do {
        m_roundTrips = 0;
        m_waited = {};
        if (auto error = run({{"SCAN", cursor, "COUNT", kScanCount}}, &answers))
            return error;
        cursor = answers[0].items.value(0).bytes;
        QByteArrayList names;
        for (const RedisValue &name : answers[0].items.value(1).items)
            names.append(name.bytes);
        QList<KeyLock> locks;
        if (auto error = read(names, &locks))
            return error;
        take(locks);
        const auto atWork = m_waited - roundTrip * m_roundTrips; // the server
        if (cursor != "0" && atWork.count() > 0)
            restAfter(atWork, stop);
    } while (cursor != "0" && !cursor.isEmpty() && !stop.stop_requested());
    return std::nullopt;
}

std::optional<LockError> RedisKeys::read(const QByteArrayList &names, QList<KeyLock> *locks)
{
    QByteArrayList known = names;
    known.removeIf([this](const QByteArray &name) {
        return name.size() > kMaxPartBytes || name.startsWith(kOurs)
            || !m_names.match(QString::fromLatin1(name)).hasMatch();
    });
    locks->clear();
    QList<KeyFacts> facts;
    auto error = readTypes(known, &facts);
    if (!error)
        error = readSizes(&facts);
    if (!error)
        error = readMembers(&facts);
    if (!error)
        error = dropLong(&facts);
    if (!error)
        error = readValues(&facts);
    if (error)
        return error;
    for (const KeyFacts &each : std::as_const(facts)) {
        if (auto lock = recognise(m_conventions, each))
            locks->append(*std::move(lock));
    }
    return readBeside(locks);
}

/// With the server's time.
std::optional<LockError> RedisKeys::readTypes(const QByteArrayList &names, QList<KeyFacts> *facts)
{
    Words commands{{"TIME"}};
    for (const QByteArray &name : names)
        commands.append({"TYPE", name});
    QList<RedisValue> answers;
    if (auto error = run(commands, &answers))
        return error;
    const QList<RedisValue> &time = answers[0].items; // seconds and microseconds
    m_now =
        ServerTime(std::chrono::seconds(time.value(0).number()) + std::chrono::microseconds(time.value(1).number()));
    for (qsizetype i = 0; i < names.size(); ++i) {
        m_unreadable += isKeyRefused(answers[i + 1]) ? 1 : 0;
        const auto type = typeOf(answers[i + 1].bytes);
        if (type && mayBeLock(m_conventions, names[i], *type, {}))
            facts->append({names[i], *type, {}, {}, 0});
    }
    return std::nullopt;
}

/// And how long they live.
std::optional<LockError> RedisKeys::readSizes(QList<KeyFacts> *facts)
{
    Words commands;
    for (const KeyFacts &each : std::as_const(*facts)) {
        commands.append({"PTTL", each.name});
        commands.append({each.type == KeyType::String     ? "STRLEN"
                             : each.type == KeyType::Hash ? "HLEN"
                                                          : "ZCARD",
                         each.name});
    }
    QList<RedisValue> answers;
    if (auto error = run(commands, &answers))
        return error;
    for (qsizetype i = 0; i < facts->size(); ++i) {
        KeyFacts &each = (*facts)[i];
        if (const qint64 left = answers[2 * i].number(); left >= 0)
            each.until = m_now + std::chrono::milliseconds(left);
        const qint64 size = answers[2 * i + 1].number();
        const bool isString = each.type == KeyType::String;
        const bool isSmall = size > 0 && size <= (isString ? qint64(kMaxPartBytes) : kMaxParts);
        each.size = isSmall ? (isString ? 1 : size) : -1;
    }
    facts->removeIf([](const KeyFacts &each) { return each.size < 0; });
    return std::nullopt;
}

/// Of hashes their fields; a sorted set tells its scores with them.
std::optional<LockError> RedisKeys::readMembers(QList<KeyFacts> *facts)
{
    Words commands;
    for (const KeyFacts &each : std::as_const(*facts)) {
        if (each.type == KeyType::Hash)
            commands.append({"HKEYS", each.name});
        else if (each.type == KeyType::SortedSet)
            commands.append({"ZRANGE", each.name, "0", QByteArray::number(kMaxParts - 1), "WITHSCORES"});
    }
    QList<RedisValue> answers;
    if (auto error = run(commands, &answers))
        return error;
    QList<KeyFacts> kept;
    qsizetype next = 0;
    for (KeyFacts &each : *facts) {
        const bool hasScores = each.type == KeyType::SortedSet;
        const QList<RedisValue> items = each.type == KeyType::String ? QList<RedisValue>() : answers[next++].items;
        QByteArrayList members;
        for (qsizetype i = 0; i + (hasScores ? 1 : 0) < items.size(); i += hasScores ? 2 : 1) {
            members.append(items[i].bytes);
            each.parts.append({items[i].bytes, hasScores ? items[i + 1].bytes : QByteArray()});
        }
        each.size = std::max(each.size, qint64(members.size()));
        const bool hasMembers = !members.isEmpty() && mayBeLock(m_conventions, each.name, each.type, members);
        if (each.type == KeyType::String || hasMembers)
            kept.append(std::move(each));
    }
    *facts = std::move(kept);
    return std::nullopt;
}

/// Hashes with a value that is no lock's.
std::optional<LockError> RedisKeys::dropLong(QList<KeyFacts> *facts)
{
    Words commands;
    for (const KeyFacts &each : std::as_const(*facts)) {
        for (qsizetype i = 0; each.type == KeyType::Hash && i < each.parts.size(); ++i)
            commands.append({"HSTRLEN", each.name, each.parts[i].member});
    }
    QList<RedisValue> answers;
    if (auto error = run(commands, &answers))
        return error;
    QList<KeyFacts> kept;
    qsizetype next = 0;
    for (KeyFacts &each : *facts) {
        bool isLong = false;
        for (qsizetype i = 0; each.type == KeyType::Hash && i < each.parts.size(); ++i)
            isLong |= answers[next++].number() > kMaxPartBytes;
        if (!isLong)
            kept.append(std::move(each));
    }
    *facts = std::move(kept);
    return std::nullopt;
}

/// No more of one than a lock's has.
std::optional<LockError> RedisKeys::readValues(QList<KeyFacts> *facts)
{
    Words commands;
    for (const KeyFacts &each : std::as_const(*facts)) {
        if (each.type == KeyType::String)
            commands.append({"GETRANGE", each.name, "0", QByteArray::number(kMaxPartBytes)});
        if (each.type == KeyType::Hash) {
            commands.append({"HMGET", each.name});
            for (const KeyPart &part : each.parts)
                commands.last().append(part.member);
        }
    }
    QList<RedisValue> answers;
    if (auto error = run(commands, &answers))
        return error;
    qsizetype next = 0;
    for (KeyFacts &each : *facts) {
        if (each.type == KeyType::String)
            each.parts.append({{}, answers[next++].bytes});
        if (each.type == KeyType::Hash) {
            const QList<RedisValue> &values = answers[next++].items;
            for (qsizetype i = 0; i < each.parts.size(); ++i)
                each.parts[i].value = values.value(i).bytes;
        }
    }
    return std::nullopt;
}

/// How many wait, and the tokens.
std::optional<LockError> RedisKeys::readBeside(QList<KeyLock> *locks)
{
    Words commands;
    for (const KeyLock &lock : std::as_const(*locks)) {
        for (const QByteArray &queue : queuesOf(lock))
            commands.append({"LLEN", queue});
        for (const QByteArray &token : namedFor(lock, lock.convention.tokens))
            commands.append({"GETRANGE", token, "0", QByteArray::number(kMaxPartBytes)});
    }
    QList<RedisValue> answers;
    if (auto error = run(commands, &answers))
        return error;
    qsizetype next = 0;
    const auto take = [&] { // of one that is no list, or no text, nothing
        const RedisValue answer = answers[next++];
        return isError(answer) ? 0 : answer.number();
    };
    for (KeyLock &lock : *locks) {
        for (qsizetype i = 0; i < lock.convention.queues.size(); ++i)
            lock.waiters = lock.waiters.value_or(0) + take();
        for (qsizetype i = 0; i < lock.convention.tokens.size(); ++i)
            lock.token = std::max<quint64>(lock.token, quint64(std::max<qint64>(0, take())));
    }
    return std::nullopt;
}

std::optional<LockError> RedisKeys::readQueue(const KeyLock &lock, QByteArrayList *waiters)
{
    Words commands;
    for (const QByteArray &queue : queuesOf(lock))
        commands.append({"LRANGE", queue, "0", QByteArray::number(kMaxParts - 1)});
    QList<RedisValue> answers;
    waiters->clear();
    auto error = run(commands, &answers);
    for (const RedisValue &answer : std::as_const(answers)) {
        for (const RedisValue &item : answer.items)
            waiters->append(item.bytes.left(kMaxPartBytes));
    }
    return error;
}

std::optional<LockError> RedisKeys::end(const KeyLock &lock, const KeyHolder &holder, bool *isDone)
{
    QList<RedisValue> answers;
    const QByteArrayList words{"EVAL", releaseScript(lock.convention), "1", lock.name};
    auto error = runOnce({words + releaseArguments(holder)}, false, &answers);
    if (!error && isError(answers.value(0))) // what concerns one key alone is no refusal elsewhere
        error = redisError(answers[0].bytes, kWhat);
    *isDone = !error && answers.value(0).number() == 1;
    const bool mayBeDone = isWithinScript(answers.value(0)) && !lock.convention.release.script.isEmpty();
    if (error && mayBeDone && !isHeld(lock, holder)) {
        error->kind = LockError::Kind::ConnectionLost;
        error->message = QStringLiteral("Redis refused a command of the release after others were done.");
    }
    return error;
}

/// False: it is not, or that cannot be told.
bool RedisKeys::isHeld(const KeyLock &lock, const KeyHolder &holder)
{
    QList<KeyLock> now;
    const bool isThere = !read({lock.name}, &now) && !now.isEmpty();
    const KeyHolder *still = isThere ? now.first().holder(holder.guard()) : nullptr;
    return still && still->part == holder.part;
}

} // namespace lockscope
