// SPDX-License-Identifier: MIT
#include "redisconnection.h"

#include "rediserror.h"
#include "redissocket.h"
#include "stores/plainpassword.h"

#include <hiredis/hiredis.h>

#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace lockscope::detail {

namespace {

/// Bounds of what a server may answer; ours are far below.
constexpr qsizetype kMaxAnswerBytes = 64 << 20;
constexpr int kMaxItems = 1'000'000;

void freeReader(redisReader *reader)
{
    redisReaderFree(reader);
}

redisReader *makeReader()
{
    redisReader *reader = redisReaderCreate();
    static const redisReplyObjectFunctions plain = *reader->fn;
    static redisReplyObjectFunctions bounded = [] {
        redisReplyObjectFunctions functions = plain;
        functions.createArray = [](const redisReadTask *task, auto count) -> void * {
            return count > decltype(count)(kMaxItems) ? nullptr : plain.createArray(task, count);
        };
        return functions;
    }();
    reader->fn = &bounded;
    return reader;
}

RedisValue valueOf(const redisReply &reply)
{
    RedisValue value;
    switch (reply.type) {
    case REDIS_REPLY_INTEGER:
        value.type = RedisValue::Type::Integer;
        value.integer = reply.integer;
        break;
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
    case REDIS_REPLY_ERROR:
        value.type = reply.type == REDIS_REPLY_ERROR ? RedisValue::Type::Error : RedisValue::Type::Bytes;
        value.bytes = QByteArray(reply.str, qsizetype(reply.len));
        break;
    case REDIS_REPLY_ARRAY:
        value.type = RedisValue::Type::Array;
        for (std::size_t i = 0; i < reply.elements; ++i)
            value.items.append(valueOf(*reply.element[i]));
        break;
    default:
        break;
    }
    return value;
}

/// As bytes with their lengths, so that nothing in a value is taken for a command.
QByteArray packetOf(const QByteArrayList &words)
{
    std::vector<const char *> texts;
    std::vector<std::size_t> lengths;
    for (const QByteArray &word : words) {
        texts.push_back(word.constData());
        lengths.push_back(std::size_t(word.size()));
    }
    char *packet = nullptr;
    const auto length = redisFormatCommandArgv(&packet, int(words.size()), texts.data(), lengths.data());
    if (length < 0)
        return {};
    const QByteArray bytes(packet, qsizetype(length));
    redisFreeCommand(packet);
    return bytes;
}

/// Of a server on this machine, unless plain text was agreed to. The socket's path becomes the one to connect to.
std::optional<LockError> refusePassword(const RedisConfig &config, QString *socket)
{
    struct Host
    {
        QString name;
        int port = 0;
    };
    const RedisUrl &url = config.server;
    const QString store = QStringLiteral("Redis");
    if (config.password.isEmpty() || url.usesTls() || url.tls == RedisUrl::Tls::Off)
        return std::nullopt;
    if (!socket->isEmpty())
        return refuseSocket(socket, store);
    return refusePlainPassword(QList<Host>{{url.host, url.port}}, store,
                               QStringLiteral("Use its Unix socket, name the authority that signed its certificate "
                                              "(ssl-ca), or run it as root, as a system account or as this user."));
}

} // namespace

RedisConnection::RedisConnection(std::unique_ptr<QTcpSocket> socket, std::chrono::milliseconds answerTimeout)
    : m_socket(std::move(socket))
    , m_reader(makeReader(), freeReader)
    , m_answerTimeout(answerTimeout)
    , m_descriptor(::fcntl(int(m_socket->socketDescriptor()), F_DUPFD_CLOEXEC, 0))
{
}

RedisConnection::~RedisConnection()
{
    interrupt(); // or the server would not see its end while the copy is open
    ::close(m_descriptor);
}

std::unique_ptr<RedisConnection> RedisConnection::open(const RedisConfig &config, const QByteArray &name,
                                                       LockError *error)
{
    auto connection = openAny(config, name, error);
    if (const auto unsafe = connection ? validateServer(connection->m_info) : std::nullopt) {
        *error = *unsafe;
        return nullptr;
    }
    return connection;
}

std::unique_ptr<RedisConnection> RedisConnection::openAny(const RedisConfig &config, const QByteArray &name,
                                                          LockError *error)
{
    const QDeadlineTimer deadline(config.connectTimeout);
    RedisUrl server = config.server;
    if (const auto refused = refusePassword(config, &server.socket)) {
        *error = *refused;
        return nullptr;
    }
    auto socket = openRedisSocket(server, config.connectTimeout, error);
    if (!socket)
        return nullptr;
    std::unique_ptr<RedisConnection> connection(new RedisConnection(std::move(socket), config.answerTimeout));
    auto wrong = connection->signIn(config, name, deadline);
    if (!wrong)
        return connection;
    if (wrong->kind == LockError::Kind::ConnectionLost)
        wrong->kind = LockError::Kind::Unavailable; // nothing was asked yet
    *error = *wrong;
    return nullptr;
}

std::optional<LockError> RedisConnection::signIn(const RedisConfig &config, const QByteArray &name,
                                                 const QDeadlineTimer &deadline)
{
    const RedisUrl &url = config.server;
    QList<QByteArrayList> steps;
    if (!url.user.isEmpty())
        steps.append({"AUTH", url.user.toUtf8(), config.password.toUtf8()});
    else if (!config.password.isEmpty())
        steps.append({"AUTH", config.password.toUtf8()});
    if (url.database != 0)
        steps.append({"SELECT", QByteArray::number(url.database)});
    steps.append({"CLIENT", "SETNAME", name});
    steps.append(QByteArrayList{QByteArray("CLIENT"), QByteArray("ID")}); // two texts would be iterators
    steps.append({"INFO"});
    QList<RedisValue> answers;
    for (const QByteArrayList &step : steps) {
        RedisReply reply = run(step, "redis/sign-in", deadline);
        if (reply.error)
            return reply.error;
        answers.append(std::move(reply.value));
    }
    m_info = RedisInfo::from(answers.last().bytes);
    m_id = {m_info.value("run_id"), answers[answers.size() - 2].integer};
    return std::nullopt;
}

