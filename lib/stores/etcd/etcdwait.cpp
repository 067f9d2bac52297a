// SPDX-License-Identifier: MIT
// The wait of an EtcdRequest, from its key to its turn.
#include "etcderror.h"
#include "etcdrequest.h"

#include <algorithm>

namespace lockscope::detail {

namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// A waiter is told; it looks all the same, for an operator may have removed its own key.
constexpr auto kLooksEvery = 30s;
/// Who waits with a longer TTL has this one until its turn: so long a dead one blocks those behind it.
constexpr std::chrono::seconds kWaitingTtl = 30s;
/// A sign of life that was not answered.
constexpr auto kSignAgain = 100ms;
/// Keys below a queue's own are read by so many times more, until one is found that is the queue's.
constexpr int kWiderBy = 16;

/// The queue's keys up to a revision, latest first.
QJsonObject keysUpTo(const QByteArray &prefix, qint64 revision, int limit)
{
    QJsonObject range = rangeOf(prefix, endOfPrefix(prefix));
    range[u"sort_order"_s] = u"DESCEND"_s;
    range[u"sort_target"_s] = u"CREATE"_s;
    range[u"limit"_s] = QString::number(limit);
    range[u"max_create_revision"_s] = QString::number(revision);
    range[u"keys_only"_s] = true;
    return range;
}

} // namespace

EtcdRequest::Answer EtcdRequest::waitInQueue()
{
    while (!m_key.isEmpty()) {
        const bool isOpen = m_keeping.next.id != 0;
        if (auto answer = isOpen ? moved(m_link.settle(m_key, quint64(m_token), &m_keeping)) : look())
            return answer;
        if (isOver())
            return giveUp(whyOver());
    }
    return std::nullopt;
}

/// Who is before it? Its turn, or a sleep until that one is gone.
EtcdRequest::Answer EtcdRequest::look()
{
    std::optional<EtcdKey> before;
    if (auto answer = previous(m_token, &before))
        return answer;
    if (before && before->key.isEmpty())
        return takeTurn();
    if (before && m_wait.isTry())
        return giveUp(Outcome::Busy);
    if (m_keeping.lease.ttl > kWaitingTtl)
        return changeTtl(kWaitingTtl);
    return before ? waitFor(*before) : keepPlace();
}

/// The nearest one of the queue before a revision; without a key: there is none; nothing: it is not known. Resources
/// below this one lie in the same range. The own one is seen as well.
EtcdRequest::Answer EtcdRequest::previous(qint64 revision, std::optional<EtcdKey> *before)
{
    before->reset();
    m_seenIn = {};
    for (int limit = 2;; limit *= kWiderBy) {
        const EtcdReply reply = m_link.client().call("kv/range", keysUpTo(m_prefix, revision, limit));
        if (reply.error)
            return afterError(*reply.error);
        answered();
        const QList<EtcdKey> keys = keysIn(reply.body);
        const auto own = std::find_if(keys.begin(), keys.end(),
                                      [&](const EtcdKey &key) { return key.created == revision && key.key == m_key; });
        if (own != keys.end() && own->lease == m_keeping.lease.id)
            m_seenIn = termOf(reply.body);
        const auto found = std::find_if(keys.begin(), keys.end(), [&](const EtcdKey &key) {
            return key.created != revision && resourceOf(m_link.server(), key) == m_ask.resource;
        });
        if (found != keys.end() || keys.size() < limit) {
            *before = found != keys.end() ? *found : EtcdKey();
            return std::nullopt;
        }
    }
}

