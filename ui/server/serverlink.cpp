// SPDX-License-Identifier: MIT
#include "serverlink.h"

#include "console/auditfile.h"
#include "privateserver/privateserver.h"
#include "session/schema.h"

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using Phase = MonitorStatus::Phase;

namespace {

struct StartedServer
{
    PrivateServer::StartResult start;
    std::optional<LockError> schema;
};

StartedServer startWithTables(const QString &folder, std::atomic<bool> *hasStarted)
{
    StartedServer result;
    result.start = PrivateServer::start(folder);
    if (result.start.started)
        *hasStarted = true;
    if (result.start.error.isEmpty()) {
        SessionTarget target;
        target.url = result.start.url;
        result.schema = installSchema(target);
    }
    return result;
}

} // namespace

ServerLink::ServerLink(QObject *parent)
    : QObject(parent)
    , m_calls(this)
    , m_clock(this)
    , m_last(std::make_shared<LockListUpdate>())
    , m_operatorTimer(this)
{
    m_operatorTimer.setSingleShot(true);
    connect(&m_operatorTimer, &QTimer::timeout, this, &ServerLink::endOperatorMode);
}

ServerLink::~ServerLink()
{
    delete m_monitor; // before what its signals reach
    delete m_latencyFeed;
    delete m_waitsFeed;
}

void ServerLink::open(const ServerProfile &profile, const QString &password)
{
    retireMonitor();
    ++m_generation;
    m_operatorTimer.stop();
    m_profile = profile;
    m_target = {};
    m_target.url = profile.url;
    m_target.password = password;
    m_status = {};
    m_last = std::make_shared<LockListUpdate>();
    m_watched.reset();
    m_watchedSession.reset();
    m_tracked.clear();
    m_limit = 1000;
    m_clock.forget();
    freezeClock();
    Q_EMIT opened();
    Q_EMIT modeChanged();
    Q_EMIT statusChanged();
    if (profile.isPrivate && m_target.url.socket.isEmpty())
        startPrivateServer();
    else
        startMonitor();
}

void ServerLink::reopen()
{
    ServerProfile profile = m_profile;
    if (profile.isPrivate)
        profile.name = ServerProfile::privateServer().name; // perhaps in another language by now
    open(profile, QString(m_target.password));
}

void ServerLink::startPrivateServer()
{
    const auto start = [folder = m_profile.folder, hasStarted = m_hasStartedServer] {
        return startWithTables(folder, hasStarted.get());
    };
    m_calls.run(start, this, [this, generation = m_generation](const StartedServer &result) {
        if (generation != m_generation)
            return;
        if (!result.start.error.isEmpty() || result.schema) {
            m_status.phase = Phase::Failing;
            LockError error = result.schema.value_or(LockError());
            if (!result.start.error.isEmpty()) {
                error.kind = LockError::Kind::Unavailable;
                error.message = tr("The private server did not start.");
                error.serverText = result.start.error;
            }
            m_status.error = error;
            Q_EMIT statusChanged();
            return;
        }
        m_target.url = result.start.url;
        startMonitor();
    });
}

void ServerLink::startMonitor()
{
    m_monitor = new Monitor(m_target, this);
    connect(m_monitor, &Monitor::statusChanged, this, &ServerLink::onStatus);
    connect(m_monitor, &Monitor::listUpdated, this, &ServerLink::onList);
    connect(m_monitor, &Monitor::detailsUpdated, this, &ServerLink::detailsUpdated);
    connect(m_monitor, &Monitor::eventsArrived, this, &ServerLink::eventsArrived);
    connect(m_monitor, &Monitor::previewReady, this, &ServerLink::previewReady);
    connect(m_monitor, &Monitor::released, this, &ServerLink::released);
    connect(m_monitor, &Monitor::tablesInstalled, this, &ServerLink::tablesInstalled);
    m_monitor->setView(m_view);
    m_monitor->setInterval(m_interval);
    m_monitor->setHidden(m_isHidden);
    m_monitor->setPaused(m_isPaused);
    m_monitor->start();
    m_latencyFeed = new LatencyFeed(m_target, this);
    connect(m_latencyFeed, &LatencyFeed::pictureReady, this, &ServerLink::latencyArrived);
    connect(m_latencyFeed, &LatencyFeed::failed, this, &ServerLink::latencyFailed);
    m_latencyFeed->ask(m_latencyQuestion);
    startWaitsFeed();
}

