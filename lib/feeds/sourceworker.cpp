// SPDX-License-Identifier: MIT
#include "sourceworker.h"

#include "sources/sourceconventions.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;
using Phase = MonitorStatus::Phase;

namespace {

/// A poll walks through all locks of the server: no more often than this, and asking takes a tenth of the time.
constexpr auto kShortestInterval = 200ms;

bool byKey(const LockRow &a, const LockRow &b)
{
    return a.key < b.key;
}

/// Stores tell what is left, in whole milliseconds or, an etcd, in seconds: an end that moves by less has not moved. A
/// row without a TTL is one of those.
bool hasSameEnd(const LockRow &row, const LockRow &before)
{
    return row.expiresAt && before.expiresAt && row.token == before.token
        && std::chrono::abs(*row.expiresAt - *before.expiresAt) < (row.ttl ? 5ms : 1s);
}

/// The same end, so that two looks at a key that nobody has touched are equal.
void keepEnd(LockRow *row, const LockRow &before)
{
    row->expiresAt = before.expiresAt;
    if (!row->keyLock || !before.keyLock)
        return;
    KeyLock same = *row->keyLock;
    same.until = before.keyLock->until;
    if (same == *before.keyLock)
        row->keyLock = before.keyLock;
}

/// Not of a server on which leases are not safe, or not to be read: others' locks are there all the same.
bool isOfLeasesAlone(const LockError &error)
{
    return error.kind == LockError::Kind::UnsafeServer || error.kind == LockError::Kind::NoPermission;
}

/// Rows that are as they were are the ones of before, so that no list takes them for others. Both are by key.
QList<SharedLockRow> kept(QList<LockRow> rows, const QList<SharedLockRow> &before)
{
    QList<SharedLockRow> result;
    result.reserve(rows.size());
    auto old = before.cbegin();
    for (LockRow &row : rows) {
        while (old != before.cend() && (*old)->key < row.key)
            ++old;
        const bool isKnown = old != before.cend() && (*old)->key == row.key;
        if (isKnown && hasSameEnd(row, *old))
            keepEnd(&row, *old);
        const bool isSame = isKnown && **old == row;
        result.append(isSame ? *old : SharedLockRow(std::move(row)));
    }
    return result;
}

/// Of a server without locks, which says nothing of its time.
SnapshotClock clockNow()
{
    SnapshotClock clock;
    clock.server = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
    clock.local = std::chrono::steady_clock::now();
    return clock;
}

} // namespace

SourceWorker::SourceWorker(int server, SourceMaker maker)
    : m_server(server)
    , m_maker(std::move(maker))
    , m_pace(Monitor::DefaultInterval, kShortestInterval)
{
    m_status.needsTables = true;
}

void SourceWorker::start()
{
    Q_EMIT statusChanged(m_status);
    poll();
}

void SourceWorker::setLimit(int limit)
{
    m_limit = std::max(limit, 1);
    soon();
}

void SourceWorker::watch(const std::optional<LockKey> &key)
{
    if (m_watched == key)
        return;
    m_watched = key;
    if (!key || m_status.phase != Phase::Live)
        return;
    std::optional<LockDetails> details;
    if (const auto error = readDetails(m_snapshot, &details))
        onFailed(*error);
    else
        Q_EMIT detailsUpdated(*details);
}

/// Made here: what it connects with belongs to this thread. It knows by name what is only guessed too.
std::unique_ptr<LockSource> SourceWorker::make(SourceUse use) const
{
    auto made = m_maker(use);
    useAllConventions(*made, true);
    return made;
}

LockSource &SourceWorker::source()
{
    if (!m_source)
        m_source = make(SourceUse::Look);
    return *m_source;
}

