// SPDX-License-Identifier: MIT
#include "enginecore_p.h"

#include "session/validation_p.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QRandomGenerator>
#include <QtCore/QSysInfo>

#include <algorithm>
#include <array>

namespace lockscope::detail {

Q_LOGGING_CATEGORY(engineLog, "lockscope.engine", QtWarningMsg)

namespace {

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

} // namespace

LockError notWithoutMySql(const QString &what)
{
    return badRequest(
        QStringLiteral("%1 needs an engine on MySQL or MariaDB; this one has EngineConfig::store.").arg(what));
}

EngineCore::EngineCore(EngineConfig engineConfig, const MakeBackend &makeBackend)
    : config(std::move(engineConfig))
    , owner(makeOwner(config))
    , timer(SessionTarget())
    , backend(makeBackend(*this))
{
    asyncThreads.setMaxThreadCount(MaxAsyncRequests); // the backend bounds their connections
}

EngineCore::~EngineCore() = default;

std::optional<LockError> EngineCore::validateProcess() const
{
    if (!process.isForeign())
        return std::nullopt;
    return badRequest(
        QStringLiteral("This engine belongs to the parent process. After fork() a child makes an engine of its own."));
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

void EngineCore::tellReleaseRequest(Mode mode, const QByteArray &resource, quint64 number, const QString &reason)
{
    const auto hold = findHold(mode, resource, number);
    if (!hold || !hold->onReleaseRequested)
        return; // released meanwhile, or it does not want to know
    timer.post([hold, reason](ReconnectingSession &) {
        if (hold->isHeld())
            hold->onReleaseRequested(reason);
    });
}

void EngineCore::measured(MeasuredMode mode, Ending ending, const QByteArray &resource, Duration duration)
{
    backend->record(mode, ending, duration);
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

void EngineCore::addWait(const std::shared_ptr<Wait> &wait)
{
    const std::lock_guard lock(m_mutex);
    m_waits.insert(wait);
    if (m_closing.load())
        wait->cancel();
}

void EngineCore::removeWait(const std::shared_ptr<Wait> &wait)
{
    const std::lock_guard lock(m_mutex);
    m_waits.erase(wait);
    m_noWaits.notify_all();
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
    backend->finish();
    // Their jobs may hold the last reference to this core: it must not die in one of its own threads.
    timer.stop();
    backend->stop();
}

} // namespace lockscope::detail
