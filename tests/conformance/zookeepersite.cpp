// SPDX-License-Identifier: MIT
#include "storesite.h"

#include "gatedzookeeper.h"

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace lockscope::test {

namespace {

/// Short enough to wait for its end, long enough for a busy machine to renew in it.
constexpr auto kShortest = 2000ms;
/// Half of it a holder outlasts the absence of the server.
constexpr auto kLongest = ZooKeeperNode::LongestSession;
constexpr auto kUsual = 8'000ms;

class ZooKeeperSite : public StoreSite
{
public:
    void stop() override { m_node.stop(); }
    void kill9() override { m_node.kill9(); }

    QString target() const override
    {
        const ZooKeeperUrl::Host host = m_node.url().hosts.first();
        return u"%1:%2"_s.arg(host.name).arg(host.port);
    }

    QString url(int port) const override
    {
        ZooKeeperUrl url = m_node.url();
        url.chroot = m_path;
        if (port > 0)
            url.hosts = {{u"127.0.0.1"_s, port}};
        return url.toString();
    }

    /// All leases of a process are of one session.
    std::chrono::milliseconds shortestTtl(const QList<std::chrono::milliseconds> &ttls) const override
    {
        const auto least = std::min_element(ttls.begin(), ttls.end());
        return least == ttls.end() ? kUsual : std::clamp<std::chrono::milliseconds>(*least, kShortest, kLongest);
    }

protected:
    qint64 pid() const override { return m_node.pid(); }
    std::optional<LockError> startServer() override { return m_node.start(); }
    void beginAt(int number) override { m_path = u"/c%1"_s.arg(number); }
    QStringList traces() override { return {}; }

private:
    GatedZooKeeper m_node;
    QString m_path;
};

} // namespace

std::unique_ptr<StoreSite> makeZooKeeperSite()
{
    return std::make_unique<ZooKeeperSite>();
}

} // namespace lockscope::test
