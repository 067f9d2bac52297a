// SPDX-License-Identifier: MIT
#include "recordingpoll.h"

#include "actions/recordedacts.h"
#include "locks/leasereader.h"
#include "locktables/profilelibrary.h"
#include "locktables/rowlockholders.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

/// Queues cost a statement each.
constexpr int kMaxQueues = 20;
constexpr Microseconds kLatencySlot = 10s;
constexpr auto kTablesEvery = 5s;
/// Engines write every 5 s, and a statement may take a while.
constexpr Microseconds kMayGrow = 8s;

/// No error of the connection: it is gone on without this part.
std::optional<LockError> unlessPartOnly(std::optional<LockError> error)
{
    return error && error->connectionGone ? error : std::nullopt;
}

} // namespace

RecordingPoll::RecordingPoll(std::chrono::milliseconds interval)
    : m_interval(interval)
    , m_tableReader(allProfiles(ownProfileFolder()))
    , m_begunHere(QDateTime::currentDateTimeUtc())
{
}

void RecordingPoll::setTarget(const SessionTarget &target)
{
    m_url = target.url;
    m_server.emplace(std::make_unique<ReconnectingSession>(forReading(forWatching(target))),
                     PollPace(m_interval, MinInterval), [this](Session &session) -> std::optional<LockError> {
                         m_waits.emplace(session);
                         return std::nullopt;
                     });
}

std::optional<LockError> RecordingPoll::poll(RecordedNews *news)
{
    readActs(news);
    return m_server->poll([&](Session &session) { return read(session, news); });
}

std::optional<LockError> RecordingPoll::read(Session &session, RecordedNews *news)
{
    if (auto error = m_waits->read(&news->look.waits))
        return error;
    m_times.settle(&news->look.waits);
    news->look.capabilities = m_waits->capabilities();
    if (!m_begunAt)
        m_begunAt = news->look.waits.clock.server;
    if (auto error = readEngine(session, news))
        return error;
    if (auto error = readTables(session, &news->look))
        return error;
    return readDeadlocks(session, news);
}

/// Without lock tables, or the right to read them, there are the server's own locks.
std::optional<LockError> RecordingPoll::readEngine(Session &session, RecordedNews *news)
{
    LeaseReader reader(session);
    if (const auto error = reader.list({MaxLocks, {}}, &news->look.locks)) {
        if (error->kind == LockError::Kind::SchemaMissing)
            m_events.startOver();
        news->look.locks = {};
        return unlessPartOnly(error);
    }
    news->look.hasTables = true;
    if (auto error = readQueues(reader, &news->look))
        return error;
    if (auto error = unlessPartOnly(m_events.read(reader, &news->events)))
        return error;
    news->events.removeIf([this](const Event &event) { return event.at < *m_begunAt; });
    return readLatency(session, news);
}

std::optional<LockError> RecordingPoll::readQueues(LeaseReader &reader, RecordedLook *look)
{
    QList<std::pair<int, LockKey>> waited;
    for (const LockRow &row : std::as_const(look->locks.rows)) {
        if (const int waiters = row.waiters.value_or(0); waiters > 0)
            waited.append({-waiters, row.key});
    }
    std::sort(waited.begin(), waited.end());
    waited.resize(std::min<qsizetype>(waited.size(), kMaxQueues));
    for (const auto &[waiters, key] : std::as_const(waited)) {
        QList<Waiter> queue;
        if (auto error = unlessPartOnly(reader.waiters(key, &queue)))
            return error;
        if (!queue.isEmpty())
            look->queues.insert(key, queue);
    }
    return std::nullopt;
}

/// A statement for each table, so less often than the rest.
std::optional<LockError> RecordingPoll::readTables(Session &session, RecordedLook *look)
{
    const auto now = std::chrono::steady_clock::now();
    if (!m_tablesReadAt || now - *m_tablesReadAt >= kTablesEvery) {
        m_tablesReadAt = now;
        TableLocks found;
        m_tableReader.setZones(applicationZones());
        const auto error = m_tableReader.read(session, {}, &found);
        if (error && error->connectionGone)
            return error;
        m_tables = std::move(found);
    }
    look->tables = m_tables;
    if (!look->tables.locks.isEmpty())
        judgeByRowLocks(heldLocks(look->waits), look->waits, &look->tables.locks);
    return std::nullopt;
}

std::optional<LockError> RecordingPoll::readDeadlocks(Session &session, RecordedNews *news)
{
    DeadlockNews found;
    if (const auto error = m_deadlocks.read(session, &found)) {
        news->deadlockSight = DeadlockSight::Nothing;
        news->whyNoDeadlocks = error->message;
        return unlessPartOnly(error);
    }
    news->deadlockSight = m_deadlocks.isCounted() ? DeadlockSight::All : DeadlockSight::NotHowMany;
    if (!std::exchange(m_areDeadlocksRead, true))
        return std::nullopt;
    if (found.latest)
        news->deadlocks.append(*found.latest);
    news->deadlocksMissed = found.notCaptured.value_or(0);
    return std::nullopt;
}

std::optional<LockError> RecordingPoll::readLatency(Session &session, RecordedNews *news)
{
    const ServerTime now = news->look.waits.clock.server;
    const auto slotOf = [](ServerTime time) { return time - time.time_since_epoch() % kLatencySlot; };
    if (!m_latencyFrom)
        m_latencyFrom = slotOf(now);
    LatencyOptions options;
    options.from = *m_latencyFrom;
    options.to = slotOf(now - kMayGrow);
    options.slot = kLatencySlot;
    if (options.to <= options.from)
        return std::nullopt;
    if (const auto error = LatencyReader(session).read(options, &news->latency))
        return unlessPartOnly(error);
    m_latencyFrom = options.to;
    return std::nullopt;
}

/// By whatever account: who looks on need not be who acts.
void RecordingPoll::readActs(RecordedNews *news)
{
    QList<AuditLine> lines = m_audit.readNew();
    lines.removeIf([this](const AuditLine &line) { return line.at < m_begunHere; });
    news->acts += actsOn(m_url, lines);
}

} // namespace lockscope
