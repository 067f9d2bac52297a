// SPDX-License-Identifier: MIT
#include "zookeepersession.h"

#include "stores/plainpassword.h"
#include "zookeepererror.h"
#include "zookeeperprobe.h"

#include <QtCore/QLoggingCategory>

#include <zookeeper/zookeeper.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace lockscope::detail {

namespace {

Q_LOGGING_CATEGORY(clientLog, "lockscope.zookeeper.client", QtWarningMsg)

/// The library has a lot to say, and says it to the terminal where nobody listens.
void log(const char *message)
{
    qCDebug(clientLog, "%s", message);
}

/// As the library wants them; it knows no brackets.
QByteArray hostsOf(const ZooKeeperUrl &url)
{
    QByteArrayList hosts;
    for (const ZooKeeperUrl::Host &host : url.hosts)
        hosts.append(host.name.toUtf8() + ':' + QByteArray::number(host.port));
    return hosts.join(',');
}

/// Of servers on this machine, unless plain text was agreed to. The library connects again by itself later, and sends
/// it to whoever listens there then.
std::optional<LockError> refusePassword(const ZooKeeperConfig &config)
{
    if (config.server.user.isEmpty() || config.server.isPlainTextAgreed)
        return std::nullopt;
    return refusePlainPassword(config.server.hosts, QStringLiteral("ZooKeeper"),
                               QStringLiteral("Run it as root, as a system account or as this user."));
}

} // namespace

std::optional<LockError> missingPassword(const ZooKeeperConfig &config)
{
    if (config.server.user.isEmpty() || !config.password.isEmpty())
        return std::nullopt;
    LockError error;
    error.kind = LockError::Kind::AccessDenied;
    error.message =
        QStringLiteral("The ZooKeeper user %1 has no password here, and without it ZooKeeper would take it for "
                       "another user. Give the password, or leave the user out of the URL.")
            .arg(config.server.user);
    return error;
}

ZooKeeperSession::Watch::Watch(ZooKeeperSession &session, QByteArray path, StoreWait &wait)
    : m_session(session)
    , m_path(std::move(path))
    , m_wait(wait)
{
    const std::lock_guard lock(m_session.m_mutex);
    m_session.m_watches.emplace(m_path, this);
}

ZooKeeperSession::Watch::~Watch()
{
    const std::lock_guard lock(m_session.m_mutex);
    const auto [first, last] = m_session.m_watches.equal_range(m_path);
    for (auto it = first; it != last; ++it) {
        if (it->second == this) {
            m_session.m_watches.erase(it);
            return;
        }
    }
}

void ZooKeeperSession::Watch::wait(StoreWait::Clock::time_point until)
{
    m_wait.sleepUntil(until, [this] { return m_isNew.load(); });
}

ZooKeeperSession::ZooKeeperSession(const ZooKeeperConfig &config, Listener listener)
    : m_config(config)
    , m_listener(std::move(listener))
{
}

std::shared_ptr<ZooKeeperSession> ZooKeeperSession::open(const ZooKeeperConfig &config, Listener listener,
                                                         LockError *error)
{
    if (const auto refused = missingPassword(config)) {
        *error = *refused;
        return nullptr;
    }
    if (const auto shown = refusePassword(config)) {
        *error = *shown;
        return nullptr;
    }
    if (const auto stranger = findStranger(config.server, config.connectTimeout)) {
        *error = *stranger;
        return nullptr;
    }
    const std::shared_ptr<ZooKeeperSession> session(new ZooKeeperSession(config, std::move(listener)));
    const auto onSession = [](zhandle_t *, int type, int state, const char *, void *context) {
        if (type == ZOO_SESSION_EVENT)
            static_cast<ZooKeeperSession *>(context)->heardOfSession(state);
    };
    session->m_handle = ::zookeeper_init2(hostsOf(config.server).constData(), onSession,
                                          int(config.sessionTimeout.count()), nullptr, session.get(), 0, log);
    if (!session->m_handle) {
        *error =
            zooKeeperUnavailable(QStringLiteral("No address is known for a host of %1.").arg(config.server.toString()));
        error->serverText = QString::fromLocal8Bit(std::strerror(errno));
        return nullptr;
    }
    if (!config.server.user.isEmpty()) {
        const QByteArray who = config.server.user.toUtf8() + ':' + config.password.toUtf8();
        ::zoo_add_auth(session->m_handle, "digest", who.constData(), int(who.size()), nullptr, nullptr);
    }
    return session;
}

ZooKeeperSession::~ZooKeeperSession()
{
    if (m_handle)
        ::zookeeper_close(m_handle);
}

