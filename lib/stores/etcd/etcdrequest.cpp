// SPDX-License-Identifier: MIT
#include "etcdrequest.h"

#include "etcderror.h"

#include <limits>
#include <thread>
#include <utility>

namespace lockscope::detail {

namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// A server that is away for longer is not waited for.
constexpr auto kAwayFor = 60s;
constexpr auto kPause = 100ms;
/// To find out what became of a request whose answer was lost, to end one, or to begin it where others interfere.
constexpr int kTries = 3;

ServerTime now()
{
    return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
}

QJsonObject firstKey(const QByteArray &prefix)
{
    QJsonObject range = rangeOf(prefix, endOfPrefix(prefix));
    range[u"sort_order"_s] = u"ASCEND"_s;
    range[u"sort_target"_s] = u"CREATE"_s;
    range[u"limit"_s] = u"1"_s;
    range[u"keys_only"_s] = true;
    return range;
}

/// None of what begins so is there.
QJsonObject compareNone(const QByteArray &prefix)
{
    QJsonObject compare = compareCreated(prefix, 0);
    compare[u"range_end"_s] = QString::fromLatin1(endOfPrefix(prefix).toBase64());
    return compare;
}

} // namespace

EtcdRequest::EtcdRequest(EtcdLink &link, const LockStore::Ask &ask, StoreWait &wait)
    : m_link(link)
    , m_ask(ask)
    , m_wait(wait)
    , m_ttl(std::chrono::duration_cast<std::chrono::seconds>(ask.ttl))
    , m_prefix(queuePrefix(link.server(), ask.resource))
{
}

LockStore::Grant EtcdRequest::run()
{
    for (int tries = 1;; ++tries) {
        if (auto answer = attempt())
            return *answer;
        // Nothing of it is left: its etcd lease has ended, or somebody has removed its key.
        if (isOver())
            return {whyOver(), {}, {}, {}};
        if (m_wait.isTry() && tries == kTries)
            return {Outcome::Busy, {}, {}, {}};
    }
}

/// One key's life.
EtcdRequest::Answer EtcdRequest::attempt()
{
    m_key.clear();
    if (auto answer = takeLease())
        return answer;
    return m_keeping.lease.id != 0 ? join() : std::nullopt;
}

/// A free one still lives if it gave a sign of life just now, which the transaction that makes the key proves.
EtcdRequest::Answer EtcdRequest::takeLease()
{
    for (;;) {
        m_keeping = {m_link.takeFree(m_ttl)};
        if (m_keeping.lease.id == 0)
            break;
        bool isAlive = m_keeping.lease.isFresh();
        const auto error = isAlive ? std::nullopt : m_link.keepAlive(&m_keeping.lease, &isAlive);
        if (error) {
            m_keeping = {};
            return afterError(*error);
        }
        if (isAlive)
            return std::nullopt;
    }
    const auto error = m_link.grant(m_ttl, &m_keeping.lease);
    if (error)
        m_keeping = {};
    return error ? afterError(*error) : std::nullopt;
}

/// The key, unless it is there, and who is first. A try leaves no trace where somebody holds the lock.
EtcdReply EtcdRequest::sendJoin()
{
    const QJsonObject put = putOp(m_key, noteValue(m_ask.owner, m_ask.note, now()), m_keeping.lease.id);
    const QJsonObject first = readOp(firstKey(m_prefix));
    return m_link.client().change(
        {{u"compare"_s, QJsonArray{isCautious() ? compareNone(m_prefix) : compareCreated(m_key, 0)}},
         {u"success"_s, QJsonArray{put, first}},
         {u"failure"_s, QJsonArray{readOp(rangeOf(m_key)), first}}});
}

EtcdRequest::Answer EtcdRequest::join()
{
    m_key = requestKey(m_link.server(), m_ask.resource, m_keeping.lease.id);
    m_token = 0;
    planSign();
    const EtcdReply reply = sendJoin();
    if (!reply.error)
        return joined(reply.body);
    if (isEtcdLost(*reply.error))
        return settle(*reply.error);
    if (isLeaseGone(*reply.error)) {
        m_key.clear();
        return std::nullopt;
    }
    m_key.clear(); // it was refused
    m_link.giveBack(std::exchange(m_keeping, {}));
    return afterError(*reply.error);
}