void ServerLink::startWaitsFeed()
{
    m_waitsFeed = new WaitsFeed(m_target, this);
    connect(m_waitsFeed, &WaitsFeed::updated, this, &ServerLink::waitsUpdated);
    // By way of this: a retired feed must not reach a monitor that has stopped.
    connect(m_waitsFeed, &WaitsFeed::updated, this, [this](const ServerWaitsPtr &waits) {
        if (m_monitor)
            m_monitor->setServerWaits(waits);
    });
    connect(m_waitsFeed, &WaitsFeed::failed, this, &ServerLink::waitsFailed);
    connect(m_waitsFeed, &WaitsFeed::killProgressed, this, &ServerLink::killProgressed);
    connect(m_waitsFeed, &WaitsFeed::killed, this, &ServerLink::killed);
    m_waitsFeed->setOff(m_profile.waitsOff);
    m_waitsFeed->setInterval(waitsInterval());
    m_waitsFeed->setHidden(m_isHidden);
    m_waitsFeed->setPaused(m_isPaused);
    m_waitsFeed->start();
}

/// The statement in flight may take seconds to end; nobody waits for it here.
void ServerLink::retireMonitor()
{
    if (!m_monitor)
        return;
    m_monitor->disconnect(this);
    connect(m_monitor, &Monitor::stopped, m_monitor, &QObject::deleteLater);
    m_monitor->stop();
    m_monitor = nullptr;
    m_latencyFeed->disconnect(this);
    connect(m_latencyFeed, &LatencyFeed::stopped, m_latencyFeed, &QObject::deleteLater);
    m_latencyFeed->stop();
    m_latencyFeed = nullptr;
    m_waitsFeed->disconnect(this);
    connect(m_waitsFeed, &WaitsFeed::stopped, m_waitsFeed, &QObject::deleteLater);
    m_waitsFeed->stop();
    m_waitsFeed = nullptr;
}

void ServerLink::onStatus(const MonitorStatus &status)
{
    m_status = status;
    freezeClock();
    Q_EMIT statusChanged();
}

void ServerLink::onList(const LockListUpdatePtr &update)
{
    m_last = update;
    m_clock.sync(update->clock);
    Q_EMIT listUpdated(update);
}

void ServerLink::freezeClock()
{
    m_clock.setFrozen(m_isPaused || m_status.isFailing());
}

bool ServerLink::isOperator() const
{
    return m_profile.isPrivate || m_operatorTimer.isActive();
}

std::optional<std::chrono::seconds> ServerLink::operatorTimeLeft() const
{
    if (m_profile.isPrivate)
        return std::nullopt;
    return std::chrono::ceil<std::chrono::seconds>(std::chrono::milliseconds(qMax(0, m_operatorTimer.remainingTime())));
}

void ServerLink::startOperatorMode()
{
    if (m_profile.isPrivate)
        return;
    m_operatorTimer.start(m_operatorTime);
    Q_EMIT modeChanged();
}

void ServerLink::endOperatorMode()
{
    m_operatorTimer.stop();
    Q_EMIT modeChanged();
}

QString ServerLink::operatorName()
{
    return AuditFile::operatorName();
}

void ServerLink::setPaused(bool paused)
{
    if (m_isPaused == paused)
        return;
    m_isPaused = paused;
    freezeClock();
    if (m_monitor)
        m_monitor->setPaused(paused);
    if (m_waitsFeed)
        m_waitsFeed->setPaused(paused);
    Q_EMIT pausedChanged(paused);
}

void ServerLink::setInterval(std::chrono::milliseconds interval)
{
    m_interval = interval;
    if (m_monitor)
        m_monitor->setInterval(interval);
    if (m_waitsFeed)
        m_waitsFeed->setInterval(waitsInterval());
}

void ServerLink::setWaitsOff(const QSet<WaitSource> &sources)
{
    if (m_profile.waitsOff == sources)
        return;
    m_profile.waitsOff = sources;
    if (m_waitsFeed)
        m_waitsFeed->setOff(sources);
    Q_EMIT waitsOffChanged();
}