RedisReply RedisConnection::run(const QByteArrayList &words, const QByteArray &what)
{
    return run(words, what, QDeadlineTimer(m_answerTimeout));
}

RedisReply RedisConnection::run(const QByteArrayList &words, const QByteArray &what, const QDeadlineTimer &deadline)
{
    write(words, deadline);
    return answer(what, deadline);
}

RedisReply RedisConnection::answer(const QByteArray &what)
{
    return answer(what, QDeadlineTimer(m_answerTimeout));
}

RedisReply RedisConnection::answer(const QByteArray &what, const QDeadlineTimer &deadline)
{
    RedisReply reply;
    if (m_isGone || !read(deadline, &reply.value))
        reply.error = redisLost(m_whyGone, what, m_systemText);
    else if (reply.value.type == RedisValue::Type::Error)
        reply.error = redisError(reply.value.bytes, what);
    m_isDemoted = reply.error && isRedisDemoted(*reply.error);
    if (m_isDemoted)
        fail(reply.error->message);
    return reply;
}

QList<RedisReply> RedisConnection::runAll(const QList<QByteArrayList> &commands, const QByteArray &what)
{
    const QDeadlineTimer deadline(m_answerTimeout);
    QList<RedisReply> replies;
    for (const QByteArrayList &words : commands)
        write(words, deadline);
    for (qsizetype i = 0; i < commands.size() && !m_isGone; ++i) {
        RedisReply reply;
        if (!read(deadline, &reply.value))
            break;
        replies.append(std::move(reply));
    }
    if (replies.size() < commands.size())
        replies.append({{}, redisLost(m_whyGone, what, m_systemText)});
    return replies;
}

bool RedisConnection::send(const QByteArrayList &words)
{
    return write(words, QDeadlineTimer(m_answerTimeout));
}

std::optional<RedisValue> RedisConnection::receive(const QDeadlineTimer &deadline)
{
    RedisValue value;
    while (!m_isGone) {
        if (parse(&value))
            return value;
        if (m_isGone)
            break;
        // Also the last words of a server that has closed it.
        if (m_socket->bytesAvailable() > 0) {
            const QByteArray part = m_socket->readAll();
            redisReaderFeed(m_reader.get(), part.constData(), std::size_t(part.size()));
            m_unparsed += part.size();
            continue;
        }
        if (m_socket->state() != QAbstractSocket::ConnectedState)
            failClosed();
        if (m_isGone || deadline.hasExpired())
            break;
        const bool isReady = m_socket->waitForReadyRead(int(deadline.remainingTime()));
        const bool isLate = m_socket->error() == QAbstractSocket::SocketTimeoutError;
        if (!isReady && !isLate && m_socket->bytesAvailable() == 0)
            failClosed();
    }
    return std::nullopt;
}

void RedisConnection::interrupt()
{
    ::shutdown(m_descriptor, SHUT_RDWR);
}

bool RedisConnection::write(const QByteArrayList &words, const QDeadlineTimer &deadline)
{
    if (m_isGone)
        return false;
    if (m_socket->state() != QAbstractSocket::ConnectedState)
        return failClosed();
    m_socket->write(packetOf(words));
    m_socket->flush();
    while (m_socket->bytesToWrite() > 0) {
        const bool isConnected = m_socket->state() == QAbstractSocket::ConnectedState;
        if (!isConnected || !m_socket->waitForBytesWritten(int(deadline.remainingTime())))
            return fail(QStringLiteral("Redis does not read what it is sent."), m_socket->errorString());
    }
    return true;
}

bool RedisConnection::read(const QDeadlineTimer &deadline, RedisValue *value)
{
    auto next = receive(deadline);
    if (!next)
        return !m_isGone ? fail(QStringLiteral("Redis did not answer in time.")) : false;
    *value = *std::move(next);
    return true;
}

/// False: there is no whole value yet, or never will be.
bool RedisConnection::parse(RedisValue *value)
{
    void *raw = nullptr;
    if (redisReaderGetReply(m_reader.get(), &raw) != REDIS_OK) {
        return fail(QStringLiteral("What answers there does not speak Redis' protocol. Is the address right?"),
                    QString::fromUtf8(m_reader->errstr));
    }
    if (raw) {
        auto *reply = static_cast<redisReply *>(raw);
        *value = valueOf(*reply);
        freeReplyObject(reply);
        m_hasAnswered = true;
        m_unparsed = 0;
        return true;
    }
    return m_unparsed > kMaxAnswerBytes ? fail(QStringLiteral("Redis' answer is longer than any that is expected."))
                                        : false;
}

bool RedisConnection::failClosed()
{
    return fail(m_hasAnswered ? QStringLiteral("Redis closed the connection.")
                              : QStringLiteral("Redis closed the connection before it said anything. Is the address "
                                               "right, and is it a Redis?"),
                m_socket->errorString());
}

/// Returns false.
bool RedisConnection::fail(const QString &message, const QString &systemText)
{
    if (!m_isGone) {
        m_isGone = true;
        m_whyGone = message;
        m_systemText = systemText;
        interrupt();
    }
    return false;
}

} // namespace lockscope::detail
