// SPDX-License-Identifier: MIT
// Redlock as its author has it: the majority of several Redis that know nothing of each other.
#include "labevent.h"
#include "labpolling.h"
#include "labredis.h"

#include <QtCore/QRandomGenerator>

#include <thread>

namespace lockscope {

using detail::RedisValue;
using namespace std::chrono_literals;

namespace {

/// All nodes together have so long to answer.
constexpr auto kPatience = 50ms;
/// Who tries again at once meets those whom it met before.
constexpr int kShortestRest = 5; // ms
constexpr int kLongestRest = 60;

class Redlock : public RedisLock
{
public:
    explicit Redlock(const LabShared &shared)
        : RedisLock(shared)
    {
        for (const QString &node : nodes().addresses)
            m_nodes.push_back(std::make_unique<LabRedis>(node, nodes().password, kPatience));
    }

    Entry enter(const QByteArray &resource, Duration wait, const std::stop_token &stop) override
    {
        m_key = keyOf(resource);
        return pollForLock(
            wait, stop,
            [this](bool *isOurs) {
                *isOurs = tryOnce();
                return std::optional<LockError>();
            },
            [] {
                const int rest = QRandomGenerator::global()->bounded(kShortestRest, kLongestRest);
                std::this_thread::sleep_for(std::chrono::milliseconds(rest));
            });
    }

    bool leave() override { return isMajority(deleteEverywhere()); }

private:
    bool tryOnce()
    {
        const qint64 begun = LabEvent::now();
        const auto isOk = [](const RedisValue &value) { return value.bytes == "OK"; };
        const int granted = askAll({"SET", m_key, self(), "NX", "PX", ttlInMilliseconds()}, isOk);
        const Duration drift = plan().ttl / 100 + 2ms; // of the nodes' clocks
        setHeldUntil(begun + (plan().ttl - drift).count());
        if (isMajority(granted) && LabEvent::now() < heldUntil())
            return true;
        deleteEverywhere();
        return false;
    }

    /// Also where nothing was answered: it may have been carried out.
    int deleteEverywhere()
    {
        const auto isOne = [](const RedisValue &value) { return value.integer == 1; };
        return askAll({"EVAL", kDeleteOwn, "1", m_key, self()}, isOne);
    }

    bool isMajority(int count) const { return count > int(m_nodes.size()) / 2; }

    /// All at once; a node that hangs costs its time once, not once for each. How many gave a good answer.
    template<typename IsGood>
    int askAll(const QByteArrayList &words, IsGood isGood)
    {
        const QDeadlineTimer deadline(kPatience);
        std::vector<detail::RedisConnection *> asked;
        for (const auto &node : m_nodes) {
            LockError ignored;
            detail::RedisConnection *connection = node->get(&ignored);
            asked.push_back(connection && connection->send(words) ? connection : nullptr);
        }
        int good = 0;
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            const auto left = std::max<qint64>(1, deadline.remainingTime()); // what has come is read in any case
            const auto value = asked[i] ? asked[i]->receive(QDeadlineTimer(left)) : std::nullopt;
            good += value && isGood(*value);
            if (!value)
                m_nodes[i]->drop(); // a late answer would be taken for the next one's
        }
        return good;
    }

    std::vector<std::unique_ptr<LabRedis>> m_nodes;
    QByteArray m_key;
};

} // namespace

std::unique_ptr<LabLock> makeRedlock(const LabShared &shared)
{
    return std::make_unique<Redlock>(shared);
}

} // namespace lockscope
