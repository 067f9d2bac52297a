// SPDX-License-Identifier: MIT
#include "faultyproxy.h"

#include <QtCore/QFile>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace lockscope {

namespace {

sockaddr_un addressOf(const QByteArray &path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    // A path that is too long is cut off, and then nothing is to be had there.
    const std::size_t length = std::min(std::size_t(path.size()), sizeof address.sun_path - 1);
    std::memcpy(address.sun_path, path.constData(), length);
    return address;
}

constexpr char kLoopback[] = "127.0.0.1:";

sockaddr_in loopbackAt(int port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(quint16(port));
    return address;
}

template<typename Address>
int connectTo(const Address &address)
{
    const int socket = ::socket(reinterpret_cast<const sockaddr *>(&address)->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::connect(socket, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0)
        return socket;
    ::close(socket);
    return -1;
}

int connectToTarget(const QByteArray &target)
{
    return target.startsWith(kLoopback) ? connectTo(loopbackAt(target.mid(sizeof kLoopback - 1).toInt()))
                                        : connectTo(addressOf(target));
}

/// No piece waits for the next. Fails on a Unix socket, which knows no such wait.
void sendAtOnce(int socket)
{
    const int now = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &now, sizeof now);
}

} // namespace

FaultyProxy::FaultyProxy(const QString &listenPath, const QString &target, Inspect inspect)
    : m_listenPath(QFile::encodeName(listenPath))
    , m_target(QFile::encodeName(target))
    , m_inspect(std::move(inspect))
    , m_wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    listen();
    m_thread = std::thread([this] { run(); });
}

FaultyProxy::FaultyProxy(const QString &target)
    : FaultyProxy({}, target)
{
}

bool FaultyProxy::isPort(const QString &address)
{
    return address.startsWith(QLatin1StringView(kLoopback));
}

FaultyProxy::~FaultyProxy()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    wakeUp();
    m_thread.join();
    closeAll();
    stopListening();
    ::close(m_wake);
}

void FaultyProxy::setState(State state)
{
    std::unique_lock lock(m_mutex);
    m_wanted = state;
    const int asked = ++m_asked;
    wakeUp();
    m_applied.wait(lock, [&] { return m_done >= asked; });
}

/// The sides send little and read at once, so a blocking write does not hold the others up.
bool FaultyProxy::send(int to, const QByteArray &bytes)
{
    for (qsizetype sent = 0; sent < bytes.size();) {
        const ssize_t part = ::send(to, bytes.constData() + sent, std::size_t(bytes.size() - sent), MSG_NOSIGNAL);
        if (part <= 0)
            return false;
        sent += part;
    }
    return true;
}

void FaultyProxy::wakeUp() const
{
    ::eventfd_write(m_wake, 1);
}