/// The status is told before what it is about, so that nobody sees a list of a server that is "connecting".
void SourceWorker::poll()
{
    const auto started = PollPace::Clock::now();
    LockSnapshot read;
    std::optional<LockDetails> details;
    auto error = readList(&read);
    if (!error)
        error = readDetails(read, &details);
    if (m_stop.stop_requested())
        return; // nobody waits for it any more
    if (error) {
        onFailed(*error);
        return;
    }
    m_snapshot = std::move(read);
    m_pace.succeeded(started);
    plan();
    onSucceeded();
    publish();
    if (details)
        Q_EMIT detailsUpdated(*details);
}

std::optional<LockError> SourceWorker::readList(LockSnapshot *read)
{
    const auto started = std::chrono::steady_clock::now();
    QList<LockRow> rows;
    read->clock = clockNow();
    auto error = readLeases(read, &rows);
    const bool hasOthersAlone = error && source().keyKind() && isOfLeasesAlone(*error);
    m_withoutLeases = hasOthersAlone ? error : std::nullopt;
    if (error && !hasOthersAlone)
        return error;
    for (LockRow &row : rows)
        row.key.server = m_server;
    std::sort(rows.begin(), rows.end(), byKey);
    read->rows = kept(std::move(rows), m_snapshot.rows);
    read->cost = std::chrono::duration_cast<Microseconds>(std::chrono::steady_clock::now() - started);
    return std::nullopt;
}

std::optional<LockError> SourceWorker::readLeases(LockSnapshot *read, QList<LockRow> *rows)
{
    const auto take = [&](const QList<LockRow> &leases, const SnapshotClock &clock) {
        read->clock = clock;
        for (const LockRow &lease : leases) {
            read->counts.add(lease.state);
            read->counts.waiting += lease.waiters.value_or(0);
        }
        *rows += leases.first(std::clamp<qsizetype>(m_limit - rows->size(), 0, leases.size()));
    };
    LockSnapshot others;
    if (auto error = source().open())
        return error;
    if (auto error = source().leases(m_stop.get_token(), take))
        return error;
    if (auto error = source().others(m_limit, &others))
        return error;
    read->counts += others.counts;
    for (const LockRow &other : std::as_const(others.rows))
        rows->append(other);
    return std::nullopt;
}

/// Of the watched lock; nothing where none is watched.
std::optional<LockError> SourceWorker::readDetails(const LockSnapshot &list, std::optional<LockDetails> *read)
{
    if (!m_watched)
        return std::nullopt;
    LockDetails details;
    details.key = *m_watched;
    details.clock = list.clock;
    const auto row = std::lower_bound(list.rows.cbegin(), list.rows.cend(), details.key,
                                      [](const SharedLockRow &entry, const LockKey &key) { return entry->key < key; });
    const bool isKey = source().keyKind() == details.key.kind;
    // Another program's, whose next holder this account may not read, is as one that is not listed.
    const auto isHidden = [isKey](const LockError &error) {
        return isKey && error.kind == LockError::Kind::NoPermission;
    };
    if (row != list.rows.cend() && (*row)->key == details.key)
        details.lock = **row;
    else if (list.isCut() || isKey) // it may be there all the same
        if (auto error = readOne(details.key, &details.lock, &details.clock); error && !isHidden(*error))
            return error;
    if (auto error = source().waiters(details.key, &details.queue); error && !isHidden(*error))
        return error;
    if (isKey)
        replaceKey(details.key, details.lock);
    *read = std::move(details);
    return std::nullopt;
}

std::optional<LockError> SourceWorker::readOne(const LockKey &key, std::optional<LockRow> *row, SnapshotClock *clock)
{
    auto error = source().one(key, row, clock);
    number(row);
    return error;
}

/// A source knows nothing of others.
void SourceWorker::number(std::optional<LockRow> *row) const
{
    if (*row)
        (*row)->key.server = m_server;
}