void ZooKeeperSession::heardOfSession(int state)
{
    bool isEnd = false;
    {
        const std::lock_guard lock(m_mutex);
        m_state = state;
        m_wasConnected = m_wasConnected || state == ZOO_CONNECTED_STATE;
        isEnd = state == ZOO_EXPIRED_SESSION_STATE || state == ZOO_AUTH_FAILED_STATE;
        m_changed.notify_all();
    }
    if (isEnd)
        wake(nullptr);
    m_listener.onChanged();
}

void ZooKeeperSession::heardOfNode(int type, const QByteArray &path)
{
    wake(&path);
    m_listener.onNode(path, type == ZOO_DELETED_EVENT);
}

/// Those who watch the path, or all.
void ZooKeeperSession::wake(const QByteArray *path)
{
    const std::lock_guard lock(m_mutex);
    for (const auto &[watched, watch] : m_watches) {
        if (path && watched != *path)
            continue;
        watch->m_isNew = true;
        watch->m_wait.wake();
    }
}

bool ZooKeeperSession::waitConnected(std::chrono::milliseconds limit)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, limit, [this] {
        return m_state == ZOO_CONNECTED_STATE || m_state == ZOO_EXPIRED_SESSION_STATE
            || m_state == ZOO_AUTH_FAILED_STATE;
    });
    return m_state == ZOO_CONNECTED_STATE;
}

bool ZooKeeperSession::isConnected()
{
    return waitConnected(std::chrono::milliseconds(0));
}

bool ZooKeeperSession::wasConnected()
{
    const std::lock_guard lock(m_mutex);
    return m_wasConnected;
}

bool ZooKeeperSession::isOver()
{
    const std::lock_guard lock(m_mutex);
    return m_state == ZOO_EXPIRED_SESSION_STATE || m_state == ZOO_AUTH_FAILED_STATE;
}

std::optional<LockError> ZooKeeperSession::reach()
{
    if (waitConnected(m_config.connectTimeout))
        return std::nullopt;
    const std::lock_guard lock(m_mutex);
    if (m_state == ZOO_AUTH_FAILED_STATE)
        return zooKeeperError(ZAUTHFAILED, "zookeeper/connect");
    return zooKeeperUnavailable(QStringLiteral("No ZooKeeper answers at %1 within %2 ms, or it has as many connections "
                                               "from this machine as it takes (maxClientCnxns).")
                                    .arg(m_config.server.toString())
                                    .arg(m_config.connectTimeout.count()));
}

std::chrono::milliseconds ZooKeeperSession::timeout() const
{
    return std::chrono::milliseconds(::zoo_recv_timeout(m_handle));
}

/// Where answers go, however late; once the sender has stopped waiting, nobody reads them.
struct ZooKeeperFlight::Board
{
    std::mutex mutex;
    std::condition_variable answered;
    std::vector<ZooKeeperReply> replies;
    std::size_t open = 0;
};

/// One request's, which its answer deletes.
struct ZooKeeperFlight::Slot
{
    std::shared_ptr<Board> board;
    std::size_t number = 0;
    zoo_op_result_t result = {}; ///< the library writes there
};

ZooKeeperFlight::ZooKeeperFlight(ZooKeeperSession &session)
    : m_session(session)
    , m_board(std::make_shared<Board>())
{
}

namespace {

void readStat(const Stat *stat, ZooKeeperReply *reply)
{
    if (!stat)
        return;
    reply->token = stat->czxid;
    reply->madeAt = stat->ctime;
    reply->version = stat->version;
    reply->isEphemeral = stat->ephemeralOwner != 0;
}

} // namespace

/// `send` gets what the library hands to its completions, and returns what the library says.
template<typename Send>
void ZooKeeperFlight::add(const Send &send)
{
    auto slot = std::make_unique<Slot>();
    slot->board = m_board;
    {
        const std::lock_guard lock(m_board->mutex);
        slot->number = m_board->replies.size();
        m_board->replies.emplace_back().code = ZOPERATIONTIMEOUT;
        ++m_board->open;
    }
    Slot *const sent = slot.release();
    if (const int code = send(*sent); code != ZOK)
        settle(sent, code, [](ZooKeeperReply *) {});
}

/// The answer to one request: `read` writes it down.
template<typename Read>
void ZooKeeperFlight::settle(Slot *sent, int code, const Read &read)
{
    const std::unique_ptr<Slot> slot(sent);
    Board &board = *slot->board;
    const std::lock_guard lock(board.mutex);
    ZooKeeperReply &reply = board.replies[slot->number];
    reply.code = code;
    if (code == ZOK)
        read(&reply);
    if (--board.open == 0)
        board.answered.notify_all();
}

