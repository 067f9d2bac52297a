// SPDX-License-Identifier: MIT
#include "storetarget.h"

#include "terminal/password.h"

#ifdef LOCKSCOPE_HAS_ETCD
#    include "lockscope/etcdstore.h"
#    include "sources/etcdsource.h"
#endif
#ifdef LOCKSCOPE_HAS_REDIS
#    include "lockscope/redisstore.h"
#    include "sources/redissource.h"
#endif
#ifdef LOCKSCOPE_HAS_ZOOKEEPER
#    include "lockscope/zookeeperstore.h"
#    include "sources/zookeepersource.h"
#endif

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace lockscope::ctl {

namespace {

/// One kind of store; without functions where lockctl was built without it.
struct StoreKind
{
    QString scheme;
    QString option; ///< of CMake
    QString (*wrong)(const QString &url) = nullptr;
    QString (*name)(const QString &url) = nullptr;
    std::shared_ptr<LockStore> (*store)(const QString &url, const QString &password) = nullptr;
    std::unique_ptr<LockSource> (*source)(const QString &url, const QString &password) = nullptr;
};

/// "h1", "h1:7000", "[::1]:7000"
[[maybe_unused]] QString hostName(const QString &host, int port, int usual)
{
    if (port == usual)
        return host;
    return u"%1:%2"_s.arg(host.contains(u':') ? u'[' + host + u']' : host).arg(port);
}

template<typename Host>
QString hostNames(const QList<Host> &hosts, int usual)
{
    QStringList names;
    for (const Host &host : hosts)
        names.append(hostName(host.name, host.port, usual));
    return names.join(u',');
}

/// What is wrong with the address.
template<typename Url>
QString wrongUrl(const QString &url)
{
    Url parsed;
    QString error;
    return Url::parse(url, &parsed, &error) ? QString() : error;
}

/// Of an address that is not wrong.
template<typename Config>
Config configOf(const QString &url, const QString &password = {})
{
    Config config;
    QString ignored;
    decltype(config.server)::parse(url, &config.server, &ignored);
    config.password = password;
    return config;
}

template<typename Store, typename Config>
std::shared_ptr<LockStore> newStore(const QString &url, const QString &password)
{
    return std::make_shared<Store>(configOf<Config>(url, password));
}

template<typename Source, typename Config>
std::unique_ptr<LockSource> newSource(const QString &url, const QString &password)
{
    return std::make_unique<Source>(configOf<Config>(url, password));
}

StoreKind redis()
{
    StoreKind kind{u"redis://"_s, u"LOCKSCOPE_REDIS"_s};
#ifdef LOCKSCOPE_HAS_REDIS
    kind.wrong = wrongUrl<RedisUrl>;
    kind.name = [](const QString &url) {
        constexpr int usual = 6379;
        const RedisUrl server = configOf<RedisConfig>(url).server;
        return server.socket.isEmpty() ? hostName(server.host, server.port, usual) : server.socket;
    };
    kind.store = newStore<RedisStore, RedisConfig>;
    kind.source = newSource<RedisSource, RedisConfig>;
#endif
    return kind;
}

StoreKind zooKeeper()
{
    StoreKind kind{u"zookeeper://"_s, u"LOCKSCOPE_ZOOKEEPER"_s};
#ifdef LOCKSCOPE_HAS_ZOOKEEPER
    kind.wrong = wrongUrl<ZooKeeperUrl>;
    kind.name = [](const QString &url) {
        constexpr int usual = 2181;
        return hostNames(configOf<ZooKeeperConfig>(url).server.hosts, usual);
    };
    kind.store = newStore<ZooKeeperStore, ZooKeeperConfig>;
    kind.source = newSource<ZooKeeperSource, ZooKeeperConfig>;
#endif
    return kind;
}

StoreKind etcd()
{
    StoreKind kind{u"etcd://"_s, u"LOCKSCOPE_ETCD"_s};
#ifdef LOCKSCOPE_HAS_ETCD
    kind.wrong = wrongUrl<EtcdUrl>;
    kind.name = [](const QString &url) {
        constexpr int usual = 2379;
        const EtcdUrl server = configOf<EtcdConfig>(url).server;
        return server.sockets.isEmpty() ? hostNames(server.hosts, usual) : server.sockets.join(u',');
    };
    kind.store = newStore<EtcdStore, EtcdConfig>;
    kind.source = newSource<EtcdSource, EtcdConfig>;
#endif
    return kind;
}

/// Null: none of them.
const StoreKind *kindOf(const QString &url)
{
    static const std::array kinds{redis(), zooKeeper(), etcd()};
    const auto *const found =
        std::find_if(kinds.begin(), kinds.end(), [&url](const StoreKind &kind) { return url.startsWith(kind.scheme); });
    return found != kinds.end() ? found : nullptr;
}

} // namespace

bool isStore(const QString &url)
{
    return kindOf(url) != nullptr;
}

QString wrongStore(const QString &url)
{
    const StoreKind &kind = *kindOf(url);
    return kind.wrong ? kind.wrong(url)
                      : u"this lockctl was built without what %1 needs (%2)."_s.arg(kind.scheme, kind.option);
}

QString storeName(const QString &url)
{
    return kindOf(url)->name(url);
}

std::shared_ptr<LockStore> makeStore(const QString &url, const QString &password)
{
    return kindOf(url)->store(url, password);
}

std::unique_ptr<LockSource> makeSource(const QString &url, const QString &password)
{
    return kindOf(url)->source(url, password);
}

std::optional<LockError> withStorePassword(
    const QString &url, const QString &password,
    const std::function<std::optional<LockError>(const QString &password)> &connect)
{
    auto error = connect(password);
    if (!error || error->kind != LockError::Kind::AccessDenied || !password.isEmpty() || !canAskForPassword())
        return error;
    const auto asked = askForPassword(u"Password of %1: "_s.arg(url));
    return asked ? connect(*asked) : error;
}

} // namespace lockscope::ctl
