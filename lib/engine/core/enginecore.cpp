// SPDX-License-Identifier: MIT
#include "enginecore_p.h"

#include "releaserequests_p.h"
#include "session/validation_p.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QRandomGenerator>
#include <QtCore/QSysInfo>

#include <algorithm>
#include <array>

namespace lockscope::detail {

Q_LOGGING_CATEGORY(engineLog, "lockscope.engine", QtWarningMsg)

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

QByteArray randomSession()
{
    std::array<quint32, 4> bits{};
    QRandomGenerator::system()->generate(bits.begin(), bits.end());
    return QByteArray(reinterpret_cast<const char *>(bits.data()), sizeof bits).toHex();
}

Owner makeOwner(const EngineConfig &config)
{
    Owner owner;
    owner.service = config.service.isEmpty() ? QCoreApplication::applicationName() : config.service;
    owner.host = QSysInfo::machineHostName();
    owner.pid = QCoreApplication::applicationPid();
    owner.session = randomSession();
    return owner;
}

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

EngineCore::EngineCore(EngineConfig engineConfig)
    : config(std::move(engineConfig))
    , owner(makeOwner(config))
    , target(makeTarget(config, owner, std::chrono::seconds(0)))
    , latency(config.measuresLatency, owner, config.namePrefix)
    , timer(target)
    , service(makeTarget(config, owner, kQuickAnswer))
    , keeper(makeTarget(config, owner, kQuickAnswer), owner.session, [this] { localQueue.callAll(); })
    , pool(target, connectionsOf(config) - 2, service)
{
    asyncThreads.setMaxThreadCount(MaxAsyncRequests); // the pool bounds their connections
}

EngineCore::~EngineCore() = default;

std::optional<LockError> EngineCore::validateProcess() const
{
    if (!process.isForeign())
        return std::nullopt;
    return badRequest(
        QStringLiteral("This engine belongs to the parent process. After fork() a child makes an engine of its own."));
}

void EngineCore::scheduleCleaning()
{
    // Jitter keeps the engines of many processes from cleaning at once.
    const auto when =
        ConnectionThread::Clock::now() + kCleanEvery * (50 + QRandomGenerator::global()->bounded(100)) / 100;
    timer.postAt(when, [weak = weak_from_this()](ReconnectingSession &) {
        const auto core = weak.lock();
        if (!core || core->isClosing())
            return;
        core->clean(std::make_shared<CleaningRound>(core->config));
    });
}

/// One batch now, and the next after whatever else there is to do.
void EngineCore::clean(const std::shared_ptr<CleaningRound> &round)
{
    service.post([weak = weak_from_this(), round](ReconnectingSession &link) {
        const bool isMore = round->step(link);
        const auto core = weak.lock();
        if (round->error())
            qCDebug(engineLog) << "clean-up put off:" << round->error()->toString();
        if (core && !core->isClosing())
            isMore ? core->clean(round) : core->scheduleCleaning();
    });
}

void EngineCore::schedulePresenceCheck()
{
    timer.postAt(
        ConnectionThread::Clock::now() + kPresenceCheckEvery, [weak = weak_from_this()](ReconnectingSession &) {
            const auto core = weak.lock();
            if (!core || core->isClosing())
                return;
            if (core->hasHolds() || core->localQueue.isAnybodyThere())
                core->keeper.checkSession();
            if (core->hasHolds()) {
                core->service.post([core](ReconnectingSession &link) {
                    takeReleaseRequests(link, core->owner.session, [&](const auto &request) { core->tell(request); });
                });
            }
            core->schedulePresenceCheck();
        });
}

void EngineCore::scheduleFlush()
{
    if (!config.measuresLatency)
        return;
    timer.postAt(ConnectionThread::Clock::now() + latency.pause(), [weak = weak_from_this()](ReconnectingSession &) {
        const auto core = weak.lock();
        if (!core || core->isClosing())
            return;
        core->service.post([weak](ReconnectingSession &link) {
            const auto engine = weak.lock();
            if (!engine || engine->isClosing())
                return;
            engine->flush(link);
            engine->scheduleFlush(); // from here: a thread that is busy must not collect flushes
        });
    });
}

void EngineCore::flush(ReconnectingSession &link)
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
void EngineCore::flushLast()
{
    service.post([this](ReconnectingSession &link) {
        link.drop();
        SessionTarget brief = makeTarget(config, owner, kLastAnswer);
        brief.connectTimeout = kLastAnswer;
        ReconnectingSession last(brief);
        flush(last);
    });
}

bool EngineCore::hasHolds()
{
    const std::lock_guard lock(m_mutex);
    return !m_holds.empty();
}

std::shared_ptr<Hold> EngineCore::reenter(const LockRequest &request)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_holds.find({request.ownerKey, request.mode, request.resource});
    if (found == m_holds.end() || !found->second->isHeld())
        return nullptr;
    ++found->second->handles;
    return found->second;
}

bool EngineCore::holdsAnything(const QByteArray &ownerKey)
{
    const std::lock_guard lock(m_mutex);
    auto hold = m_holds.lower_bound({ownerKey, Mode::Unique, {}});
    while (hold != m_holds.end() && hold->second->ownerKey == ownerKey && !hold->second->isHeld())
        ++hold;
    return hold != m_holds.end() && hold->second->ownerKey == ownerKey;
}

std::shared_ptr<Hold> EngineCore::findHold(Mode mode, const QByteArray &resource, quint64 number)
{
    const std::lock_guard lock(m_mutex);
    for (const auto &[key, hold] : m_holds) {
        if (hold->mode == mode && hold->resource == resource && hold->number() == number)
            return hold;
    }
    return nullptr;
}

