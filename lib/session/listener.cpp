// SPDX-License-Identifier: MIT
#include "listener.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include <arpa/inet.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

/// Debian's and most other systems' persons begin here.
constexpr uid_t kFirstPerson = 1000;
/// As /proc/net/tcp writes it.
constexpr auto kListens = "0A";

using Address = std::array<unsigned char, 16>;

/// As IPv6 writes it, an address of IPv4 too.
std::optional<Address> addressOf(const QString &host)
{
    const QByteArray text = host.toLatin1();
    Address address = {};
    if (::inet_pton(AF_INET6, text.constData(), address.data()) == 1)
        return address;
    address[10] = address[11] = 0xff;
    return ::inet_pton(AF_INET, text.constData(), &address[12]) == 1 ? std::optional(address) : std::nullopt;
}

/// The kernel writes an address as numbers of 32 bits.
std::optional<Address> addressIn(const QByteArray &digits)
{
    Address address = {};
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

bool takes(const Address &listening, const Address &sought)
{
    constexpr Address any = {};
    constexpr Address anyOfV4 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0};
    return listening == sought || listening == any || listening == anyOfV4;
}

void addListening(QIODevice &file, const Address &sought, int port, std::vector<uid_t> *accounts)
{
    file.readLine(); // the head
    for (QByteArray line = file.readLine(); !line.isEmpty(); line = file.readLine()) {
        const QList<QByteArray> fields = line.simplified().split(' ');
        if (fields.value(3) != kListens)
            return;
        const QList<QByteArray> place = fields.value(1).split(':');
        const auto address = addressIn(place.value(0));
        bool isNumber = false;
        const uid_t account = fields.value(7).toUInt(&isNumber);
        if (isNumber && address && takes(*address, sought) && place.value(1).toInt(nullptr, 16) == port)
            accounts->push_back(account);
    }
}

bool isTrustedPort(const QString &host, int port, uid_t own)
{
    QFile tcp(u"/proc/net/tcp"_s);
    QFile tcp6(u"/proc/net/tcp6"_s); // not there without IPv6
    if (!tcp.open(QIODevice::ReadOnly))
        return false;
    if (!tcp6.open(QIODevice::ReadOnly) && QFile::exists(tcp6.fileName()))
        return false;
    const auto accounts = accountsListening(tcp, tcp6, host, port);
    return !accounts.empty()
        && std::all_of(accounts.begin(), accounts.end(), [own](uid_t one) { return isTrustedAccount(one, own); });
}

/// Of a file, or of a folder in which nobody else can exchange what is in it.
bool isTrustedFile(const QString &path, uid_t own)
{
    struct stat info = {};
    if (::lstat(QFile::encodeName(path).constData(), &info) != 0 || !isTrustedAccount(info.st_uid, own))
        return false;
    return !S_ISDIR(info.st_mode) || (info.st_mode & S_IWOTH) == 0 || (info.st_mode & S_ISVTX) != 0;
}

/// Where the client library looks for "localhost", whatever the port.
QString defaultSocket()
{
    return qEnvironmentVariable("MYSQL_UNIX_PORT", u"/run/mysqld/mysqld.sock"_s);
}

} // namespace

bool isTrustedAccount(uid_t account, uid_t own)
{
    return account < kFirstPerson || account == own;
}

std::vector<uid_t> accountsListening(QIODevice &tcp, QIODevice &tcp6, const QString &host, int port)
{
    std::vector<uid_t> accounts;
    const auto sought = addressOf(host);
    for (QIODevice *file : {&tcp, &tcp6}) {
        if (sought && file->isOpen())
            addListening(*file, *sought, port, &accounts);
    }
    return accounts;
}

QString trustedSocket(const QString &path, uid_t own)
{
    const QString real = QFileInfo(path).canonicalFilePath();
    if (real.isEmpty() || QFile::encodeName(real).size() >= qsizetype(sizeof sockaddr_un::sun_path))
        return {};
    for (QString part = real; part != u"/"_s; part = QFileInfo(part).path()) {
        if (!isTrustedFile(part, own))
            return {};
    }
    return real;
}

TrustedWay trustedWay(const ServerUrl &url)
{
    const uid_t own = ::geteuid();
    if (url.socket.isEmpty() && url.host != "localhost"_L1)
        return {url.isLocal() && isTrustedPort(url.host, url.port, own), {}};
    const QString socket = trustedSocket(url.socket.isEmpty() ? defaultSocket() : url.socket, own);
    return {!socket.isEmpty(), socket};
}

} // namespace lockscope
