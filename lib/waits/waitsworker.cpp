#include "waitsworker.h"

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

/// Asking takes at most this part of the time, as a factor on a look's cost.
constexpr int kRestPerCost = 10;
constexpr auto kFirstRetry = 500ms;
constexpr auto kLongestRetry = 15000ms;
constexpr auto kBetweenUndoLooks = 250ms;

} // namespace

WaitsWorker::WaitsWorker(SessionTarget target)
    : m_target(std::move(target))
    , m_timer(this)
    , m_undoTimer(this)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &WaitsWorker::look);
    m_undoTimer.setInterval(kBetweenUndoLooks);
    connect(&m_undoTimer, &QTimer::timeout, this, &WaitsWorker::followUndoing);
}

WaitsWorker::~WaitsWorker() = default;

void WaitsWorker::setInterval(std::chrono::milliseconds interval)
{
    m_interval = std::max<std::chrono::milliseconds>(interval, 200ms);
    lookSoon();
}

void WaitsWorker::setPaused(bool paused)
{
    m_isPaused = paused;
    if (paused)
        m_timer.stop();
    else
        lookSoon();
}

void WaitsWorker::setHidden(bool hidden)
{
    m_isHidden = hidden;
    if (!hidden)
        lookSoon();
}

void WaitsWorker::setOff(const QSet<WaitSource> &sources)
{
    m_options.off = sources;
    lookSoon();
}

/// Soon, not now: several settings that change together make one look.
void WaitsWorker::lookSoon()
{
    if (!m_isPaused && m_failures == 0)
        m_timer.start(0ms);
}

void WaitsWorker::look()
{
    const auto started = Clock::now();
    auto waits = std::make_shared<ServerWaits>();
    auto error = connectToServer();
    if (!error)
        error = m_reader->read(waits.get(), m_options);
    if (error) {
        onFailed(*error);
        return;
    }
    m_failures = 0;
    Q_EMIT updated(waits, m_reader->capabilities());
    if (m_isPaused)
        return;
    const auto cost = std::chrono::ceil<std::chrono::milliseconds>(Clock::now() - started);
    const auto interval = m_isHidden ? std::max(m_interval, WaitsFeed::hiddenInterval) : m_interval;
    m_timer.start(std::max(interval, kRestPerCost * cost) - cost);
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
    Q_EMIT failed(error);
    if (error.kind == LockError::Kind::AccessDenied) // asking again and again gets the account locked
        return;
    const auto retryIn =
        std::min<std::chrono::milliseconds>(kFirstRetry * (1 << std::min(m_failures, 5)), kLongestRetry);
    ++m_failures;
    m_timer.start(retryIn);
}

/// On a session of its own: a kill that is refused or breaks off must not meet the looks.
void WaitsWorker::kill(const KillOrder &order)
{
    KillReport report;
    LockError error;
    Capabilities capabilities;
    const auto session = Session::open(m_target, &error);
    if (!session)
        report.error = error;
    else if (auto failed = probe(*session, &capabilities))
        report.error = failed;
    else
        report = RecordedKill(*session, capabilities, &m_audit, m_target.url.toString()).act(order);
    if (report.outcome == KillReport::Outcome::RollingBack) {
        m_undoing.append({order, report});
        m_undoTimer.start();
        Q_EMIT killProgressed(order, report);
    } else {
        Q_EMIT killed(order, report);
    }
    look();
}

void WaitsWorker::followUndoing()
{
    LockError error;
    Capabilities capabilities;
    const auto session = Session::open(m_target, &error);
    if (!session || probe(*session, &capabilities))
        return; // asked again by the timer; what was killed stays killed
    SessionKill kill(*session, capabilities);
    for (Undoing &one : m_undoing) {
        KillReport report = kill.follow(one.order, one.report);
        if (report.error && report.error->connectionGone)
            return;
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
