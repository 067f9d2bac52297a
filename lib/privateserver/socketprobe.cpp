// SPDX-License-Identifier: MIT
#include "socketprobe.h"

#include <QtCore/QByteArray>
#include <QtCore/QDeadlineTimer>
#include <QtCore/QFile>

#include <cerrno>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace lockscope {

namespace {

class Descriptor
{
public:
    explicit Descriptor(int fd)
        : m_fd(fd)
    {
    }
    ~Descriptor()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    int get() const { return m_fd; }

private:
    int m_fd;
};

bool waitFor(int fd, short events, const QDeadlineTimer &deadline)
{
    pollfd entry{fd, events, 0};
    for (;;) {
        const int ready = ::poll(&entry, 1, static_cast<int>(deadline.remainingTime()));
        if (ready >= 0 || errno != EINTR)
            return ready > 0;
    }
}

/// Does not block: a full backlog of a frozen server would hold a blocking connect() for ever.
bool connectTo(int fd, const QByteArray &path, const QDeadlineTimer &deadline, bool *silent)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.constData(), static_cast<std::size_t>(path.size()));
    for (;;) {
        if (::connect(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0)
            return true;
        *silent = errno == EAGAIN;
        if (errno == EINTR)
            continue;
        if (!*silent || deadline.hasExpired())
            return false;
        ::usleep(10'000);
    }
}

ucred peerOf(int fd)
{
    ucred peer{0, uid_t(-1), gid_t(-1)};
    socklen_t length = sizeof peer;
    ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length);
    return peer;
}

/// The first packet of the protocol: 3 bytes length, a sequence number 0, then protocol 10 and the version, or 255.
void readGreeting(const QByteArray &bytes, SocketProbe *probe)
{
    constexpr char protocolVersion = 10;
    constexpr char errorMarker = static_cast<char>(255);
    const bool framed = bytes.size() > 5 && bytes.at(3) == 0;
    if (!framed || (bytes.at(4) != protocolVersion && bytes.at(4) != errorMarker)) {
        probe->state = SocketProbe::State::Foreign;
        return;
    }
    probe->state = SocketProbe::State::Answering;
    if (bytes.at(4) == protocolVersion)
        probe->version = QString::fromUtf8(bytes.constData() + 5); // ends at the NUL after the version
    if (probe->version.startsWith(QLatin1String("5.5.5-")))
        probe->version.remove(0, 6); // MariaDB's disguise for old replicas
}

} // namespace

SocketProbe probeSocket(const QString &path, std::chrono::milliseconds timeout)
{
    SocketProbe probe;
    const QByteArray name = QFile::encodeName(path);
    if (name.isEmpty() || name.size() > MaxSocketPathBytes)
        return probe;
    const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const QDeadlineTimer deadline(timeout);
    bool silent = false;
    if (socket.get() < 0 || !connectTo(socket.get(), name, deadline, &silent)) {
        probe.state = silent ? SocketProbe::State::Silent : SocketProbe::State::Absent;
        return probe;
    }
    const ucred peer = peerOf(socket.get());
    probe.pid = peer.pid;
    if (peer.uid != ::geteuid()) {
        probe.state = SocketProbe::State::Foreign;
        return probe;
    }
    probe.state = SocketProbe::State::Silent;
    if (!waitFor(socket.get(), POLLIN, deadline))
        return probe;
    QByteArray bytes(256, '\0');
    const ssize_t count = ::read(socket.get(), bytes.data(), static_cast<std::size_t>(bytes.size() - 1));
    if (count <= 0) // a server that shuts down closes at once
        return probe;
    bytes.truncate(static_cast<int>(count));
    readGreeting(bytes, &probe);
    return probe;
}

} // namespace lockscope
