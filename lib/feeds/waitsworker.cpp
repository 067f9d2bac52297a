// SPDX-License-Identifier: MIT
#include "waitsworker.h"

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto kShortestInterval = 200ms;
constexpr auto kBetweenUndoPolls = 250ms;
/// Where the server's counter is off the whole text has to be read to see whether there is one more.
constexpr auto kBetweenTexts = 10s;

} // namespace

WaitsWorker::WaitsWorker(const SessionTarget &target)
    : FeedWorker(target, PollPace(WaitsFeed::DefaultInterval, kShortestInterval))
    , m_target(target)
    , m_undoTimer(this)
{
    m_options.isCalledOff = [this] { return m_urgent > 0; };
    m_undoTimer.setInterval(kBetweenUndoPolls);
    connect(&m_undoTimer, &QTimer::timeout, this, &WaitsWorker::followUndoing);
}

void WaitsWorker::setOff(const QSet<WaitSource> &sources)
{
    m_options.off = sources;
    soon();
}

void WaitsWorker::track(const QSet<quint64> &sessions, const QSet<quint64> &rowsOf)
{
    m_options.sessions = sessions;
    m_options.rowsOf = rowsOf;
}

void WaitsWorker::refresh()
{
    if (m_reader)
        m_reader->probeSoon();
    m_nextDeadlocks = PollPace::Clock::now();
    poll();
}

void WaitsWorker::poll()
{
    auto waits = std::make_shared<ServerWaits>();
    const auto error = pollServer([&](Session & /*session*/) { return m_reader->read(waits.get(), m_options); });
    if (!error)
        Q_EMIT updated(waits, m_reader->capabilities());
    else if (m_urgent == 0 || error->connectionGone) // else the kill polls again
        Q_EMIT failed(*error);
    if (!error)
        readDeadlocks();
}

/// After the waits, which matter more, and seldom enough to take no more than its part of the time.
void WaitsWorker::readDeadlocks()
{
    const auto started = PollPace::Clock::now();
    if (m_urgent > 0 || !m_nextDeadlocks || started < *m_nextDeadlocks)
        return;
    bool isChanged = false;
    std::optional<LockError> refusal; // of these alone: the waits are polled on as they are
    const auto error = askServer([&](Session &session) {
        auto failure = m_deadlocks.read(session, &isChanged);
        if (failure && !failure->connectionGone)
            refusal = std::exchange(failure, std::nullopt);
        return failure;
    });
    const auto now = PollPace::Clock::now();
    m_nextDeadlocks =
        std::max(now + RestPerCost * (now - started), m_deadlocks.isCounted() ? now : now + kBetweenTexts);
    if (error)
        return; // that the next poll tells
    if (refusal)
        Q_EMIT deadlocksFailed(*refusal);
    if (refusal && refusal->kind == LockError::Kind::NoPermission)
        m_nextDeadlocks.reset();
    if (isChanged)
        Q_EMIT deadlocksRead(std::make_shared<const DeadlockInbox>(m_deadlocks));
}

std::optional<LockError> WaitsWorker::onOpened(Session &session)
{
    m_reader.emplace(session);
    m_nextDeadlocks = PollPace::Clock::now();
    return std::nullopt;
}

std::optional<LockError> WaitsWorker::actOnServer(const std::function<void(Session &, const Capabilities &)> &act)
{
    --m_urgent;
    LockError error;
    Capabilities capabilities;
    const auto own = Session::open(m_target, &error);
    Session *asked = own ? own.get() : session();
    if (!asked)
        return error;
    if (auto failed = probe(*asked, &capabilities))
        return failed;
    act(*asked, capabilities);
    return std::nullopt;
}

void WaitsWorker::endPrepared(const PreparedOrder &order, const ServerAccess &access)
{
    PreparedReport report;
    const auto error = actOnServer([&](Session &session, const Capabilities &capabilities) {
        report = lockscope::endPrepared(session, capabilities, order, access, &m_audit);
    });
    if (error)
        report.error = error;
    Q_EMIT preparedEnded(order, report);
    poll();
}

void WaitsWorker::kill(const KillOrder &order, const ServerAccess &access)
{
    KillReport report;
    const auto error = actOnServer([&](Session &session, const Capabilities &capabilities) {
        report = RecordedKill(session, capabilities, &m_audit).act(order, access);
    });
    if (error)
        report.error = error;
    if (report.outcome == KillReport::Outcome::RollingBack) {
        m_undoing.append({order, report});
        m_undoTimer.start();
        Q_EMIT killProgressed(order, report);
    } else {
        Q_EMIT killed(order, report);
    }
    poll();
}

/// On the session that polls, as it is only asked. While polls fail there is nothing to be told; what was killed stays
/// killed.
void WaitsWorker::followUndoing()
{
    if (!session() || pace().isFailing() || m_reader->capabilities().identity.isEmpty())
        return;
    const auto error = askServer([this](Session &session) -> std::optional<LockError> {
        RecordedKill kill(session, m_reader->capabilities(), &m_audit);
        for (Undoing &one : m_undoing) {
            KillReport report = kill.follow(one.order, one.report);
            if (report.error && report.error->connectionGone)
                return report.error;
            one.report = std::move(report);
        }
        return std::nullopt;
    });
    if (error) {
        Q_EMIT failed(*error);
        return;
    }
    for (const Undoing &one : std::as_const(m_undoing)) {
        if (one.report.outcome == KillReport::Outcome::RollingBack)
            Q_EMIT killProgressed(one.order, one.report);
        else
            Q_EMIT killed(one.order, one.report);
    }
    m_undoing.removeIf([](const Undoing &one) { return one.report.outcome != KillReport::Outcome::RollingBack; });
    if (m_undoing.isEmpty()) {
        m_undoTimer.stop();
        poll();
    }
}

} // namespace lockscope
