// SPDX-License-Identifier: MIT
#include "storeaddress.h"

#include "console/serveraccess.h"

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

#include <QtCore/QSettings>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace lockscope {

namespace {

/// What can be done with addresses of one kind; without functions where this program was built without it.
struct Scheme
{
    StoreKind kind;
    QString begin;
    QString option; ///< of CMake
    QString title;
    QString (*wrong)(const QString &url) = nullptr;
    QString (*whole)(const QString &url) = nullptr;
    QString (*name)(const QString &url) = nullptr;
    QString (*user)(const QString &url) = nullptr;
    QList<ServerUrl> (*places)(const QString &url) = nullptr; ///< of its hosts or sockets; nothing else is set
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

[[maybe_unused]] ServerUrl placeAt(const QString &host, int port)
{
    ServerUrl place;
    place.host = host;
    place.port = port;
    return place;
}

[[maybe_unused]] ServerUrl placeAt(const QString &socket)
{
    ServerUrl place;
    place.socket = socket;
    return place;
}

template<typename Host>
QList<ServerUrl> placesOf(const QList<Host> &hosts)
{
    QList<ServerUrl> places;
    for (const Host &host : hosts)
        places.append(placeAt(host.name, host.port));
    return places;
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

template<typename Store, typename Source, typename Config>
void complete(Scheme *scheme)
{
    scheme->wrong = [](const QString &url) {
        Config config;
        QString error;
        return decltype(config.server)::parse(url, &config.server, &error) ? QString() : error;
    };
    scheme->whole = [](const QString &url) { return configOf<Config>(url).server.toString(); };
    scheme->user = [](const QString &url) { return configOf<Config>(url).server.user; };
    scheme->store = [](const QString &url, const QString &password) -> std::shared_ptr<LockStore> {
        return std::make_shared<Store>(configOf<Config>(url, password));
    };
    scheme->source = [](const QString &url, const QString &password) -> std::unique_ptr<LockSource> {
        return std::make_unique<Source>(configOf<Config>(url, password));
    };
}

Scheme redis()
{
    Scheme scheme{StoreKind::Redis, u"redis://"_s, u"LOCKSCOPE_REDIS"_s, u"Redis"_s};
#ifdef LOCKSCOPE_HAS_REDIS
    complete<RedisStore, RedisSource, RedisConfig>(&scheme);
    scheme.name = [](const QString &url) {
        constexpr int usual = 6379;
        const RedisUrl server = configOf<RedisConfig>(url).server;
        return server.socket.isEmpty() ? hostName(server.host, server.port, usual) : server.socket;
    };
    scheme.places = [](const QString &url) {
        const RedisUrl server = configOf<RedisConfig>(url).server;
        return QList{server.socket.isEmpty() ? placeAt(server.host, server.port) : placeAt(server.socket)};
    };
#endif
    return scheme;
}

Scheme zooKeeper()
{
    Scheme scheme{StoreKind::ZooKeeper, u"zookeeper://"_s, u"LOCKSCOPE_ZOOKEEPER"_s, u"ZooKeeper"_s};
#ifdef LOCKSCOPE_HAS_ZOOKEEPER
    complete<ZooKeeperStore, ZooKeeperSource, ZooKeeperConfig>(&scheme);
    scheme.name = [](const QString &url) {
        constexpr int usual = 2181;
        return hostNames(configOf<ZooKeeperConfig>(url).server.hosts, usual);
    };
    scheme.places = [](const QString &url) { return placesOf(configOf<ZooKeeperConfig>(url).server.hosts); };
#endif
    return scheme;
}

Scheme etcd()
{
    Scheme scheme{StoreKind::Etcd, u"etcd://"_s, u"LOCKSCOPE_ETCD"_s, u"etcd"_s};
#ifdef LOCKSCOPE_HAS_ETCD
    complete<EtcdStore, EtcdSource, EtcdConfig>(&scheme);
    scheme.name = [](const QString &url) {
        constexpr int usual = 2379;
        const EtcdUrl server = configOf<EtcdConfig>(url).server;
        return server.sockets.isEmpty() ? hostNames(server.hosts, usual) : server.sockets.join(u',');
    };
    scheme.places = [](const QString &url) {
        const EtcdUrl server = configOf<EtcdConfig>(url).server;
        QList<ServerUrl> places = placesOf(server.hosts);
        for (const QString &socket : server.sockets)
            places.append(placeAt(socket));
        return places;
    };
#endif
    return scheme;
}

/// Null: none of them.
const Scheme *schemeOf(const QString &url)
{
    static const std::array schemes{redis(), zooKeeper(), etcd()};
    const auto *const found = std::find_if(schemes.begin(), schemes.end(),
                                           [&url](const Scheme &scheme) { return url.startsWith(scheme.begin); });
    return found != schemes.end() ? found : nullptr;
}

/// And none of them is wrong.
bool areOfOneKind(const QString &a, const QString &b)
{
    const auto isKnown = [](const QString &url) { return isStore(url) && wrongStore(url).isEmpty(); };
    return isKnown(a) && isKnown(b) && storeKind(a) == storeKind(b);
}

/// An address of a cluster may name any of its servers, in any order.
bool haveCommonServer(const QString &a, const QString &b)
{
    if (!areOfOneKind(a, b))
        return false;
    const QList<ServerUrl> others = schemeOf(b)->places(b);
    return std::ranges::any_of(schemeOf(a)->places(a), [&others](const ServerUrl &place) {
        return std::ranges::any_of(others, [&place](const ServerUrl &other) { return isSameServer(place, other); });
    });
}

} // namespace

bool isStore(const QString &url)
{
    return schemeOf(url) != nullptr;
}

StoreKind storeKind(const QString &url)
{
    return schemeOf(url)->kind;
}

QString wrongStore(const QString &url)
{
    const Scheme &scheme = *schemeOf(url);
    return scheme.wrong ? scheme.wrong(url)
                        : u"This program was built without what %1 needs (%2)."_s.arg(scheme.begin, scheme.option);
}

QString storeUrl(const QString &url)
{
    return schemeOf(url)->whole(url);
}

QString storeName(const QString &url)
{
    return schemeOf(url)->name(url);
}

QString storeUser(const QString &url)
{
    return schemeOf(url)->user(url);
}

QString storeTitle(const QString &url)
{
    return schemeOf(url)->title;
}

QString storeKeyringName(const QString &url)
{
    return u"%1@%2 (%3)"_s.arg(storeUser(url), storeName(url), storeTitle(url));
}

bool isSameStore(const QString &a, const QString &b)
{
    return areOfOneKind(a, b) && storeName(a).compare(storeName(b), Qt::CaseInsensitive) == 0;
}

bool isProductionStore(const QSettings &settings, const QString &url)
{
    return hasTaggedEntry(settings, u"url"_s, [&url](const QString &known) { return haveCommonServer(known, url); });
}

bool isProductionStore(const QString &url)
{
    return isProductionStore(QSettings(u"lockscope"_s, u"lockscope"_s), url);
}

std::shared_ptr<LockStore> makeStore(const QString &url, const QString &password)
{
    return schemeOf(url)->store(url, password);
}

std::unique_ptr<LockSource> makeSource(const QString &url, const QString &password)
{
    return schemeOf(url)->source(url, password);
}

} // namespace lockscope
