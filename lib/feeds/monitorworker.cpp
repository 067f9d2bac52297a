// SPDX-License-Identifier: MIT
#include "monitorworker.h"

#include "recording/recordedlook.h"

#include "sources/mysqlsource.h"

#include <algorithm>
#include <iterator>

namespace lockscope {

using namespace std::chrono_literals;
using Phase = MonitorStatus::Phase;

namespace {

constexpr auto kShortestInterval = 50ms;
/// However many locks there are, the list is renewed so often: once a second, with what a timer is late.
constexpr auto kSteadyInterval = 950ms;
constexpr int kEventsOfLock = 20;
/// A list that is read for the first time is shown after so long, and goes on.
constexpr auto kFillTime = 250ms;
/// While paused nobody comes back to it.
constexpr auto kLongestFillTime = 20s;

bool isEngines(LockKind kind)
{
    return kind != LockKind::Table && !traitsOf(kind).isServers;
}

} // namespace

MonitorWorker::MonitorWorker(const SessionTarget &target)
    : FeedWorker(forReading(target), PollPace(Monitor::DefaultInterval, kShortestInterval, kSteadyInterval))
    , m_target(target)
{
}

void MonitorWorker::start()
{
    Q_EMIT statusChanged(m_status);
    poll();
}

void MonitorWorker::setFilter(const QString &filter)
{
    const QByteArray needle = LockFilter::parse(filter).needle();
    if (m_needle == needle)
        return;
    m_needle = needle;
    if (!m_isCut || pace().isFailing())
        return;
    soon();
    if (!pace().next()) // paused: what the list leaves out is not shown by itself
        poll();
}

void MonitorWorker::setLimit(int limit)
{
    m_limit = std::max(limit, 1);
    soon();
}

void MonitorWorker::watch(const std::optional<LockKey> &key)
{
    if (m_watched == key)
        return;
    m_watched = key;
    if (key && m_recorded)
        Q_EMIT detailsUpdated(recordedDetails());
    if (!key || !session())
        return;
    Poll poll;
    if (const auto error = askServer([&](Session & /*session*/) { return readDetails(&poll.details); }))
        onFailed(*error);
    report(poll);
}

void MonitorWorker::setServerWaits(const ServerWaitsPtr &waits)
{
    m_elses.setWaits(waits);
    showOthers();
}

void MonitorWorker::setTableLocks(const TableLocksPtr &tables)
{
    m_elses.setTables(tables);
    showOthers();
}

void MonitorWorker::showOthers()
{
    const bool isRead = m_snapshot.clock.server != ServerTime{};
    const bool isChanged = m_elses.update(m_others.rows);
    // Else rows of the engine would be taken for somebody's until they are known. A poll that is to come anyway tells
    // what has not changed.
    const bool isNews = !isRead || m_status.isFailing() || !pace().next() || isChanged;
    if ((isRead || m_status.isWithoutTables()) && isNews)
        sendSnapshot();
    if (m_watched && m_elses.tellsOf(m_watched->kind))
        Q_EMIT detailsUpdated(m_elses.details(*m_watched));
}

void MonitorWorker::publish()
{
    m_elses.update(m_others.rows);
    sendSnapshot();
}

/// The engine's locks and those of others, as of their last update, as one list.
void MonitorWorker::sendSnapshot()
{
    LockSnapshot all = m_snapshot;
    const QList<SharedLockRow> &others = m_elses.rows();
    if (!others.isEmpty()) { // there may be very many leases: no copy of them without need, and no sorting
        all.rows.clear();
        all.rows.reserve(m_snapshot.rows.size() + others.size());
        std::merge(m_snapshot.rows.cbegin(), m_snapshot.rows.cend(), others.cbegin(), others.cend(),
                   std::back_inserter(all.rows), [](const LockRow &a, const LockRow &b) { return a.key < b.key; });
    }
    m_elses.addTo(&all.counts);
    if (all.clock.server == ServerTime{}) { // there are no lock tables to be read
        all.clock = m_elses.clock();
        all.cost = m_elses.cost();
    }
    Q_EMIT snapshotTaken(all);
}

void MonitorWorker::replay(const RecordedLookPtr &look)
{
    const bool isOther = !m_recorded || m_recorded->hasTables != look->hasTables;
    m_recorded = look;
    m_snapshot = look->locks;
    m_snapshot.isReplayed = true;
    m_others = m_snapshot; // the server's own are told from these
    m_elses.setWaits(std::make_shared<const ServerWaits>(look->waits));
    m_elses.setTables(std::make_shared<const TableLocks>(look->tables));
    m_status.phase = look->hasTables ? Phase::Live : Phase::Failing;
    m_status.server.version = look->capabilities.version;
    m_status.server.family = look->capabilities.family;
    m_status.error.reset();
    if (!look->hasTables) {
        m_status.error.emplace();
        m_status.error->kind = LockError::Kind::SchemaMissing;
    }
    if (isOther)
        Q_EMIT statusChanged(m_status);
    publish();
    if (m_watched)
        Q_EMIT detailsUpdated(recordedDetails());
}

/// Of the watched lock; events are on their page.
LockDetails MonitorWorker::recordedDetails() const
{
    if (m_elses.tellsOf(m_watched->kind))
        return m_elses.details(*m_watched);
    LockDetails details;
    details.key = *m_watched;
    details.clock = m_snapshot.clock;
    details.queue = m_recorded->queues.value(*m_watched);
    for (const LockRow &row : m_snapshot.rows) {
        if (row.key == details.key)
            details.lock = row;
    }
    return details;
}

/// The status is told before what it is about, so that nobody sees a list of a server that is "connecting".
void MonitorWorker::poll()
{
    Poll poll;
    const auto error = pollServer([&](Session & /*session*/) { return readAll(&poll); });
    if (error)
        onFailed(*error);
    else
        onSucceeded();
    if (m_status.isWithoutTables())
        poll = {}; // with the tables goes what was read of them
    report(poll);
    if (!error && !m_leases->isFilled())
        soon(); // with what is still unread
}

void MonitorWorker::report(const Poll &poll)
{
    if (poll.isListRead)
        publish();
    if (poll.details)
        Q_EMIT detailsUpdated(*poll.details);
    if (!poll.events.isEmpty())
        Q_EMIT eventsArrived(poll.events);
}

std::optional<LockError> MonitorWorker::onOpened(Session &session)
{
    m_status.server = session.info();
    if (auto missing = checkSchema(session))
        return missing;
    m_reader.emplace(session);
    m_leases.emplace(session);
    m_status.phase = Phase::Connecting; // so that the first good poll tells what server this is
    return std::nullopt;
}

std::optional<LockError> MonitorWorker::readAll(Poll *poll)
{
    if (auto error = readList())
        return error;
    poll->isListRead = true;
    if (auto error = readDetails(&poll->details))
        return error;
    return m_newEvents.read(*m_reader, &poll->events);
}

std::optional<LockError> MonitorWorker::readList()
{
    const auto start = std::chrono::steady_clock::now();
    ListOptions options;
    options.limit = m_limit;
    options.leasesToo = false;
    if (pushesFilterDown())
        options.contains = m_needle;
    if (auto error = m_reader->list(options, &m_others))
        return error;
    m_rates.fill(&m_others);
    m_leases->setContains(options.contains);
    m_leases->setLimit(m_limit);
    if (auto error = m_leases->read(pace().next() ? kFillTime : kLongestFillTime))
        return error;
    const QList<SharedLockRow> leases = m_leases->rows();
    m_snapshot = m_others;
    m_snapshot.isFilling = !m_leases->isFilled();
    m_snapshot.clock = m_leases->clock();
    m_snapshot.counts += m_leases->counts();
    m_snapshot.rows.clear();
    m_snapshot.rows.reserve(leases.size() + m_others.rows.size());
    std::merge(leases.cbegin(), leases.cend(), m_others.rows.cbegin(), m_others.rows.cend(),
               std::back_inserter(m_snapshot.rows), [](const LockRow &a, const LockRow &b) { return a.key < b.key; });
    m_snapshot.cost = std::chrono::duration_cast<Microseconds>(std::chrono::steady_clock::now() - start);
    m_isCut = m_leases->isLimited() || m_others.isCut() || !options.contains.isEmpty();
    return std::nullopt;
}

bool MonitorWorker::pushesFilterDown() const
{
    return m_isCut && !m_needle.isEmpty();
}

/// Of the watched lock; nothing where none is watched, or it is not the engine's and not known yet.
std::optional<LockError> MonitorWorker::readDetails(std::optional<LockDetails> *read)
{
    if (!m_watched)
        return std::nullopt;
    if (!isEngines(m_watched->kind)) {
        if (m_elses.tellsOf(m_watched->kind))
            *read = m_elses.details(*m_watched);
        return std::nullopt;
    }
    LockDetails details;
    details.key = *m_watched;
    details.clock = m_snapshot.clock;
    const auto &rows = m_snapshot.rows;
    const auto row = std::lower_bound(rows.cbegin(), rows.cend(), details.key,
                                      [](const SharedLockRow &entry, const LockKey &key) { return entry->key < key; });
    if (row != rows.cend() && (*row)->key == details.key)
        details.lock = **row;
    else if (m_snapshot.isCut() || m_isCut) // it may be there all the same
        if (auto error = m_reader->one(details.key, &details.lock))
            return error;
    if (auto error = m_reader->waiters(*m_watched, &details.queue))
        return error;
    EventOptions options;
    options.key = m_watched;
    options.limit = kEventsOfLock;
    if (traitsOf(details.key.kind).hasToken) { // events are of leases; another kind may have the same name
        if (auto error = m_reader->events(options, &details.events))
            return error;
    }
    *read = details;
    return std::nullopt;
}

void MonitorWorker::onSucceeded()
{
    if (m_status.phase == Phase::Live)
        return;
    m_status.phase = Phase::Live;
    m_status.wasRead = true;
    m_status.error.reset();
    m_status.nextTry.reset();
    Q_EMIT statusChanged(m_status);
}

void MonitorWorker::onFailed(const LockError &error)
{
    m_status.phase = Phase::Failing;
    m_status.error = error;
    m_status.nextTry = pace().next();
    Q_EMIT statusChanged(m_status);
    if (!m_status.isWithoutTables())
        return;
    m_snapshot = {};
    m_others = {};
    if (error.kind == LockError::Kind::SchemaMissing)
        m_newEvents.startOver();
    publish();
}

void MonitorWorker::preview(const LockKey &key)
{
    ReleasePreview preview;
    const auto error = askServer([&](Session & /*session*/) {
        MySqlSource source(link());
        return previewRelease(source, key, &preview);
    });
    Q_EMIT previewReady(key, preview, error);
    if (error)
        onFailed(*error);
}

void MonitorWorker::release(const ReleaseOrder &order, const ServerAccess &access)
{
    ReconnectingSession link(
        m_target); // a session of its own: a failure in the middle of a transaction must not meet the polls
    MySqlSource source(link);
    Q_EMIT released(order, releaseByForce(source, order, access, &m_audit));
    poll();
}

void MonitorWorker::installTables()
{
    Q_EMIT tablesInstalled(installSchema(m_target));
    poll();
}

} // namespace lockscope