void SourceWorker::setKeys(const KeyLocksPtr &found, const KeyPasses &passes)
{
    QList<LockRow> rows = found->rows;
    for (LockRow &row : rows)
        row.key.server = m_server;
    const QList<SharedLockRow> before = std::exchange(m_keys, kept(std::move(rows), m_keys));
    m_keyPasses = passes;
    // A poll that is to come anyway tells what has not changed.
    const bool isNews = m_keys != before || m_status.isFailing() || !pace().next();
    if (m_status.wasRead && isNews)
        publish();
}

/// As it is now, where a look at it alone is newer than the last walk.
void SourceWorker::replaceKey(const LockKey &key, const std::optional<LockRow> &row)
{
    const auto found =
        std::lower_bound(m_keys.begin(), m_keys.end(), key,
                         [](const SharedLockRow &one, const LockKey &wanted) { return one->key < wanted; });
    if (found == m_keys.end() || (*found)->key != key)
        return; // the next walk has it
    if (!row)
        m_keys.erase(found);
    else
        *found = kept({*row}, {*found}).first();
}

/// The leases and the keys of other programs, as one list.
void SourceWorker::publish()
{
    LockSnapshot all = m_snapshot;
    if (m_keyPasses)
        all.keyPasses[m_server] = *m_keyPasses;
    for (const LockRow &key : std::as_const(m_keys)) {
        all.counts.add(key.state);
        all.counts.waiting += key.waiters.value_or(0);
    }
    if (!m_keys.isEmpty()) {
        all.rows.clear();
        std::merge(m_snapshot.rows.cbegin(), m_snapshot.rows.cend(), m_keys.cbegin(), m_keys.cend(),
                   std::back_inserter(all.rows), byKey);
    }
    Q_EMIT snapshotTaken(all);
}

void SourceWorker::onSucceeded()
{
    m_status.server.family = source().family();
    const QString before = std::exchange(m_status.server.ownName, source().ownName());
    const auto kindOf = [](const std::optional<LockError> &error) {
        return error ? std::optional(error->kind) : std::nullopt;
    };
    if (m_status.phase == Phase::Live && kindOf(m_status.error) == kindOf(m_withoutLeases)
        && before == m_status.server.ownName)
        return;
    m_status.phase = Phase::Live;
    m_status.wasRead = true;
    m_status.error = m_withoutLeases;
    m_status.nextTry.reset();
    Q_EMIT statusChanged(m_status);
}

void SourceWorker::onFailed(const LockError &error)
{
    m_pace.failed(error);
    plan();
    m_status.phase = Phase::Failing;
    m_status.server.ownName = source().ownName(); // it may answer, and not have the tables
    m_status.error = error;
    m_status.nextTry = m_pace.next();
    Q_EMIT statusChanged(m_status);
}

void SourceWorker::preview(const LockKey &key)
{
    ReleasePreview preview;
    const auto error = previewRelease(source(), key, &preview);
    number(&preview.lock);
    Q_EMIT previewReady(key, preview, error);
    if (error)
        onFailed(*error);
}

void SourceWorker::release(const ReleaseOrder &order, const ServerAccess &access)
{
    const auto own = make(SourceUse::Act); // a failure in the middle must not meet the polls
    ReleaseReport report = releaseByForce(*own, order, access, &m_audit);
    number(&report.lockNow);
    Q_EMIT released(order, report);
    poll();
}

void SourceWorker::previewKey(const KeyReleaseOrder &order)
{
    KeyReleasePreview preview;
    const auto error = previewKeyRelease(source(), order, &preview);
    number(&preview.lock);
    Q_EMIT keyPreviewReady(order, preview, error);
}

void SourceWorker::releaseKey(const KeyReleaseOrder &order, const ServerAccess &access)
{
    const auto own = make(SourceUse::Act);
    KeyReleaseReport report = lockscope::releaseKey(*own, order, access, &m_audit);
    number(&report.lockNow);
    if (!report.error)
        replaceKey(order.key, report.lockNow);
    Q_EMIT keyReleased(order, report);
    poll();
}

} // namespace lockscope
