// SPDX-License-Identifier: MIT
#include "storesite.h"

#include "stores/etcd/etcdclient.h"
#include "stores/etcd/etcdnames.h"
#include "stores/nodes/etcdnode.h"

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope::test {

namespace {

constexpr auto kShortest = 2000ms;

class EtcdSite : public StoreSite
{
public:
    void stop() override { m_node.stop(); }
    void kill9() override { m_node.kill9(); }
    QString target() const override { return m_node.url().sockets.first(); }
    std::chrono::milliseconds shortestTtl(const QList<std::chrono::milliseconds> & /*ttls*/) const override
    {
        return kShortest;
    }

    QString url(int port) const override
    {
        EtcdUrl url = m_node.url();
        url.path = m_path;
        if (port > 0) {
            url.sockets.clear();
            url.hosts = {{u"127.0.0.1"_s, port}};
        }
        return url.toString();
    }

protected:
    qint64 pid() const override { return m_node.pid(); }
    std::optional<LockError> startServer() override { return m_node.start(); }
    void beginAt(int number) override { m_path = u"/c%1"_s.arg(number); }

    /// Of requests that no list shows, and what holders were asked.
    QStringList traces() override
    {
        EtcdConfig config;
        config.server = m_node.url();
        detail::EtcdClient client(config);
        const QByteArray path = m_path.toUtf8() + '/';
        QStringList left;
        const auto found = client.call("kv/range", detail::rangeOf(path, detail::endOfPrefix(path)));
        for (const detail::EtcdKey &key : detail::keysIn(found.body))
            left += u"key "_s + QString::fromUtf8(key.key);
        return left;
    }

private:
    EtcdNode m_node;
    QString m_path;
};

} // namespace

std::unique_ptr<StoreSite> makeEtcdSite()
{
    return std::make_unique<EtcdSite>();
}

} // namespace lockscope::test
