// SPDX-License-Identifier: MIT
// The lock of ZooKeeper's textbooks that its own documentation warns of: one ephemeral node, which everybody tries to
// make and everybody watches. None of this is the engine.
#include "labpolling.h"
#include "labstores.h"
#include "labzookeeper.h"
#include "stores/zookeeper/zookeepererror.h"
#include "stores/zookeeper/zookeepernames.h"

namespace lockscope {

using detail::ZooKeeperFlight;
using detail::ZooKeeperSession;
using namespace std::chrono_literals;

namespace {

/// Of a wait: so that its budget and its end are looked at.
constexpr auto kLookAgain = 100ms;

class HerdLock : public LabLock
{
public:
    explicit HerdLock(const LabShared &shared)
        : m_session(shared.target)
        , m_zooKeeper(labZooKeeperConfig(shared.plan, shared.nodes))
    {
    }

    Entry enter(const QByteArray &resource, Duration wait, const std::stop_token &stop) override
    {
        m_path = "/herd-" + detail::partOf(resource);
        return pollForLock(
            wait, stop, [this](bool *isOurs) { return tryOnce(isOurs); }, [this] { rest(); });
    }

    /// Nothing tells it that its session has ended, so it believes in it to the end of its work.
    bool work(const Job &job) override
    {
        m_session.work(job);
        return true;
    }

    bool leave() override
    {
        ZooKeeperSession *session = m_zooKeeper.current();
        if (!session)
            return false;
        ZooKeeperFlight flight(*session);
        flight.remove(m_path, -1);
        flight.wait();
        const int code = flight[0].code;
        if (code != 0 && !detail::isNodeMissing(code))
            m_zooKeeper.drop(); // and with it the node, if that is still ours
        return code == 0;
    }

private:
    std::optional<LockError> tryOnce(bool *isOurs)
    {
        LockError error;
        ZooKeeperSession *session = m_zooKeeper.get(&error);
        if (!session)
            return error;
        ZooKeeperFlight flight(*session);
        flight.create(m_path, {}, ZooKeeperFlight::Node::Ephemeral);
        flight.wait();
        const int code = flight[0].code;
        *isOurs = code == 0;
        if (*isOurs || detail::isNodeThere(code))
            return std::nullopt;
        m_zooKeeper.drop(); // it may be ours after all, and nobody would ever remove it
        return detail::zooKeeperError(code, "lab/create");
    }

    /// All who wait are woken at once.
    void rest()
    {
        ZooKeeperSession *session = m_zooKeeper.current();
        if (!session)
            return;
        m_zooKeeper.muffle();
        ZooKeeperFlight flight(*session);
        flight.get(m_path, true);
        flight.wait();
        if (flight[0].code == 0)
            m_zooKeeper.waitForBell(kLookAgain);
    }

    LabSession m_session;
    LabZooKeeper m_zooKeeper;
    QByteArray m_path;
};

} // namespace

std::unique_ptr<LabLock> makeHerdLock(const LabShared &shared)
{
    return std::make_unique<HerdLock>(shared);
}

} // namespace lockscope