void FaultyProxy::listen()
{
    m_listener = ::socket(m_listenPath.isEmpty() ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (!bindTo(m_listener) || ::listen(m_listener, 256) != 0) {
        ::close(m_listener);
        m_listener = -1;
    }
    m_isListening = m_listener >= 0;
}

bool FaultyProxy::bindTo(int socket)
{
    if (!m_listenPath.isEmpty()) {
        const sockaddr_un address = addressOf(m_listenPath);
        return std::size_t(m_listenPath.size()) < sizeof address.sun_path
            && ::bind(socket, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0;
    }
    sockaddr_in address = loopbackAt(m_port); // the same one again after a cut
    const int again = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &again, sizeof again);
    socklen_t size = sizeof address;
    if (::bind(socket, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0
        || ::getsockname(socket, reinterpret_cast<sockaddr *>(&address), &size) != 0)
        return false;
    m_port = ntohs(address.sin_port);
    return true;
}

void FaultyProxy::stopListening()
{
    if (m_listener < 0)
        return;
    ::close(m_listener);
    m_listener = -1;
    if (!m_listenPath.isEmpty())
        ::unlink(m_listenPath.constData());
}

void FaultyProxy::run()
{
    for (;;) {
        State wanted = State::Open;
        int asked = 0;
        {
            const std::lock_guard lock(m_mutex);
            if (m_ends)
                return;
            wanted = m_wanted;
            asked = m_asked;
        }
        apply(wanted);
        {
            const std::lock_guard lock(m_mutex);
            m_now = wanted;
            m_done = asked;
        }
        m_applied.notify_all();
        serve();
    }
}

void FaultyProxy::apply(State state)
{
    if (state == State::Cut || state == State::Reset)
        closeAll();
    if (state == State::Forgets) {
        m_forgotten.insert(m_forgotten.end(), m_pairs.begin(), m_pairs.end());
        m_pairs.clear();
    }
    if (state == State::Cut)
        stopListening();
    else if (m_listener < 0)
        listen();
}

/// Forwards what is there, until the next change of state.
void FaultyProxy::serve()
{
    for (;;) {
        std::vector<pollfd> fds{{m_wake, POLLIN, 0}};
        const bool isForwarding = m_now != State::Stalled && m_now != State::Cut; // written by this thread only
        if (isForwarding) {
            fds.push_back({m_listener, POLLIN, 0});
            for (const Pair &pair : m_pairs) {
                fds.push_back({pair.client, POLLIN, 0});
                fds.push_back({pair.server, POLLIN, 0});
            }
        }
        if (::poll(fds.data(), fds.size(), isForwarding ? untilNextPiece() : -1) < 0)
            continue;
        if (fds[0].revents != 0) {
            eventfd_t ignored = 0;
            ::eventfd_read(m_wake, &ignored);
            return;
        }
        deliver();
        for (std::size_t i = 2; i + 1 < fds.size(); i += 2) {
            Pair &pair = m_pairs[(i - 2) / 2];
            const bool lives = (fds[i].revents == 0 || forward(pair.client, pair.server))
                && (fds[i + 1].revents == 0 || forward(pair.server, pair.client));
            if (!lives)
                close(pair);
        }
        std::erase_if(m_pairs, [](const Pair &pair) { return pair.client < 0; });
        if (fds[1].revents != 0)
            accept();
    }
}

/// In milliseconds, rounded up; -1 = nothing is on its way.
int FaultyProxy::untilNextPiece() const
{
    if (m_pieces.empty())
        return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(m_pieces.front().due - Clock::now());
    return int(std::max<qint64>(0, left.count()));
}

/// What is due; all of it once the network is no longer slow, so that nothing is overtaken.
void FaultyProxy::deliver()
{
    while (!m_pieces.empty() && (m_now != State::Slow || m_pieces.front().due <= Clock::now())) {
        const Piece piece = std::move(m_pieces.front());
        m_pieces.pop_front();
        send(piece.to, piece.bytes); // to one that has gone: its pair is closed when its end is read
    }
}

void FaultyProxy::accept()
{
    const int client = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0)
        return;
    ++m_accepted;
    const int server = connectToTarget(m_target);
    if (server < 0) {
        ::close(client);
        return;
    }
    sendAtOnce(client);
    sendAtOnce(server);
    m_pairs.push_back({client, server});
}

/// One piece. False: the side that sent it has gone, or the other.
bool FaultyProxy::forward(int from, int to)
{
    std::array<char, 65536> buffer{};
    const ssize_t got = ::read(from, buffer.data(), buffer.size());
    if (got <= 0)
        return false;
    const QByteArray bytes(buffer.data(), qsizetype(got));
    if (m_inspect && !m_inspect(bytes, from, to))
        return false;
    if (m_now != State::Slow)
        return send(to, bytes);
    m_pieces.push_back({Clock::now() + Delay, to, bytes});
    return true;
}

void FaultyProxy::close(Pair &pair)
{
    std::erase_if(m_pieces, [&pair](const Piece &piece) { return piece.to == pair.client || piece.to == pair.server; });
    ::close(pair.client);
    ::close(pair.server);
    pair = {};
}

void FaultyProxy::closeAll()
{
    for (std::vector<Pair> *pairs : {&m_pairs, &m_forgotten}) {
        for (Pair &pair : *pairs)
            close(pair);
        pairs->clear();
    }
}

} // namespace lockscope
