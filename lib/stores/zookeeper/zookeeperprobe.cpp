// SPDX-License-Identifier: MIT
#include "zookeeperprobe.h"

#include "zookeepererror.h"

#include <QtCore/QDeadlineTimer>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <utility>
#include <vector>

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace lockscope::detail {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kLongest = 1s;
/// Once one has answered: those that are well have by then, too.
constexpr std::chrono::milliseconds kForOthers = 100ms;

/// A command of ZooKeeper's that every one since 3.5 answers, if only by refusing it. The line's end is for strangers.
/// ClickHouse Keeper speaks its protocol.
constexpr QByteArrayView kQuestion = "srvr\n";
constexpr std::array<QByteArrayView, 4> kAnswers{
    "Zookeeper version: ", "ClickHouse Keeper version: ", "This ZooKeeper instance is not currently",
    "srvr is not executed because"};

enum class Verdict { Open, ZooKeeper, Stranger };

Verdict verdictOn(const QByteArray &answer)
{
    if (answer.isEmpty())
        return Verdict::Open;
    for (const QByteArrayView known : kAnswers) {
        if (answer.startsWith(known))
            return Verdict::ZooKeeper;
        if (known.startsWith(answer))
            return Verdict::Open;
    }
    return Verdict::Stranger;
}

/// One address of a host; `place` names that host alone.
class Candidate
{
public:
    Candidate(ZooKeeperUrl place, const addrinfo &address)
        : m_place(std::move(place))
        , m_socket(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0))
    {
        if (m_socket >= 0 && ::connect(m_socket, address.ai_addr, address.ai_addrlen) != 0 && errno != EINPROGRESS)
            close();
    }
    ~Candidate() { close(); }
    Candidate(const Candidate &) = delete;
    Candidate &operator=(const Candidate &) = delete;

    QString place() const { return m_place.toString(); }
    pollfd toPoll() const { return {m_socket, short(m_isAsked ? POLLIN : POLLOUT), 0}; } // a closed one is left out
    bool isDone() const { return m_socket < 0; }

    /// Asks, or hears, without waiting.
    Verdict goOn()
    {
        if (!m_isAsked) {
            m_isAsked = true;
            if (::send(m_socket, kQuestion.data(), std::size_t(kQuestion.size()), MSG_NOSIGNAL) != kQuestion.size())
                close();
            return Verdict::Open;
        }
        std::array<char, 64> part = {};
        const auto size = ::recv(m_socket, part.data(), part.size(), 0);
        m_answer.append(part.data(), std::max<qsizetype>(0, size));
        const Verdict verdict = verdictOn(m_answer);
        const bool isCutShort = size <= 0 && !m_answer.isEmpty();
        if (size <= 0 || verdict != Verdict::Open)
            close();
        return isCutShort ? Verdict::Stranger : verdict;
    }

private:
    void close()
    {
        if (m_socket >= 0)
            ::close(std::exchange(m_socket, -1));
    }

    const ZooKeeperUrl m_place;
    int m_socket = -1;
    bool m_isAsked = false;
    QByteArray m_answer;
};

using Candidates = std::vector<std::unique_ptr<Candidate>>;

/// A name without an address is not told here.
Candidates candidatesOf(const ZooKeeperUrl &server)
{
    Candidates all;
    addrinfo hints = {};
    hints.ai_socktype = SOCK_STREAM;
    for (const ZooKeeperUrl::Host &host : server.hosts) {
        addrinfo *found = nullptr;
        const QByteArray port = QByteArray::number(host.port);
        if (::getaddrinfo(host.name.toUtf8().constData(), port.constData(), &hints, &found) != 0)
            continue;
        ZooKeeperUrl place = server;
        place.hosts = {host};
        for (const addrinfo *address = found; address; address = address->ai_next)
            all.push_back(std::make_unique<Candidate>(place, *address));
        ::freeaddrinfo(found);
    }
    return all;
}

} // namespace

std::optional<LockError> findStranger(const ZooKeeperUrl &server, std::chrono::milliseconds limit)
{
    const Candidates all = candidatesOf(server);
    QDeadlineTimer deadline(std::min(limit, kLongest));
    const auto isOpen = [](const auto &candidate) { return !candidate->isDone(); };
    while (!deadline.hasExpired() && std::any_of(all.begin(), all.end(), isOpen)) {
        std::vector<pollfd> polled;
        for (const auto &candidate : all)
            polled.push_back(candidate->toPoll());
        if (::poll(polled.data(), polled.size(), int(deadline.remainingTime())) < 0 && errno != EINTR)
            break;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Verdict verdict = polled[i].revents != 0 ? all[i]->goOn() : Verdict::Open;
            if (verdict == Verdict::Stranger)
                return zooKeeperUnavailable(
                    QStringLiteral("What answers at %1 is no ZooKeeper. Is the address right?").arg(all[i]->place()));
            if (verdict == Verdict::ZooKeeper && deadline.remainingTimeAsDuration() > kForOthers)
                deadline.setRemainingTime(kForOthers);
        }
    }
    return std::nullopt;
}

} // namespace lockscope::detail