ZooKeeperFlight::Slot *ZooKeeperFlight::slotOf(const void *data)
{
    return static_cast<Slot *>(const_cast<void *>(data));
}

void ZooKeeperFlight::create(const QByteArray &path, const QByteArray &data, Node kind)
{
    const int mode = kind == Node::Persistent ? ZOO_PERSISTENT
        : kind == Node::Container             ? ZOO_CONTAINER
        : kind == Node::Ephemeral             ? ZOO_EPHEMERAL
                                              : ZOO_EPHEMERAL_SEQUENTIAL;
    const auto *acl = m_session.config().server.user.isEmpty() ? &ZOO_OPEN_ACL_UNSAFE : &ZOO_CREATOR_ALL_ACL;
    const auto answered = [](int code, const char *made, const Stat *stat, const void *slot) {
        settle(slotOf(slot), code, [&](ZooKeeperReply *reply) {
            reply->text = made;
            readStat(stat, reply);
        });
    };
    add([&](Slot &slot) {
        return ::zoo_acreate2(m_session.m_handle, path.constData(), data.constData(), int(data.size()), acl, mode,
                              answered, &slot);
    });
}

void ZooKeeperFlight::children(const QByteArray &path)
{
    const auto answered = [](int code, const String_vector *names, const void *slot) {
        settle(slotOf(slot), code, [names](ZooKeeperReply *reply) {
            for (int i = 0; i < names->count; ++i)
                reply->names.append(names->data[i]);
        });
    };
    add([&](Slot &slot) { return ::zoo_aget_children(m_session.m_handle, path.constData(), 0, answered, &slot); });
}

void ZooKeeperFlight::get(const QByteArray &path, bool watched)
{
    const auto answered = [](int code, const char *data, int size, const Stat *stat, const void *slot) {
        settle(slotOf(slot), code, [&](ZooKeeperReply *reply) {
            reply->text = size > 0 ? QByteArray(data, size) : QByteArray();
            readStat(stat, reply);
        });
    };
    // Of the node alone: what becomes of the session is told otherwise.
    const auto onNode = [](zhandle_t *, int type, int, const char *changed, void *context) {
        if (type != ZOO_SESSION_EVENT)
            static_cast<ZooKeeperSession *>(context)->heardOfNode(type, changed);
    };
    add([&](Slot &slot) {
        return watched ? ::zoo_awget(m_session.m_handle, path.constData(), onNode, &m_session, answered, &slot)
                       : ::zoo_aget(m_session.m_handle, path.constData(), 0, answered, &slot);
    });
}

void ZooKeeperFlight::set(const QByteArray &path, const QByteArray &data, int version)
{
    const auto answered = [](int code, const Stat *stat, const void *slot) {
        settle(slotOf(slot), code, [stat](ZooKeeperReply *reply) { readStat(stat, reply); });
    };
    add([&](Slot &slot) {
        return ::zoo_aset(m_session.m_handle, path.constData(), data.constData(), int(data.size()), version, answered,
                          &slot);
    });
}

void ZooKeeperFlight::remove(const QByteArray &path, int version)
{
    add([&](Slot &slot) { return ::zoo_adelete(m_session.m_handle, path.constData(), version, settleCode, &slot); });
}

/// A transaction that only checks: reads are answered by one server, which others may have given up.
void ZooKeeperFlight::check(const QByteArray &path)
{
    zoo_op_t operation;
    ::zoo_check_op_init(&operation, path.constData(), -1);
    add([&](Slot &slot) { return ::zoo_amulti(m_session.m_handle, 1, &operation, &slot.result, settleCode, &slot); });
}

void ZooKeeperFlight::sync(const QByteArray &path)
{
    const auto answered = [](int code, const char * /*path*/, const void *slot) { settleCode(code, slot); };
    add([&](Slot &slot) { return ::zoo_async(m_session.m_handle, path.constData(), answered, &slot); });
}

void ZooKeeperFlight::settleCode(int code, const void *slot)
{
    settle(slotOf(slot), code, [](ZooKeeperReply * /*reply*/) {});
}

bool ZooKeeperFlight::wait()
{
    std::unique_lock lock(m_board->mutex);
    const bool isAnswered =
        m_board->answered.wait_for(lock, m_session.config().answerTimeout, [this] { return m_board->open == 0; });
    m_replies = m_board->replies; // a copy: an answer may come later
    return isAnswered;
}

} // namespace lockscope::detail