/// Until the key before this one is gone, or a look is worth it. It is watched from now on and looked at again then:
/// from an earlier revision etcd would tell with delays. One with the same name may be its process's next request,
/// which waits for this one.
EtcdRequest::Answer EtcdRequest::waitFor(const EtcdKey &before)
{
    QJsonObject create = rangeOf(before.key);
    create[u"filters"_s] = QJsonArray{u"NOPUT"_s};
    const auto watch = m_link.watches().open(create, [this] { m_wait.wake(); });
    if (auto answer = sleep(Clock::now() + m_link.client().config().answerTimeout,
                            [&] { return watch->isOpen() || watch->isOver(); }))
        return answer;
    if (m_key.isEmpty())
        return std::nullopt;
    if (!watch->isOpen()) {
        if (!isOver())
            pause();
        return keepPlace();
    }
    QJsonObject range = rangeOf(before.key);
    range[u"keys_only"_s] = true;
    const EtcdReply reply = m_link.client().call("kv/range", range);
    if (reply.error)
        return afterError(*reply.error);
    const bool isThere = keysIn(reply.body).value(0).created == before.created;
    return isThere ? sleep(Clock::now() + kLooksEvery, [&] { return watch->hasNews() || watch->isOver(); })
                   : std::nullopt;
}

/// Gives signs of life. Where one is not answered, what is waited for may not be told either: the sleep ends.
EtcdRequest::Answer EtcdRequest::sleep(Clock::time_point until, const std::function<bool()> &isNew)
{
    while (!isNew() && !isOver() && !m_key.isEmpty() && Clock::now() < until) {
        const auto sign = Clock::now() + (m_nextSign - LeaseClock::now());
        m_wait.sleepUntil(std::min(until, std::chrono::time_point_cast<Clock::duration>(sign)), isNew);
        if (auto answer = keepPlace(); answer || m_awaySince)
            return answer;
    }
    return std::nullopt;
}

/// A sign of life, when it is time for one.
EtcdRequest::Answer EtcdRequest::keepPlace()
{
    if (LeaseClock::now() < m_nextSign || m_wait.isOver())
        return std::nullopt;
    bool isAlive = false;
    if (const auto error = m_link.keepAlive(&m_keeping.lease, &isAlive)) {
        m_nextSign = LeaseClock::now() + kSignAgain;
        return afterError(*error);
    }
    answered();
    m_nextSign = LeaseClock::now() + Duration(m_keeping.lease.ttl) / 3;
    if (!isAlive)
        m_key.clear();
    return std::nullopt;
}

EtcdRequest::Answer EtcdRequest::moved(const EtcdMove &move)
{
    if (move.outcome == EtcdMove::Outcome::Open)
        return afterError(*move.error);
    answered();
    if (move.outcome == EtcdMove::Outcome::Done) {
        planSign();
    } else {
        m_key.clear();
        m_link.giveBack(std::exchange(m_keeping, {})); // which may live on
    }
    return std::nullopt;
}

/// The look that found nobody before its key proves it where the etcd lease gave a sign of life just before.
EtcdRequest::Answer EtcdRequest::takeTurn()
{
    const bool isProved = m_seenIn != EtcdTerm() && m_keeping.lease.livesIn(m_seenIn) && m_keeping.lease.isFresh()
        && !m_keeping.lease.isTainted && m_keeping.lease.ttl == m_ttl;
    return isProved ? granted(m_keeping.lease.goodUntil) : proveTurn();
}

/// With the TTL that was asked for; a change of it is a transaction, which proves as much.
EtcdRequest::Answer EtcdRequest::proveTurn()
{
    if (m_keeping.lease.ttl != m_ttl) {
        auto answer = changeTtl(m_ttl);
        return answer || m_key.isEmpty() || m_keeping.lease.ttl != m_ttl ? answer : granted(m_keeping.lease.goodUntil);
    }
    const EtcdProof proof = m_link.prove(m_key, quint64(m_token), &m_keeping.lease);
    if (proof.outcome == EtcdProof::Outcome::Alive)
        return granted(proof.deadline);
    if (proof.outcome == EtcdProof::Outcome::Gone) {
        m_key.clear();
        m_link.giveBack(std::exchange(m_keeping, {})); // which may live on
        return std::nullopt;
    }
    return afterError(*proof.error);
}

} // namespace lockscope::detail
