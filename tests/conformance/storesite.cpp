// SPDX-License-Identifier: MIT
#include "storesite.h"

#include "freeze.h"
#include "sources/storeaddress.h"

#include <QtCore/QThread>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::test {

StoreSite::StoreSite() = default;
StoreSite::~StoreSite() = default;

namespace {

/// Null where this program was built without it.
std::unique_ptr<StoreSite> makeSite(const QString &store)
{
#ifdef LOCKSCOPE_HAS_REDIS
    if (store == u"redis")
        return makeRedisSite();
#endif
#ifdef LOCKSCOPE_HAS_ZOOKEEPER
    if (store == u"zookeeper")
        return makeZooKeeperSite();
#endif
#ifdef LOCKSCOPE_HAS_ETCD
    if (store == u"etcd")
        return makeEtcdSite();
#endif
    return nullptr;
}

} // namespace

std::unique_ptr<StoreSite> StoreSite::start(const QString &store)
{
    auto site = makeSite(store);
    if (!site)
        qFatal("This program was built without %ls", qUtf16Printable(store));
    site->start();
    site->begin();
    return site;
}

void StoreSite::start()
{
    if (pid() > 0)
        return;
    if (const auto error = startServer())
        qFatal("%ls", qUtf16Printable(error->toString()));
    m_source.reset();
}

void StoreSite::restart()
{
    stop();
    start();
}

void StoreSite::freeze()
{
    freezeProcess(pid());
}

void StoreSite::thaw()
{
    if (pid() > 0)
        thawProcess(pid());
}

void StoreSite::begin()
{
    m_source.reset();
    beginAt(++m_places);
}

/// Whoever waits for something to happen there reads it again and again, which costs the server more than a look at a
/// table does.
LockSource &StoreSite::source()
{
    constexpr qint64 kReadEvery = 30;
    if (m_sinceRead.isValid() && m_sinceRead.elapsed() < kReadEvery)
        QThread::msleep(static_cast<unsigned long>(kReadEvery - m_sinceRead.elapsed()));
    m_sinceRead.start();
    if (!m_source)
        m_source = makeSource(url(), {});
    return *m_source;
}

/// What cannot be read now is asked for again: the server may have been away.
QList<LockRow> StoreSite::leases()
{
    QList<LockRow> rows;
    const auto error =
        source().leases({}, [&rows](const QList<LockRow> &part, const SnapshotClock & /*clock*/) { rows += part; });
    if (!error)
        return rows;
    m_source.reset();
    return {};
}

QList<Waiter> StoreSite::waiters(const QByteArray &resource)
{
    QList<Waiter> waiters;
    if (source().waiters({LockKind::Lease, resource}, &waiters))
        m_source.reset();
    return waiters;
}

int StoreSite::waiting(const QByteArray &session, const QByteArray &resource)
{
    const QList<Waiter> all = waiters(resource);
    return int(std::count_if(all.begin(), all.end(),
                             [&session](const Waiter &waiter) { return waiter.owner.session == session; }));
}

bool StoreSite::isGone(const QByteArray &session)
{
    if (!connectionIds(session).isEmpty())
        return false;
    const QList<LockRow> rows = leases();
    return m_source && std::none_of(rows.begin(), rows.end(), [&](const LockRow &row) {
               return (row.sessionAlive && row.owner.session == session) || waiting(session, row.key.resource) > 0;
           });
}

std::optional<LockRow> StoreSite::lease(const QByteArray &resource)
{
    for (const LockRow &row : leases()) {
        if (row.key.resource == resource && row.state != LockState::Expired)
            return row;
    }
    return std::nullopt;
}

ForcedRelease StoreSite::forceRelease(const QByteArray &resource, quint64 token)
{
    return makeSource(url(), {})->endLease({resource, 0, token}, {u"operator"_s, u"conformance"_s});
}

QString StoreSite::leftOver()
{
    QStringList left = traces();
    for (const LockRow &row : leases())
        left += u"lease %1"_s.arg(QString::fromUtf8(row.key.resource));
    if (!m_source)
        left += u"the server does not answer"_s;
    return left.join(u", "_s);
}

QString StoreSite::evidence()
{
    QStringList lines;
    for (const LockRow &row : leases()) {
        lines += u"lease %1: token %2 of pid %3%4"_s.arg(QString::fromUtf8(row.key.resource))
                     .arg(row.token)
                     .arg(row.owner.pid)
                     .arg(row.sessionAlive ? u""_s : u", dead"_s);
        for (const Waiter &waiter : waiters(row.key.resource))
            lines += u"  then pid %1"_s.arg(waiter.owner.pid);
    }
    return lines.join(u'\n');
}

} // namespace lockscope::test
