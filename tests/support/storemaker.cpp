// SPDX-License-Identifier: MIT
#include "storemaker.h"

#include "sources/storeaddress.h"
#ifdef LOCKSCOPE_HAS_ZOOKEEPER
#    include "lockscope/zookeeperstore.h"
#endif

namespace lockscope::test {

std::shared_ptr<LockStore> makeTestStore(const QString &url, [[maybe_unused]] std::chrono::milliseconds shortestTtl)
{
    if (!isStore(url) || !wrongStore(url).isEmpty())
        qFatal("%ls is no address of a store", qUtf16Printable(url));
#ifdef LOCKSCOPE_HAS_ZOOKEEPER
    if (storeKind(url) == StoreKind::ZooKeeper) {
        ZooKeeperConfig config;
        QString ignored;
        ZooKeeperUrl::parse(url, &config.server, &ignored);
        config.sessionTimeout = shortestTtl;
        config.connectTimeout = std::chrono::seconds(10); // the time for which a process is frozen counts
        return std::make_shared<ZooKeeperStore>(config);
    }
#endif
    return makeStore(url, {});
}

} // namespace lockscope::test