/// A second is often enough for waits that matter, and their tables cost more than those of the engine.
std::chrono::milliseconds ServerLink::waitsInterval() const
{
    return std::max(m_interval, WaitsFeed::defaultInterval);
}

void ServerLink::setHidden(bool hidden)
{
    m_isHidden = hidden;
    m_clock.setTicking(!hidden);
    if (m_monitor)
        m_monitor->setHidden(hidden);
    if (m_waitsFeed)
        m_waitsFeed->setHidden(hidden);
}

void ServerLink::setView(const LockView &view)
{
    m_view = view;
    if (m_monitor)
        m_monitor->setView(view);
}

void ServerLink::setLimit(int limit)
{
    m_limit = limit;
    if (m_monitor)
        m_monitor->setLimit(limit);
    Q_EMIT limitChanged();
}

void ServerLink::watch(const std::optional<LockKey> &key)
{
    m_watched = key;
    if (m_monitor)
        m_monitor->watch(key);
    sendTracked();
}

void ServerLink::watchSession(std::optional<quint64> session)
{
    m_watchedSession = session;
    sendTracked();
}

void ServerLink::track(const QSet<quint64> &sessions)
{
    m_tracked = sessions;
    sendTracked();
}

void ServerLink::sendTracked()
{
    QSet<quint64> rowsOf;
    if (m_watchedSession)
        rowsOf.insert(*m_watchedSession);
    if (m_watched && m_watched->kind == LockKind::Transaction)
        rowsOf.insert(m_watched->session);
    if (m_waitsFeed)
        m_waitsFeed->track(m_tracked, rowsOf);
}

void ServerLink::askLatency(const std::optional<LatencyQuestion> &question)
{
    m_latencyQuestion = question;
    if (m_latencyFeed)
        m_latencyFeed->ask(question);
}

void ServerLink::refresh()
{
    if (m_waitsFeed)
        m_waitsFeed->refresh();
    if (m_monitor)
        m_monitor->refresh();
    else if (m_profile.isPrivate && m_status.phase == Phase::Failing)
        open(m_profile, {});
}

void ServerLink::preview(const LockKey &key)
{
    if (m_monitor)
        m_monitor->preview(key);
}

void ServerLink::release(const ReleaseOrder &order)
{
    if (m_monitor && isOperator()) {
        m_monitor->release(order);
        return;
    }
    ReleaseReport report;
    report.error = LockError();
    report.error->kind = LockError::Kind::BadRequest;
    report.error->message = tr("This server is open read-only. Start operator mode to release a lock.");
    Q_EMIT released(order, report);
}

void ServerLink::installTables()
{
    if (m_monitor && isOperator())
        m_monitor->installTables();
}

void ServerLink::kill(const KillOrder &order)
{
    if (m_waitsFeed && isOperator()) {
        m_waitsFeed->kill(order);
        return;
    }
    KillReport report;
    report.outcome = KillReport::Outcome::Refused;
    report.error = LockError();
    report.error->kind = LockError::Kind::BadRequest;
    report.error->message = tr("This server is open read-only. Start operator mode to end a session.");
    Q_EMIT killed(order, report);
}

void ServerLink::test(const ServerUrl &url, const QString &password, QObject *context,
                      std::function<void(TestResult)> done)
{
    SessionTarget target;
    target.url = url;
    target.password = password;
    const auto tryIt = [target = forWatching(target)] {
        TestResult result;
        LockError error;
        if (const auto session = Session::open(target, &error)) {
            result.server = session->info();
            result.error = checkSchema(*session);
        } else {
            result.error = error;
        }
        return result;
    };
    m_calls.run(tryIt, context, std::move(done));
}

void ServerLink::stopOwnServer()
{
    delete m_monitor;
    m_monitor = nullptr;
    delete m_latencyFeed;
    m_latencyFeed = nullptr;
    delete m_waitsFeed;
    m_waitsFeed = nullptr;
    m_calls.waitForAll();
    if (m_hasStartedServer->exchange(false))
        PrivateServer::stop(m_profile.folder);
}

} // namespace lockscope::ui