void EngineCore::tell(const ReleaseRequest &request)
{
    const auto hold = findHold(request.mode, request.resource, request.number);
    if (!hold || !hold->onReleaseRequested)
        return; // released meanwhile, or it does not want to know
    timer.post([hold, reason = request.reason](ReconnectingSession &) {
        if (hold->isHeld())
            hold->onReleaseRequested(reason);
    });
}

void EngineCore::measured(MeasuredMode mode, Ending ending, const QByteArray &resource, Duration duration)
{
    latency.record(mode, ending, duration);
    if (config.onMeasured)
        config.onMeasured({mode, ending, resource.mid(config.namePrefix.size()), duration});
}

void EngineCore::addHold(const std::shared_ptr<Hold> &hold)
{
    const std::lock_guard lock(m_mutex);
    m_holds.insert_or_assign(keyOf(*hold), hold);
}

bool EngineCore::dropHandle(const std::shared_ptr<Hold> &hold)
{
    const std::lock_guard lock(m_mutex);
    if (--hold->handles > 0)
        return false;
    takeOut(hold); // in the same moment: nobody may re-enter what is about to be released
    return true;
}

void EngineCore::forgetHold(const std::shared_ptr<Hold> &hold)
{
    const std::lock_guard lock(m_mutex);
    takeOut(hold);
}

bool EngineCore::endHold(Hold &hold, Hold::State state)
{
    if (!hold.leaveHeld(state))
        return false;
    const auto held = std::chrono::duration_cast<Duration>(LeaseClock::now() - hold.grantedAt);
    measured(measuredMode(hold.mode), Ending::Held, hold.resource, held);
    return true;
}

/// Call with m_mutex held.
void EngineCore::takeOut(const std::shared_ptr<Hold> &hold)
{
    const auto found = m_holds.find(keyOf(*hold));
    if (found != m_holds.end() && found->second == hold)
        m_holds.erase(found);
}

bool EngineCore::knowsName(const QByteArray &resource)
{
    const std::lock_guard lock(m_mutex);
    return m_names.contains(resource);
}

void EngineCore::rememberName(const QByteArray &resource)
{
    const std::lock_guard lock(m_mutex);
    if (m_names.size() >= kMaxNames)
        m_names.clear();
    m_names.insert(resource);
}

void EngineCore::forgetName(const QByteArray &resource)
{
    const std::lock_guard lock(m_mutex);
    m_names.remove(resource);
}

void EngineCore::addWait(const std::shared_ptr<WaitControl> &wait)
{
    const std::lock_guard lock(m_mutex);
    m_waits.insert(wait);
    if (m_closing.load())
        wait->cancel();
}

void EngineCore::removeWait(const std::shared_ptr<WaitControl> &wait)
{
    const std::lock_guard lock(m_mutex);
    m_waits.erase(wait);
    m_noWaits.notify_all();
}

bool EngineCore::endConnection(ReconnectingSession &link, quint64 connectionId)
{
    if (connectionId == 0 || connectionId == link.connectionId())
        return true;
    if (const Reply killed = link.kill(connectionId); !killed)
        return killed.error->code == kUnknownSession; // which is what we hope for
    const auto params = Params().number("connection", connectionId);
    for (int i = 0; i < 200; ++i) {
        const Reply reply = link.run("engine/session_gone", params);
        if (!reply)
            return false;
        if (reply.set(-1).rows.isEmpty())
            return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false; // a COMMIT that waits for a replica or a disk cannot be killed
}

bool EngineCore::beginCall()
{
    m_calls.fetch_add(1);
    if (!m_closing.load())
        return true;
    endCall();
    return false;
}

void EngineCore::endCall()
{
    if (m_calls.fetch_sub(1) == 1 && m_closing.load())
        m_calls.notify_all();
}

void EngineCore::close()
{
    std::call_once(m_end, [this] { end(); });
}

void EngineCore::abandon()
{
    std::call_once(m_end, [this] {
        decltype(m_holds) holds;
        {
            const std::lock_guard lock(m_mutex);
            m_closing = true;
            holds.swap(m_holds);
        }
        for (const auto &[key, hold] : holds)
            endHold(*hold, Hold::State::Released);
        ForkGuard::keep(shared_from_this()); // its threads go on until the process is gone
    });
}

void EngineCore::end()
{
    decltype(m_holds) holds;
    {
        std::unique_lock lock(m_mutex);
        m_closing = true;
        for (const auto &wait : m_waits)
            wait->cancel();
        ownerTurns.close();
        m_noWaits.wait(lock, [this] { return m_waits.empty(); });
    }
    asyncThreads.waitForDone();
    for (int calls = m_calls.load(); calls > 0; calls = m_calls.load())
        m_calls.wait(calls);
    {
        const std::lock_guard lock(m_mutex);
        holds.swap(m_holds);
    }
    for (const auto &[key, hold] : holds) {
        if (endHold(*hold, Hold::State::Released))
            hold->release(*this, false);
    }
    // Connections of threads that go on living cannot be closed from here; the server ends them.
    for (const quint64 id : pool.foreignConnections()) {
        service.post([id](ReconnectingSession &link) { link.kill(id); });
    }
    if (m_ready.load())
        flushLast();
    pool.close(); // a store of optimistic mode may keep this core for longer
    // Their jobs may hold the last reference to this core: it must not die in one of its own threads.
    timer.stop();
    service.stop();
    keeper.stop();
}

} // namespace lockscope::detail
