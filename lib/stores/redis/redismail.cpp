// SPDX-License-Identifier: MIT
#include "redismail.h"

#include "rediserror.h"

#include <algorithm>
#include <utility>

namespace lockscope::detail {

namespace {

using namespace std::chrono_literals;

constexpr auto kQuietFor = 10s; ///< then it is asked whether the connection still stands
constexpr auto kFirstPause = 50ms;
constexpr auto kLongestPause = 400ms;

QByteArray channelOf(const QByteArray &session)
{
    return "lockscope:m:" + session;
}

/// Takes the text up to the next space, and both out of `text`.
QByteArray nextWord(QByteArray *text)
{
    const auto space = text->indexOf(' ');
    const QByteArray word = text->left(space);
    *text = space < 0 ? QByteArray() : text->mid(space + 1);
    return word;
}

} // namespace

RedisMail::Letter::Letter(RedisMail &mail, QByteArray id, StoreWait &wait, std::function<void(quint64)> onGrant)
    : m_mail(mail)
    , m_id(std::move(id))
    , m_wait(wait)
    , m_onGrant(std::move(onGrant))
{
    const std::lock_guard lock(m_mail.m_mutex);
    m_mail.m_letters[m_id] = this;
}

RedisMail::Letter::~Letter()
{
    const std::lock_guard lock(m_mail.m_mutex);
    m_mail.m_letters.erase(m_id);
}

void RedisMail::Letter::wait(StoreWait::Clock::time_point until)
{
    m_wait.sleepUntil(until, [this] { return m_isNew.load(); });
}

quint64 RedisMail::Letter::take()
{
    m_isNew = false;
    return m_token.exchange(0);
}

RedisMail::RedisMail(RedisConfig config)
    : m_config(std::move(config))
{
}

RedisMail::~RedisMail()
{
    stop();
}

std::optional<LockError> RedisMail::start(const QByteArray &session, const LockStore::Listener &listener)
{
    m_session = session;
    m_listener = listener;
    if (auto error = subscribe())
        return error;
    m_thread = std::thread([this] { listen(); });
    return std::nullopt;
}

void RedisMail::stop()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
        m_ends.notify_all();
        if (m_connection)
            m_connection->interrupt();
    }
    if (m_thread.joinable())
        m_thread.join();
    m_connection.reset();
}

void RedisMail::leave(const RedisConnectionId &server)
{
    const std::lock_guard lock(m_mutex);
    if (m_connection && m_connection->id().runId == server.runId)
        m_connection->interrupt();
}

void RedisMail::follow(const RedisConnectionId &server)
{
    const std::lock_guard lock(m_mutex);
    m_followed = server.runId;
    if (m_connection && m_connection->id().runId != m_followed)
        m_connection->interrupt();
}

std::optional<LockError> RedisMail::subscribe()
{
    {
        const std::lock_guard lock(m_mutex);
        m_followed.clear();
    }
    LockError error;
    Connection connection = RedisConnection::open(m_config, "lockscope:" + m_session, &error);
    if (!connection)
        return error;
    const RedisReply reply = connection->run({"SUBSCRIBE", channelOf(m_session)}, "redis/subscribe");
    if (reply.error)
        return reply.error;
    const std::lock_guard lock(m_mutex);
    m_connection = std::move(connection);
    if (m_isEnding || (!m_followed.isEmpty() && m_connection->id().runId != m_followed))
        m_connection->interrupt();
    return std::nullopt;
}

void RedisMail::listen()
{
    for (;;) {
        if (!hear())
            reconnect();
        const std::lock_guard lock(m_mutex);
        if (m_isEnding)
            return;
    }
}

/// The next message, or that there is none; false: the connection is gone.
bool RedisMail::hear()
{
    auto value = m_connection->receive(QDeadlineTimer(kQuietFor));
    if (!value && !m_connection->isGone()) {
        m_connection->send({"PING"});
        value = m_connection->receive(QDeadlineTimer(m_config.answerTimeout));
        if (!value)
            return false;
    }
    if (!value)
        return false;
    if (value->items.size() == 3 && value->items[0].bytes == "message")
        read(value->items[2].bytes);
    return true;
}

/// Until it is subscribed again, or the end.
void RedisMail::reconnect()
{
    std::chrono::milliseconds pause = kFirstPause;
    for (;;) {
        {
            std::unique_lock lock(m_mutex);
            if (m_ends.wait_for(lock, pause, [this] { return m_isEnding; }))
                return;
        }
        if (!subscribe())
            break;
        pause = std::min<std::chrono::milliseconds>(2 * pause, kLongestPause);
    }
    wakeAll();
}

void RedisMail::read(const QByteArray &message)
{
    QByteArray text = message;
    const QByteArray what = nextWord(&text);
    if (what == "grant" || what == "look") {
        const QByteArray id = nextWord(&text);
        const quint64 token = nextWord(&text).toULongLong(); // 0: to look
        if (!readGrant(id, token) && token != 0 && m_onUnwanted)
            m_onUnwanted(text, id);
    } else if (what == "ask" || what == "lost") {
        tellHolder(message);
    }
}

/// False: it has ended.
bool RedisMail::readGrant(const QByteArray &id, quint64 token)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_letters.find(id);
    if (found == m_letters.end())
        return false;
    Letter &letter = *found->second;
    if (token != 0) {
        letter.m_onGrant(token);
        letter.m_token = token;
    }
    letter.m_isNew = true;
    letter.m_wait.wake();
    return true;
}

void RedisMail::tellHolder(const QByteArray &message)
{
    QByteArray text = message;
    const QByteArray what = nextWord(&text);
    LockStore::Lease lease;
    lease.token = nextWord(&text).toULongLong();
    if (what == "lost") {
        lease.resource = text;
        if (m_listener.onLost)
            m_listener.onLost(lease, LossReason::TakenOver);
        return;
    }
    const auto length = nextWord(&text).toLongLong();
    lease.resource = text.left(length);
    if (m_listener.onAsked)
        m_listener.onAsked(lease, QString::fromUtf8(text.mid(length)));
}

void RedisMail::wakeAll()
{
    const std::lock_guard lock(m_mutex);
    for (const auto &[id, letter] : m_letters) {
        letter->m_isNew = true;
        letter->m_wait.wake();
    }
}

} // namespace lockscope::detail
