#include "faultyproxy.h"

#include <QtCore/QFile>

#include <array>
#include <cstring>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace lockscope::test {

namespace {

sockaddr_un addressOf(const QByteArray &path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (std::size_t(path.size()) >= sizeof address.sun_path)
        qFatal("%s is too long for a socket", path.constData());
    std::memcpy(address.sun_path, path.constData(), std::size_t(path.size()));
    return address;
}

int connectTo(const QByteArray &path)
{
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_un address = addressOf(path);
    if (::connect(socket, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0)
        return socket;
    ::close(socket);
    return -1;
}

} // namespace

FaultyProxy::FaultyProxy(const QString &listenPath, const QString &targetPath)
    : m_listenPath(QFile::encodeName(listenPath))
    , m_targetPath(QFile::encodeName(targetPath))
    , m_wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    listen();
    m_thread = std::thread([this] { run(); });
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
    wakeUp();
    m_applied.wait(lock, [&] { return m_now == state; });
}

void FaultyProxy::wakeUp() const
{
    ::eventfd_write(m_wake, 1);
}

void FaultyProxy::listen()
{
    m_listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_un address = addressOf(m_listenPath);
    if (::bind(m_listener, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0
        || ::listen(m_listener, 256) != 0)
        qFatal("Cannot listen on %s", m_listenPath.constData());
}

void FaultyProxy::stopListening()
{
    if (m_listener < 0)
        return;
    ::close(m_listener);
    m_listener = -1;
    ::unlink(m_listenPath.constData());
}

void FaultyProxy::run()
{
    for (;;) {
        State wanted = State::Open;
        {
            const std::lock_guard lock(m_mutex);
            if (m_ends)
                return;
            wanted = m_wanted;
        }
        apply(wanted);
        {
            const std::lock_guard lock(m_mutex);
            m_now = wanted;
        }
        m_applied.notify_all();
        serve();
    }
}

void FaultyProxy::apply(State state)
{
    if (state == State::Cut || state == State::Reset)
        closeAll();
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
        if (m_now != State::Stalled && m_now != State::Cut) { // read here only by the thread that writes it
            fds.push_back({m_listener, POLLIN, 0});
            for (const Pair &pair : m_pairs) {
                fds.push_back({pair.client, POLLIN, 0});
                fds.push_back({pair.server, POLLIN, 0});
            }
        }
        if (::poll(fds.data(), fds.size(), -1) < 0)
            continue;
        if (fds[0].revents != 0) {
            eventfd_t ignored = 0;
            ::eventfd_read(m_wake, &ignored);
            return;
        }
        for (std::size_t i = 2; i + 1 < fds.size(); i += 2) {
            Pair &pair = m_pairs[(i - 2) / 2];
            const bool lives = (fds[i].revents == 0 || forward(pair.client, pair.server))
                && (fds[i + 1].revents == 0 || forward(pair.server, pair.client));
            if (!lives) {
                ::close(pair.client);
                ::close(pair.server);
                pair = {};
            }
        }
        std::erase_if(m_pairs, [](const Pair &pair) { return pair.client < 0; });
        if (fds[1].revents != 0)
            accept();
    }
}

void FaultyProxy::accept()
{
    const int client = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0)
        return;
    const int server = connectTo(m_targetPath);
    if (server < 0)
        ::close(client);
    else
        m_pairs.push_back({client, server});
}

/// One piece. The sides send little and read at once, so a blocking write does not hold the others up.
bool FaultyProxy::forward(int from, int to)
{
    std::array<char, 65536> buffer{};
    const ssize_t got = ::read(from, buffer.data(), buffer.size());
    if (got <= 0)
        return false;
    for (ssize_t sent = 0; sent < got;) {
        const ssize_t part = ::send(to, buffer.data() + sent, std::size_t(got - sent), MSG_NOSIGNAL);
        if (part <= 0)
            return false;
        sent += part;
    }
    return true;
}

void FaultyProxy::closeAll()
{
    for (const Pair &pair : m_pairs) {
        ::close(pair.client);
        ::close(pair.server);
    }
    m_pairs.clear();
}

} // namespace lockscope::test
