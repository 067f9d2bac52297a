// SPDX-License-Identifier: MIT
#include "etcdlink.h"

#include "etcderror.h"

#include <algorithm>
#include <utility>

namespace lockscope::detail {

namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// A free lease that ends sooner is not worth a question.
constexpr auto kSpare = 500ms;

QJsonObject idOf(qint64 lease)
{
    return {{u"ID"_s, QString::number(lease)}};
}

LockError unproved()
{
    return etcdUnavailable(u"etcd changed its leader while it was asked. Try again."_s);
}

/// "3.4.23" is 3.4 or newer; nothing: it does not say.
bool isOld(const QString &version)
{
    const int major = version.section(u'.', 0, 0).toInt();
    const int minor = version.section(u'.', 1, 1).toInt();
    return major < 3 || (major == 3 && minor < 4);
}

} // namespace

EtcdLink::EtcdLink(EtcdConfig config)
    : m_client(std::move(config))
    , m_watches(m_client)
{
}

EtcdLink::~EtcdLink()
{
    stop();
}

std::optional<LockError> EtcdLink::check(const QByteArray &session)
{
    const EtcdReply status = m_client.call("maintenance/status", {});
    if (status.error)
        return status.error;
    const QString version = status.body["version"_L1].toString();
    if (isOld(version)) {
        LockError error;
        error.kind = LockError::Kind::UnsafeServer;
        error.message = u"This is etcd %1, which is too old for locks: it must be 3.4 or newer."_s.arg(version);
        return error;
    }
    for (const QJsonValue alarm : status.body["errors"_L1].toArray()) {
        if (alarm.toString().contains("NOSPACE"_L1))
            return etcdError(0, u"database space exceeded"_s, "etcd/maintenance/status");
    }
    const QByteArray mail = mailPrefix(server(), session);
    return m_client.call("kv/range", rangeOf(mail, endOfPrefix(mail))).error;
}

std::optional<LockError> EtcdLink::grant(std::chrono::seconds ttl, EtcdLease *lease)
{
    m_client.hurry(ttl);
    const EtcdReply reply = m_client.call("lease/grant", {{u"TTL"_s, QString::number(qint64(ttl.count()))}});
    if (reply.error)
        return reply.error; // one whose answer did not come has no key, and ends by itself
    lease->id = etcdNumber(reply.body["ID"_L1]);
    lease->ttl = ttl;
    lease->goodUntil = reply.sentAt + ttl;
    lease->term = {};
    lease->isTainted = false;
    const std::chrono::seconds given(etcdNumber(reply.body["TTL"_L1]));
    if (given == ttl)
        return std::nullopt;
    abandon(*lease, {});
    LockError error;
    error.kind = LockError::Kind::BadRequest;
    error.message =
        u"The TTL must be at least %1 s at this etcd (three halves of its --election-timeout)."_s.arg(given.count());
    return error;
}

EtcdLease EtcdLink::takeFree(std::chrono::seconds ttl)
{
    const Lock lock(m_mutex);
    const auto now = LeaseClock::now();
    std::erase_if(m_free, [now](const EtcdLease &lease) { return lease.goodUntil < now + kSpare; });
    const auto found =
        std::find_if(m_free.rbegin(), m_free.rend(), [ttl](const EtcdLease &lease) { return lease.ttl == ttl; });
    if (found == m_free.rend())
        return {};
    const EtcdLease lease = *found;
    m_free.erase(std::next(found).base());
    return lease;
}

void EtcdLink::giveBack(const EtcdLease &lease)
{
    if (lease.id == 0)
        return;
    if (lease.isTainted)
        return abandon(lease, {});
    const Lock lock(m_mutex);
    m_free.push_back(lease);
}

void EtcdLink::giveBack(const EtcdKeeping &keeping)
{
    giveBack(keeping.lease);
    giveBack(keeping.next);
}

void EtcdLink::abandon(const EtcdLease &lease, const QByteArray &key)
{
    if (lease.id == 0)
        return;
    const Lock lock(m_mutex);
    m_abandoned.push_back({lease, key});
    m_hasNews = true;
    m_changed.notify_all();
}

void EtcdLink::abandon(const EtcdKeeping &keeping, const QByteArray &key)
{
    abandon(keeping.lease, key);
    abandon(keeping.next, key);
}

