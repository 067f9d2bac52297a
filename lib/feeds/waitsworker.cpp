// SPDX-License-Identifier: MIT
#include "waitsworker.h"

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto kShortestInterval = 200ms;
constexpr auto kBetweenUndoLooks = 250ms;

} // namespace

WaitsWorker::WaitsWorker(SessionTarget target)
    : m_target(std::move(target))
    , m_pace(WaitsFeed::defaultInterval, kShortestInterval, this)
    , m_undoTimer(this)
{
    connect(&m_pace, &PollPace::due, this, &WaitsWorker::look);
    m_options.isCalledOff = [this] { return m_urgent > 0; };
    m_undoTimer.setInterval(kBetweenUndoLooks);
    connect(&m_undoTimer, &QTimer::timeout, this, &WaitsWorker::followUndoing);
}

WaitsWorker::~WaitsWorker() = default;

void WaitsWorker::setInterval(std::chrono::milliseconds interval)
{
    m_pace.setInterval(interval);
}

void WaitsWorker::setPaused(bool paused)
{
    m_pace.setPaused(paused);
}

void WaitsWorker::setHidden(bool hidden)
{
    m_pace.setHidden(hidden);
}

void WaitsWorker::setOff(const QSet<WaitSource> &sources)
{
    m_options.off = sources;
    m_pace.soon();
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
    look();
}

void WaitsWorker::look()
{
    const auto started = PollPace::Clock::now();
    auto waits = std::make_shared<ServerWaits>();
    auto error = connectToServer();
    if (!error)
        error = m_reader->read(waits.get(), m_options);
    if (error && m_urgent > 0 && !error->connectionGone)
        return; // the kill looks again
    if (error) {
        onFailed(*error);
        return;
    }
    Q_EMIT updated(waits, m_reader->capabilities());
    m_pace.succeeded(started);
}

std::optional<LockError> WaitsWorker::connectToServer()
{
    if (m_session && !m_session->isGone())
        return std::nullopt;
    m_reader.reset();
    LockError error;
    m_session = Session::open(m_target, &error);
    if (!m_session)
        return error;
    m_reader.emplace(*m_session);
    return std::nullopt;
}

void WaitsWorker::onFailed(const LockError &error)
{
    if (error.connectionGone)
        m_session.reset();
    m_pace.failed(error);
    Q_EMIT failed(error);
}

/// On a session of its own: a kill that is refused or breaks off must not meet the looks. A server that has no room for
/// another one, as happens where all wait for one lock, is asked on the one that looks.
void WaitsWorker::kill(const KillOrder &order)
{
    --m_urgent;
    KillReport report;
    LockError error;
    Capabilities capabilities;
    const auto own = Session::open(m_target, &error);
    Session *session = own ? own.get() : m_session.get();
    if (!session || session->isGone())
        report.error = error;
    else if (auto failed = probe(*session, &capabilities))
        report.error = failed;
    else
        report = RecordedKill(*session, capabilities, &m_audit).act(order);
    if (report.outcome == KillReport::Outcome::RollingBack) {
        m_undoing.append({order, report});
        m_undoTimer.start();
        Q_EMIT killProgressed(order, report);
    } else {
        Q_EMIT killed(order, report);
    }
    look();
}

/// On the session that looks, as it is only asked. While looks fail there is nothing to be told; what was killed stays
/// killed.
void WaitsWorker::followUndoing()
{
    if (!m_session || m_session->isGone() || m_pace.isFailing() || m_reader->capabilities().identity.isEmpty())
        return;
    RecordedKill kill(*m_session, m_reader->capabilities(), &m_audit);
    for (Undoing &one : m_undoing) {
        KillReport report = kill.follow(one.order, one.report);
        if (report.error && report.error->connectionGone) {
            onFailed(*report.error);
            return;
        }
        one.report = std::move(report);
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
        look();
    }
}

} // namespace lockscope