EtcdRequest::Answer EtcdRequest::joined(const QJsonObject &txn)
{
    answered();
    const bool isNew = txn["succeeded"_L1].toBool();
    const EtcdKey own = isNew ? EtcdKey() : keysRead(txn, 0).value(0);
    const bool isFromBefore = own.created != 0 && own.lease == m_keeping.lease.id; // it was sent twice
    m_keeping.lease.isTainted = m_keeping.lease.isTainted || isFromBefore;
    if (!isNew && !isFromBefore && isCautious())
        return lookBelow();
    if (!isNew && !isFromBefore) { // a stranger's key has its name
        m_key.clear();
        m_keeping = {};
        return std::nullopt;
    }
    m_token = isNew ? revisionOf(txn) : own.created;
    m_keeping.modified = isNew ? m_token : own.modified;
    const bool isFirst = keysRead(txn, 1).value(0).created == m_token;
    const bool isProved = isNew && !m_keeping.lease.isTainted && m_keeping.lease.livesIn(termOf(txn));
    if (isFirst && isProved) {
        if (auto answer = granted(m_keeping.lease.goodUntil))
            return answer;
    }
    return waitInQueue();
}

/// A try that found keys in its queue's range, and made none.
EtcdRequest::Answer EtcdRequest::lookBelow()
{
    m_key.clear();
    m_link.giveBack(std::exchange(m_keeping, {}));
    std::optional<EtcdKey> holder;
    if (auto failed = previous(std::numeric_limits<qint64>::max(), &holder))
        return failed;
    if (holder && !holder->key.isEmpty())
        return Grant{Outcome::Busy, {}, {}, {}};
    m_joinsBehind = true;
    return std::nullopt;
}

/// Whether the key was made nobody knows: the same is sent again, which makes it if it is not there. An earlier one may
/// arrive even later, so this etcd lease ends with the request.
EtcdRequest::Answer EtcdRequest::settle(const LockError &error)
{
    m_keeping.lease.isTainted = true;
    const auto until = Clock::now() + kAwayFor;
    const auto goesOn = [&] { return !m_wait.isTry() && !m_wait.isOver() && Clock::now() < until; };
    for (int i = 0; i < kTries || goesOn(); ++i) {
        const EtcdReply reply = sendJoin();
        if (!reply.error)
            return joined(reply.body);
        if (isLeaseGone(*reply.error)) {
            m_key.clear();
            return std::nullopt;
        }
        if (!isEtcdAway(*reply.error))
            return giveUp(Outcome::Failed, reply.error);
        std::this_thread::sleep_for(kPause);
    }
    m_link.abandon(m_keeping, m_key);
    return Grant{Outcome::Unknown, {}, {}, error};
}

/// Nothing: it was told too late.
EtcdRequest::Answer EtcdRequest::granted(LeaseClock::time_point deadline)
{
    const LockStore::Lease lease{m_ask.resource, quint64(m_token), m_key};
    if (!m_link.hold(lease, m_keeping, deadline))
        return std::nullopt;
    return Grant{Outcome::Granted, lease, deadline, {}};
}

void EtcdRequest::answered()
{
    m_hasTried = true;
    m_awaySince.reset();
}

/// Whoever waits goes on waiting while the server is away, as its place may be there again with the server.
EtcdRequest::Answer EtcdRequest::afterError(const LockError &error)
{
    if (!isEtcdAway(error) || !m_hasTried || m_wait.isTry())
        return giveUp(Outcome::Failed, error);
    if (!m_awaySince)
        m_awaySince = Clock::now();
    if (Clock::now() - *m_awaySince > kAwayFor)
        return giveUp(Outcome::Failed, error);
    pause();
    return std::nullopt;
}

/// Removes the key. An error that is not told by an outcome goes with it.
LockStore::Grant EtcdRequest::giveUp(Outcome outcome, std::optional<LockError> error)
{
    const auto result = [&](Outcome ended) {
        return Grant{ended, {}, {}, ended == Outcome::Failed || ended == Outcome::Unknown ? error : std::nullopt};
    };
    if (m_key.isEmpty())
        return result(outcome);
    for (int i = 0; i < kTries; ++i) {
        const EtcdReply reply = m_link.client().change(
            {{u"compare"_s, QJsonArray{compareCreated(m_key, m_token)}}, {u"success"_s, QJsonArray{deleteOp(m_key)}}});
        if (!reply.error) {
            m_link.giveBack(m_keeping);
            return result(outcome);
        }
        error = reply.error;
        if (!isEtcdAway(*reply.error))
            break;
        std::this_thread::sleep_for(kPause);
    }
    m_link.abandon(m_keeping, m_key);
    return result(Outcome::Unknown);
}

Outcome EtcdRequest::whyOver() const
{
    if (m_wait.isCancelled())
        return Outcome::Cancelled;
    return m_wait.isTry() ? Outcome::Busy : Outcome::TimedOut;
}

/// After a third of the lease's time.
void EtcdRequest::planSign()
{
    const EtcdLease &lease = m_keeping.lease;
    m_nextSign = lease.goodUntil - lease.ttl + Duration(lease.ttl) / 3;
}

void EtcdRequest::pause()
{
    if (m_wait.isTry())
        std::this_thread::sleep_for(kPause);
    else
        m_wait.sleepUntil(Clock::now() + kPause, [] { return false; });
}

} // namespace lockscope::detail