bool EtcdLink::isAbandoned(const QByteArray &key)
{
    const Lock lock(m_mutex);
    return std::any_of(m_abandoned.begin(), m_abandoned.end(),
                       [&key](const Abandoned &abandoned) { return abandoned.key == key; });
}

std::optional<LockError> EtcdLink::keepAlive(EtcdLease *lease, bool *isAlive)
{
    const EtcdReply reply = m_client.call("lease/keepalive", idOf(lease->id));
    *isAlive = false;
    if (reply.error)
        return reply.error;
    const std::chrono::seconds left(etcdNumber(reply.body["TTL"_L1]));
    *isAlive = left > 0s;
    if (*isAlive) {
        lease->goodUntil = reply.sentAt + std::min(left, lease->ttl);
        lease->term = termOf(reply.body);
    }
    return std::nullopt;
}

/// Once more if the leader changed meanwhile.
EtcdProof EtcdLink::prove(const QByteArray &key, quint64 token, EtcdLease *lease)
{
    const auto isUnclear = [](const EtcdProof &proof) {
        return proof.outcome == EtcdProof::Outcome::Unclear && !proof.error;
    };
    EtcdProof proof = proveOnce(key, token, lease);
    if (isUnclear(proof))
        proof = proveOnce(key, token, lease);
    if (isUnclear(proof))
        proof.error = unproved();
    return proof;
}

/// A leader that others have deposed, and that does not know yet, renews leases which the next one does not. So the
/// term must be the same before the renewal and in a read that most members have agreed on after it.
EtcdProof EtcdLink::proveOnce(const QByteArray &key, quint64 token, EtcdLease *lease)
{
    EtcdProof proof;
    const EtcdLease before = *lease;
    bool isAlive = false;
    if ((proof.error = keepAlive(lease, &isAlive)))
        return proof;
    proof.deadline = lease->goodUntil;
    const EtcdReply reply =
        m_client.call("kv/txn", {{u"success"_s, QJsonArray{readOp(rangeOf(key)), readOp(rangeOf(mailOf(token)))}}});
    if ((proof.error = reply.error)) {
        *lease = before;
        return proof;
    }
    const EtcdKey found = keysRead(reply.body, 0).value(0);
    proof.mail = keysRead(reply.body, 1).value(0);
    if (quint64(found.created) != token || found.lease != lease->id) {
        proof.outcome = EtcdProof::Outcome::Gone;
    } else if (isAlive && lease->term == termOf(reply.body)) {
        proof.outcome = EtcdProof::Outcome::Alive;
    } else {
        *lease = before;
    }
    return proof;
}

/// The next one is the key's.
void EtcdLink::changeLease(EtcdKeeping *keeping)
{
    abandon(std::exchange(keeping->lease, std::exchange(keeping->next, {})), {});
}

/// Its mail, which goes with the old lease, is read in the same moment; what comes later goes to the new one.
EtcdMove EtcdLink::move(const QByteArray &key, quint64 token, std::chrono::seconds ttl, EtcdKeeping *keeping)
{
    if (auto error = grant(ttl, &keeping->next)) {
        keeping->next = {};
        return {EtcdMove::Outcome::Open, error, {}};
    }
    const EtcdReply reply =
        m_client.change({{u"compare"_s, QJsonArray{compareModified(key, keeping->modified)}},
                         {u"success"_s, QJsonArray{moveOp(key, keeping->next.id), readOp(rangeOf(mailOf(token)))}}});
    if (reply.error)
        return {EtcdMove::Outcome::Open, reply.error, {}};
    if (!reply.body["succeeded"_L1].toBool())
        return {EtcdMove::Outcome::Gone, {}, {}};
    keeping->modified = revisionOf(reply.body);
    changeLease(keeping);
    return {EtcdMove::Outcome::Done, {}, keysRead(reply.body, 1).value(0)};
}

