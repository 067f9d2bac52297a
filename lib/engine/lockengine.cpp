// SPDX-License-Identifier: MIT
#include "lockscope/lockengine.h"

#include "engine/core/asyncwork_p.h"
#include "engine/core/enginecall_p.h"
#include "engine/core/requestcheck_p.h"
#include "engine/core/watchdog_p.h"
#include "engine/mysqlbackend_p.h"
#include "engine/pessimistic/rowacquire_p.h"
#include "engine/store/storebackend_p.h"
#include "engine/unique/leaserelease_p.h"
#include "session/validation_p.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QScopeGuard>

#include <atomic>

namespace lockscope {

namespace {

using detail::badRequest;

/// Numbers threads in the order in which they first ask; never used again, unlike the system's ids.
QByteArray threadNumber()
{
    static std::atomic<quint64> next{1};
    thread_local const QByteArray number = QByteArray::number(next.fetch_add(1));
    return number;
}

QByteArray ownerKeyOf(const LockRequest &request)
{
    return request.ownerKey.isEmpty() ? "thread:" + threadNumber() : "key:" + request.ownerKey;
}

/// The asking owner as it is stored with the lease. A thread's own text is made once per engine: it costs more than
/// the rest of an uncontended acquire does on this side.
QByteArray ownerJson(Owner owner, const QByteArray &key)
{
    if (!key.isEmpty()) {
        owner.thread = QString::fromUtf8(key);
        owner.key = QCryptographicHash::hash(key, QCryptographicHash::Sha256).toHex().left(16);
        return owner.toJson();
    }
    thread_local std::pair<QByteArray, QByteArray> made; // the engine's session, the text
    if (made.first != owner.session) {
        owner.thread = QString::fromUtf8(threadNumber());
        made = {owner.session, owner.toJson()};
    }
    return made.second;
}

/// Asks the server by `ask` once it is ready. Every way to a lock goes through here, so that each is measured once; one
/// that needs no server (re-entrant, or refused as it is) has no latency worth counting.
template<typename Ask>
AcquireResult measured(detail::EngineCore &core, LockRequest &request, Ask ask)
{
    const auto begin = std::chrono::steady_clock::now();
    auto unready = core.waitUntilReady(request);
    AcquireResult result = unready ? AcquireResult{unready->outcome, {}, std::move(unready->error)} : ask();
    if (unready && result.error && result.error->kind == LockError::Kind::BadRequest)
        return result; // the configuration
    core.measured(measuredMode(request.mode), Ending(int(result.outcome)), request.resource,
                  std::chrono::round<Duration>(std::chrono::steady_clock::now() - begin));
    return result;
}

std::optional<LockError> validateFor(const detail::EngineCore &core, const LockRequest &request)
{
    auto refused = core.validateProcess();
    if (!refused)
        refused = detail::validate(request, core.config.namePrefix.size());
    return refused ? refused : core.backend->validate(request);
}

/// Turns a request into what the server is asked for. An error: it is refused before any I/O.
std::optional<LockError> prepare(const detail::EngineCore &core, LockRequest *request)
{
    if (auto wrong = validateFor(core, *request))
        return wrong;
    request->ownerKey = ownerKeyOf(*request);
    if (request->stripes > 0)
        request->resource = detail::stripeOf(request->resource, request->stripes);
    request->resource.prepend(core.config.namePrefix);
    return std::nullopt;
}

/// The lock that its owner holds already. What was written without a token cannot be fenced by a later one.
AcquireResult reentered(LockHandle handle, const LockRequest &request)
{
    if (!request.wantsToken || handle.token() > 0)
        return {Outcome::Granted, std::move(handle), {}};
    auto refused = badRequest(QStringLiteral("This owner holds the lock already, and without a fencing token. Set "
                                             "wantsToken in its first request."));
    return {Outcome::Failed, {}, std::move(refused)};
}

/// Asks the server, for a request that may wait there or not.
AcquireResult ask(const std::shared_ptr<detail::EngineCore> &core, LockRequest &request, const QByteArray &ownerKey)
{
    return measured(*core, request, [&] { return core->backend->acquire(request, ownerJson(core->owner, ownerKey)); });
}

/// The same for an owner that may have another request for the lock under way, in another thread.
AcquireResult askInTurn(const std::shared_ptr<detail::EngineCore> &core, LockRequest &request,
                        const QByteArray &ownerKey)
{
    using detail::OwnerTurns;
    const OwnerTurns::Key key{request.ownerKey, request.mode, request.resource};
    const auto end = detail::Wait::endOf(request.wait);
    for (bool hasWaited = false;; hasWaited = true) {
        const auto turn = core->ownerTurns.take(key, end, request.stop);
        if (turn == OwnerTurns::Turn::Cancelled)
            return {Outcome::Cancelled, {}, {}};
        if (turn == OwnerTurns::Turn::Over)
            return {request.wait > Duration::zero() ? Outcome::TimedOut : Outcome::Busy, {}, {}};
        if (turn == OwnerTurns::Turn::Past)
            continue;
        const auto leaves = qScopeGuard([&] { core->ownerTurns.leave(key); });
        if (auto hold = core->reenter(request))
            return reentered(LockHandle(std::move(hold)), request);
        if (hasWaited && request.wait != Forever) {
            const auto left = std::chrono::duration_cast<Duration>(end - OwnerTurns::Clock::now());
            request.wait = std::max(std::min(request.wait, Duration(1)), left); // a try stays one
        }
        return ask(core, request, ownerKey);
    }
}

/// What is wrong with a list of leases to end, if anything.
std::optional<LockError> validateFor(const detail::EngineCore &core, const QList<HeldLease> &leases,
                                     const detail::ReleaseNote &note)
{
    if (auto refused = core.validateProcess())
        return refused;
    for (const HeldLease &lease : leases) {
        if (auto wrong = detail::validateResource(lease.resource, core.config.namePrefix.size()))
            return wrong;
        if (lease.token == 0)
            return badRequest(QStringLiteral("A lease without a token cannot be told from later ones of its name."));
    }
    return detail::validate(note);
}

std::unique_ptr<detail::Backend> makeBackend(detail::EngineCore &core)
{
    if (core.config.store)
        return std::make_unique<detail::StoreBackend>(core, *core.config.store);
    return std::make_unique<detail::MySqlBackend>(core);
}

} // namespace

LockEngine::LockEngine(EngineConfig config)
    : m_core(std::make_shared<detail::EngineCore>(std::move(config), makeBackend))
{
}

LockEngine::~LockEngine()
{
    if (m_core->process.isForeign())
        ForkGuard::keep(std::move(m_core));
    else
        m_core->close();
}

std::optional<LockError> LockEngine::connectToServer()
{
    return m_core->ensureReady();
}

std::optional<LockError> LockEngine::check(const LockRequest &request)
{
    return detail::validate(request, 0);
}

std::optional<LockError> LockEngine::validate(const LockRequest &request) const
{
    return validateFor(*m_core, request);
}

AcquireResult LockEngine::acquire(const LockRequest &request)
{
    LockRequest owned = request;
    if (auto wrong = prepare(*m_core, &owned))
        return {Outcome::Failed, {}, std::move(wrong)};
    const detail::EngineCall call(m_core);
    if (!call || request.stop.stop_requested())
        return {Outcome::Cancelled, {}, {}};
    if (auto hold = m_core->reenter(owned))
        return reentered(LockHandle(std::move(hold)), owned);
    if (request.ownerKey.isEmpty()) // a thread has one request at a time
        return ask(m_core, owned, {});
    return askInTurn(m_core, owned, request.ownerKey);
}

QFuture<AcquireResult> LockEngine::acquireAsync(LockRequest request)
{
    static std::atomic<quint64> next{1};
    if (request.ownerKey.isEmpty())
        request.ownerKey = "async " + QByteArray::number(next.fetch_add(1));
    return detail::startAsync(*m_core, [this, request = std::move(request)] { return acquire(request); });
}

AcquireResult LockEngine::acquireAny(const QList<QByteArray> &resources, const LockRequest &request)
{
    LockRequest owned = request;
    owned.mode = Mode::Pessimistic;
    owned.wait = Duration::zero();
    owned.stripes = 0;
    if (resources.isEmpty())
        return {Outcome::Failed, {}, badRequest(QStringLiteral("The list of resources is empty."))};
    QList<QByteArray> rows;
    LockRequest one;
    for (const QByteArray &resource : resources) {
        one = owned;
        one.resource = resource;
        if (auto wrong = prepare(*m_core, &one))
            return {Outcome::Failed, {}, std::move(wrong)};
        rows += one.resource;
    }
    const detail::EngineCall call(m_core);
    if (!call || request.stop.stop_requested())
        return {Outcome::Cancelled, {}, {}};
    if (rows.size() == 1)
        rows += rows.first(); // of several rows none is entered again or waited for, and so it is with one
    return measured(*m_core, one,
                    [&] { return detail::acquireRow(m_core, one, ownerJson(m_core->owner, request.ownerKey), rows); });
}

RequestResult LockEngine::requestRelease(const QByteArray &resource, const QString &reason, Mode mode)
{
    LockRequest asked;
    asked.mode = mode;
    asked.resource = resource;
    auto refused = prepare(*m_core, &asked);
    if (!refused && (reason.trimmed().isEmpty() || reason.size() > MaxReasonCharacters))
        refused = badRequest(QStringLiteral("Give a reason of 1–%1 characters.").arg(MaxReasonCharacters));
    if (!refused)
        refused = m_core->ensureReady();
    if (refused)
        return {RequestOutcome::Failed, {}, std::move(refused)};
    return m_core->backend->requestRelease(mode, asked.resource, reason);
}

HeldLeases LockEngine::heldLeases(const LeaseSelection &selection, const std::stop_token &stop)
{
    auto refused = m_core->validateProcess();
    if (!refused)
        refused = detail::validate(selection, m_core->config.namePrefix.size());
    if (!refused)
        refused = m_core->ensureReady();
    if (refused)
        return {{}, std::move(refused)};
    return m_core->backend->heldLeases(selection, stop);
}

ForcedReleases LockEngine::forceRelease(const QList<HeldLease> &leases, const QString &operatorName,
                                        const QString &reason, const std::stop_token &stop,
                                        const ForcedProgress &progress)
{
    const detail::ReleaseNote note{operatorName, reason};
    auto refused = validateFor(*m_core, leases, note);
    if (!refused)
        refused = m_core->ensureReady();
    if (refused)
        return {.left = leases.size(), .firstError = std::move(refused)};
    return detail::endAll(leases.size(), stop, [&, leases](qsizetype i) { // a copy: `progress` may change the list
        const detail::LeaseId lease{m_core->config.namePrefix + leases[i].resource, 0, leases[i].token};
        ForcedRelease done = m_core->backend->endLease(lease, note);
        const auto own = m_core->findHold(Mode::Unique, lease.resource, lease.token);
        if (own && done.outcome == ForcedRelease::Outcome::Released)
            detail::notifyLoss(m_core, own, LossReason::TakenOver); // or its owner could enter it again
        if (progress)
            progress(leases[i], done);
        return done;
    });
}

Owner LockEngine::owner() const
{
    return m_core->owner;
}

std::optional<LockError> LockEngine::clean()
{
    if (auto refused = m_core->ensureReady())
        return refused;
    return m_core->backend->clean();
}

} // namespace lockscope
