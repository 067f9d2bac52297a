// SPDX-License-Identifier: MIT
// Who listens at a port of this machine, by what the kernel says. Inline: the stores, each a library of its own, ask
// too.
#pragma once

#include <QtCore/QFile>
#include <QtCore/QList>
#include <QtCore/QString>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include <arpa/inet.h>
#include <sys/types.h>
#include <unistd.h>

namespace lockscope {

/// Whether what an account runs may be shown a password: root, an account of the system or `own`. Anybody else may
/// listen at an address of this machine in place of a server.
inline bool isTrustedAccount(uid_t account, uid_t own)
{
    constexpr uid_t firstPerson = 1000; // Debian's and most other systems' persons begin here
    return account < firstPerson || account == own;
}

namespace detail {

/// As IPv6 writes it, an address of IPv4 too.
using ListeningAddress = std::array<unsigned char, 16>;

inline std::optional<ListeningAddress> listeningAddressOf(const QString &host)
{
    const QByteArray text = host.toLatin1();
    ListeningAddress address = {};
    if (::inet_pton(AF_INET6, text.constData(), address.data()) == 1)
        return address;
    address[10] = address[11] = 0xff;
    return ::inet_pton(AF_INET, text.constData(), &address[12]) == 1 ? std::optional(address) : std::nullopt;
}

/// Where a connection to the loopback address `host` may arrive.
inline std::vector<ListeningAddress> listeningAddressesOf(const QString &host)
{
    std::vector<ListeningAddress> all;
    const bool isEither = host == QLatin1String("localhost");
    for (const QString &each :
         isEither ? QStringList{QStringLiteral("127.0.0.1"), QStringLiteral("::1")} : QStringList{host}) {
        if (const auto address = listeningAddressOf(each))
            all.push_back(*address);
    }
    return all;
}

/// The kernel writes an address as numbers of 32 bits.
inline std::optional<ListeningAddress> listeningAddressIn(const QByteArray &digits)
{
    ListeningAddress address = {};
    const bool isV4 = digits.size() == 8;
    if (!isV4 && digits.size() != 32)
        return std::nullopt;
    if (isV4)
        address[10] = address[11] = 0xff;
    for (qsizetype at = 0; at < digits.size(); at += 8) {
        bool isNumber = false;
        const quint32 word = digits.mid(at, 8).toUInt(&isNumber, 16);
        if (!isNumber)
            return std::nullopt;
        std::memcpy(&address[std::size_t(isV4 ? 12 : at / 2)], &word, sizeof word);
    }
    return address;
}

inline bool takesOneOf(const ListeningAddress &listening, const std::vector<ListeningAddress> &sought)
{
    constexpr ListeningAddress any = {};
    constexpr ListeningAddress anyOfV4 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0};
    return listening == any || listening == anyOfV4
        || std::find(sought.begin(), sought.end(), listening) != sought.end();
}

} // namespace detail

/// The accounts of all who listen where a connection to the loopback address `host`, or to "localhost", may arrive.
/// `tcp` and `tcp6` are open files like /proc/net/tcp and tcp6, in which those who listen come first: no more is read.
inline std::vector<uid_t> accountsListening(QIODevice &tcp, QIODevice &tcp6, const QString &host, int port)
{
    constexpr auto listens = "0A"; // as the kernel writes that state
    std::vector<uid_t> accounts;
    const auto sought = detail::listeningAddressesOf(host);
    for (QIODevice *file : {&tcp, &tcp6}) {
        if (sought.empty() || !file->isOpen())
            continue;
        file->readLine(); // the head
        for (QByteArray line = file->readLine(); !line.isEmpty(); line = file->readLine()) {
            const QList<QByteArray> fields = line.simplified().split(' ');
            if (fields.value(3) != listens)
                break;
            const QList<QByteArray> place = fields.value(1).split(':');
            const auto address = detail::listeningAddressIn(place.value(0));
            bool isNumber = false;
            const uid_t account = fields.value(7).toUInt(&isNumber);
            const bool isThere = address && detail::takesOneOf(*address, sought);
            if (isNumber && isThere && place.value(1).toInt(nullptr, 16) == port)
                accounts.push_back(account);
        }
    }
    return accounts;
}

/// Whose program takes a connection at a port of this machine.
enum class LoopbackListener {
    None,    ///< nobody's that is seen
    Trusted, ///< an account's that may be shown a password
    Anybody
};

/// I/O; seen at the moment, so ask just before connecting.
inline LoopbackListener listenerAt(const QString &host, int port)
{
    QFile tcp(QStringLiteral("/proc/net/tcp"));
    QFile tcp6(QStringLiteral("/proc/net/tcp6")); // not there without IPv6
    if (!tcp.open(QIODevice::ReadOnly))
        return LoopbackListener::Anybody;
    if (!tcp6.open(QIODevice::ReadOnly) && QFile::exists(tcp6.fileName()))
        return LoopbackListener::Anybody;
    const auto accounts = accountsListening(tcp, tcp6, host, port);
    if (accounts.empty())
        return LoopbackListener::None;
    const auto isTrusted = [own = ::geteuid()](uid_t account) { return isTrustedAccount(account, own); };
    return std::all_of(accounts.begin(), accounts.end(), isTrusted) ? LoopbackListener::Trusted
                                                                    : LoopbackListener::Anybody;
}

} // namespace lockscope
