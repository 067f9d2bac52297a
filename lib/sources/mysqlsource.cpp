// SPDX-License-Identifier: MIT
#include "mysqlsource.h"

#include "locks/leasereader.h"

#include <limits>

namespace lockscope {

namespace {

/// However many leases there are, no more of them are in memory at once.
constexpr int kPageRows = 1000;

std::optional<LockError> readAll(Session &session, const std::stop_token &stop, const LockSource::Take &take)
{
    LeaseReader reader(session);
    LockKey behind;
    behind.slot = std::numeric_limits<qint16>::max();
    for (bool isLast = false; !isLast && !stop.stop_requested();) {
        QList<LockRow> page;
        SnapshotClock clock;
        if (auto error = reader.leasesBehind(behind, kPageRows, &page, &clock))
            return error;
        isLast = page.size() < kPageRows;
        if (!page.isEmpty())
            behind = page.last().key;
        take(page, clock);
    }
    return std::nullopt;
}

/// Before the source that uses it.
struct OwnLink
{
    std::unique_ptr<ReconnectingSession> link;
};

class OwningSource : private OwnLink, public MySqlSource
{
public:
    explicit OwningSource(std::unique_ptr<ReconnectingSession> own)
        : OwnLink{std::move(own)}
        , MySqlSource(*link)
    {
    }
};

} // namespace

std::unique_ptr<LockSource> makeMySqlSource(const SessionTarget &target, SourceUse use)
{
    const SessionTarget watched = forWatching(target);
    return std::make_unique<OwningSource>(
        std::make_unique<ReconnectingSession>(use == SourceUse::Look ? forReading(watched) : watched));
}

std::optional<LockError> MySqlSource::read(const std::function<std::optional<LockError>(Session &)> &step)
{
    LockError refused;
    Session *const session = m_link.session(&refused);
    return session ? step(*session) : refused;
}

std::optional<LockError> MySqlSource::open()
{
    return read([](Session & /*session*/) { return std::nullopt; });
}

std::optional<LockError> MySqlSource::leases(const std::stop_token &stop, const Take &take)
{
    return read([&](Session &session) { return readAll(session, stop, take); });
}

std::optional<LockError> MySqlSource::heldLeases(const QByteArray &prefix, const std::stop_token &stop,
                                                 const Take &take)
{
    LeasePage page;
    page.walk = detail::LeaseWalk(prefix);
    while (!page.walk.isAtEnd() && !stop.stop_requested()) {
        if (auto error = read([&page](Session &session) { return LeaseReader(session).next(&page); }))
            return error;
        take(page.rows, page.clock);
    }
    return std::nullopt;
}

std::optional<LockError> MySqlSource::others(int limit, LockSnapshot *others)
{
    return read([&](Session &session) { return LeaseReader(session).list({limit, {}, false}, others); });
}

std::optional<LockError> MySqlSource::one(const LockKey &key, std::optional<LockRow> *row, SnapshotClock *clock)
{
    return read([&](Session &session) { return LeaseReader(session).one(key, row, clock); });
}

std::optional<LockError> MySqlSource::waiters(const LockKey &key, QList<Waiter> *waiters)
{
    return read([&](Session &session) { return LeaseReader(session).waiters(key, waiters); });
}

QByteArray MySqlSource::statement(const detail::LeaseId &lease, const detail::ReleaseNote &note) const
{
    return detail::endStatement(lease, note, m_link.family());
}

ForcedRelease MySqlSource::endLease(const detail::LeaseId &lease, const detail::ReleaseNote &note)
{
    return detail::endLease(m_link, lease, note);
}

} // namespace lockscope
