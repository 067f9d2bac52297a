// SPDX-License-Identifier: MIT
#include "mysqlserver_p.h"

#include "releaserequests_p.h"
#include "session/schema.h"
#include "session/validation_p.h"

#include <QtCore/QRandomGenerator>

#include <algorithm>
#include <functional>
#include <thread>

namespace lockscope::detail {

namespace {

constexpr int kUnknownSession = 1094;
constexpr auto kCleanEvery = std::chrono::minutes(3);
/// Without its presence a living holder looks dead. A waiter needs no such look: it notices a broken connection at
/// once.
constexpr auto kPresenceCheckEvery = std::chrono::seconds(8);
constexpr qsizetype kMaxNames = 100'000;
/// Packets of keeper and service never wait long; no answer for this long means that the network is cut.
constexpr auto kQuickAnswer = std::chrono::seconds(5);
/// What the end of an engine may spend on a server that is away, per step, to write its last measurements.
constexpr auto kLastAnswer = std::chrono::seconds(3);

/// A bound that is too small is refused later; until then the least one stands in for it.
int connectionsOf(const EngineConfig &config)
{
    return std::max(LeastConnections, config.maxConnections);
}

SessionTarget makeTarget(const EngineConfig &config, const Owner &owner, std::chrono::seconds readTimeout)
{
    SessionTarget target;
    target.mark = sessionMark(owner.session);
    target.url = config.server;
    target.password = config.password;
    target.readTimeout = readTimeout;
    target.connectTimeout = std::chrono::seconds(5);
    return target;
}

} // namespace

MySqlServer::MySqlServer(EngineCore &core)
    : target(makeTarget(core.config, core.owner, std::chrono::seconds(0)))
    , latency(core.config.measuresLatency, core.owner, core.config.namePrefix)
    , service(makeTarget(core.config, core.owner, kQuickAnswer))
    , keeper(makeTarget(core.config, core.owner, kQuickAnswer), core.owner.session, [this] { localQueue.callAll(); })
    , pool(target, connectionsOf(core.config) - 2, service)
    , m_core(core)
{
}

std::optional<LockError> MySqlServer::validate() const
{
    const EngineConfig &config = m_core.config;
    ServerUrl parsed;
    QString wrong;
    if (!ServerUrl::parse(config.server.toString(), &parsed, &wrong))
        return badRequest(wrong);
    if (config.maxConnections < LeastConnections)
        return badRequest(QStringLiteral("EngineConfig::maxConnections must be at least %1.").arg(LeastConnections));
    for (const Duration kept : {config.idleRowsKept, config.eventsKept, config.latencyKept, config.doneKept}) {
        if (kept < Duration::zero())
            return badRequest(QStringLiteral("What EngineConfig keeps for how long may not be negative."));
    }
    return std::nullopt;
}

std::optional<LockError> MySqlServer::check()
{
    std::optional<LockError> refused;
    service.run([&](ReconnectingSession &link) { refused = checkOn(link); });
    return refused;
}

std::optional<LockError> MySqlServer::checkOn(ReconnectingSession &link) const
{
    LockError error;
    Session *session = link.session(&error);
    if (!session)
        return error;
    if (session->info().binlogFormat == QLatin1String("STATEMENT"))
        return lockErrorFor(1665, {}, "connect");
    if (!session->info().durable) {
        qCWarning(engineLog,
                  "The server does not write every commit to disk (innodb_flush_log_at_trx_commit or "
                  "sync_binlog is not 1): a crash of it may repeat a fencing token.");
    }
    auto refused = checkSchema(*session);
    if (refused && refused->kind == LockError::Kind::ConnectionLost) {
        session = link.session(&error); // it had been idle for too long
        refused = session ? checkSchema(*session) : error;
    }
    return refused;
}

void MySqlServer::begin()
{
    m_isReady = true;
    scheduleCleaning();
    schedulePresenceCheck();
    scheduleFlush();
}

std::optional<LockError> MySqlServer::clean()
{
    CleaningRound round(m_core.config);
    bool isMore = false;
    do {
        isMore = false;
        service.run([&](ReconnectingSession &link) { isMore = round.step(link); });
    } while (isMore);
    return round.error();
}

void MySqlServer::finish()
{
    // Connections of threads that go on living cannot be closed from here; the server ends them.
    for (const quint64 number : pool.foreignSessions()) {
        service.post([number](ReconnectingSession &link) { link.kill(number); });
    }
    if (m_isReady)
        flushLast();
    pool.close(); // a store of optimistic mode may keep the engine's core for longer
}

void MySqlServer::stop()
{
    service.stop();
    keeper.stop();
}

/// A job for later: nothing is done any more once the engine is at its end.
template<typename Job>
auto MySqlServer::whileItLives(Job job)
{
    return [weak = m_core.weak_from_this(), job](ReconnectingSession &link) {
        const auto core = weak.lock();
        if (core && !core->isClosing())
            std::invoke(job, core->mysql(), link);
    };
}

void MySqlServer::scheduleCleaning()
{
    // Jitter keeps the engines of many processes from cleaning at once.
    const auto when =
        ConnectionThread::Clock::now() + kCleanEvery * (50 + QRandomGenerator::global()->bounded(100)) / 100;
    m_core.timer.postAt(when, whileItLives([](MySqlServer &self, ReconnectingSession &) {
                            self.clean(std::make_shared<CleaningRound>(self.m_core.config));
                        }));
}

/// One batch now, and the next after whatever else there is to do.
void MySqlServer::clean(const std::shared_ptr<CleaningRound> &round)
{
    service.post([weak = m_core.weak_from_this(), round](ReconnectingSession &link) {
        const bool isMore = round->step(link);
        const auto core = weak.lock();
        if (round->error())
            qCDebug(engineLog) << "clean-up put off:" << round->error()->toString();
        if (core && !core->isClosing())
            isMore ? core->mysql().clean(round) : core->mysql().scheduleCleaning();
    });
}

void MySqlServer::schedulePresenceCheck()
{
    const auto when = ConnectionThread::Clock::now() + kPresenceCheckEvery;
    m_core.timer.postAt(when, whileItLives([](MySqlServer &self, ReconnectingSession &) {
                            if (self.m_core.hasHolds() || self.localQueue.isAnybodyThere())
                                self.keeper.checkSession();
                            if (self.m_core.hasHolds())
                                self.service.post(self.whileItLives(&MySqlServer::passOnRequests));
                            self.schedulePresenceCheck();
                        }));
}

/// What the holders of this engine are asked for.
void MySqlServer::passOnRequests(ReconnectingSession &link)
{
    takeReleaseRequests(link, m_core.owner.session, [this](const ReleaseRequest &asked) {
        m_core.tellReleaseRequest(asked.mode, asked.resource, asked.number, asked.reason);
    });
}

void MySqlServer::scheduleFlush()
{
    if (!m_core.config.measuresLatency)
        return;
    const auto when = ConnectionThread::Clock::now() + latency.pause();
    m_core.timer.postAt(when, whileItLives([](MySqlServer &self, ReconnectingSession &) {
                            self.service.post(self.whileItLives([](MySqlServer &again, ReconnectingSession &link) {
                                again.flush(link);
                                again.scheduleFlush(); // from here: a thread that is busy must not collect flushes
                            }));
                        }));
}

void MySqlServer::flush(ReconnectingSession &link)
{
    auto error = latency.flush(link);
    if (!error || !error->connectionGone) {
        const auto second = attempts.flush(link);
        error = error ? error : second;
    }
    if (error)
        qCDebug(engineLog) << "measurements are written later:" << error->toString();
}

/// On a connection with short time-outs in place of the service thread's: a server that is away must not delay the end.
void MySqlServer::flushLast()
{
    service.post([this](ReconnectingSession &link) {
        link.drop();
        SessionTarget brief = makeTarget(m_core.config, m_core.owner, kLastAnswer);
        brief.connectTimeout = kLastAnswer;
        ReconnectingSession last(brief);
        flush(last);
    });
}

bool MySqlServer::knowsName(const QByteArray &resource)
{
    const std::lock_guard lock(m_mutex);
    return m_names.contains(resource);
}

void MySqlServer::rememberName(const QByteArray &resource)
{
    const std::lock_guard lock(m_mutex);
    if (m_names.size() >= kMaxNames)
        m_names.clear();
    m_names.insert(resource);
}

void MySqlServer::forgetName(const QByteArray &resource)
{
    const std::lock_guard lock(m_mutex);
    m_names.remove(resource);
}

bool MySqlServer::endSession(ReconnectingSession &link, quint64 number)
{
    if (number == 0 || number == link.sessionNumber())
        return true;
    if (const Reply killed = link.kill(number); !killed)
        return killed.error->code == kUnknownSession;              // which is what we hope for
    const auto params = Params().lockName("name", markOf(number)); // freed after its transaction
    for (int i = 0; i < 200; ++i) {
        const Reply reply = link.run("engine/name_held", params);
        if (!reply)
            return false;
        if (!reply.value().toBool())
            return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false; // a COMMIT that waits for a replica or a disk cannot be killed
}

} // namespace lockscope::detail