/// Where the key still has the old one, the move may be on its way yet. So the key is written as it is: after that the
/// move does nothing, and the next lease can be ended. A full server refuses both, the move too.
EtcdMove EtcdLink::settle(const QByteArray &key, quint64 token, EtcdKeeping *keeping)
{
    EtcdMove move{EtcdMove::Outcome::Done, {}, {}};
    while (keeping->next.id != 0) {
        const QJsonArray reads{readOp(rangeOf(key)), readOp(rangeOf(mailOf(token)))};
        const EtcdReply reply = m_client.call("kv/txn", {{u"success"_s, reads}});
        if (reply.error)
            return {EtcdMove::Outcome::Open, reply.error, {}};
        const EtcdKey found = keysRead(reply.body, 0).value(0);
        const bool isMoved = found.lease == keeping->next.id;
        if (quint64(found.created) != token || (!isMoved && found.lease != keeping->lease.id))
            return {EtcdMove::Outcome::Gone, {}, {}};
        move.mail = keysRead(reply.body, 1).value(0);
        keeping->modified = found.modified;
        if (isMoved)
            changeLease(keeping);
        else if (const auto error = endNext(key, keeping))
            return {EtcdMove::Outcome::Open, error, {}};
    }
    return move;
}

/// No error, and the next one is still open: the key was moved just now, or ended.
std::optional<LockError> EtcdLink::endNext(const QByteArray &key, EtcdKeeping *keeping)
{
    const EtcdReply written = m_client.change({{u"compare"_s, QJsonArray{compareModified(key, keeping->modified)}},
                                               {u"success"_s, QJsonArray{moveOp(key, keeping->lease.id)}}});
    const bool isOver = written.error && isLeaseGone(*written.error); // and its key with it
    if (written.error && !isOver && written.error->kind != LockError::Kind::DiskFull)
        return written.error;
    if (isOver || (!written.error && !written.body["succeeded"_L1].toBool()))
        return std::nullopt;
    if (!written.error)
        keeping->modified = revisionOf(written.body);
    const auto error = m_client.call("lease/revoke", idOf(keeping->next.id)).error;
    if (error && !isLeaseGone(*error))
        return error;
    keeping->next = {};
    return std::nullopt;
}

bool EtcdLink::hold(const LockStore::Lease &held, const EtcdKeeping &keeping, LeaseClock::time_point deadline)
{
    const Lock lock(m_mutex);
    if (LeaseClock::now() >= deadline)
        return false;
    m_held[held.place] = {held, keeping, deadline};
    if (deadline < m_wakesAt) {
        m_hasNews = true;
        m_changed.notify_all();
    }
    return true;
}

std::optional<EtcdKeeping> EtcdLink::keepingOf(const LockStore::Lease &held)
{
    const Lock lock(m_mutex);
    const auto found = m_held.find(held.place);
    if (found == m_held.end() || found->second.held != held)
        return std::nullopt;
    return found->second.keeping;
}

/// An earlier end than before is not the holder's yet.
bool EtcdLink::keep(const LockStore::Lease &held, const EtcdKeeping &keeping, LeaseClock::time_point deadline)
{
    const Lock lock(m_mutex);
    const auto found = m_held.find(held.place);
    if (found == m_held.end() || found->second.held != held)
        return false;
    found->second.keeping = keeping;
    found->second.deadline = std::max(found->second.deadline, deadline);
    return true;
}

std::optional<EtcdKeeping> EtcdLink::forget(const LockStore::Lease &held)
{
    const Lock lock(m_mutex);
    const auto found = m_held.find(held.place);
    if (found == m_held.end() || found->second.held != held)
        return std::nullopt;
    const EtcdKeeping keeping = found->second.keeping;
    m_held.erase(found);
    return keeping;
}

void EtcdLink::sawMail(const LockStore::Lease &held, const EtcdKey &mail)
{
    const auto asked = askedIn(mail.value);
    QStringList fresh;
    {
        const Lock lock(m_mutex);
        const auto found = m_held.find(held.place);
        if (found == m_held.end() || found->second.held != held || mail.modified <= found->second.mail)
            return;
        found->second.mail = mail.modified;
        if (std::exchange(found->second.mailbox, mail.created) != mail.created)
            found->second.asks = 0;
        if (asked)
            fresh = asked->after(std::exchange(found->second.asks, asked->count));
    }
    if (!asked)
        return tellEnd(held);
    for (const QString &reason : std::as_const(fresh)) {
        if (m_listener.onAsked)
            m_listener.onAsked(held, reason);
    }
}

} // namespace lockscope::detail
