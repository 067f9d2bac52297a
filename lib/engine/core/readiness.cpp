// SPDX-License-Identifier: MIT
// Whether an engine's configuration, server and schema are fit for it, asked before its first request.
#include "enginecore_p.h"
#include "processend_p.h"
#include "session/validation_p.h"

#include <algorithm>

namespace lockscope::detail {

namespace {

/// What is wrong with a configuration. The address may have been put together by hand.
std::optional<LockError> validate(const EngineConfig &config)
{
    ServerUrl parsed;
    QString wrong;
    if (!ServerUrl::parse(config.server.toString(), &parsed, &wrong))
        return badRequest(wrong);
    if (config.namePrefix.size() > MaxPrefixBytes || config.namePrefix.contains('\0')) {
        return badRequest(
            QStringLiteral("EngineConfig::namePrefix has %1 bytes; at most %2 are allowed, and no NUL byte.")
                .arg(config.namePrefix.size())
                .arg(MaxPrefixBytes));
    }
    if (config.maxConnections < LeastConnections)
        return badRequest(QStringLiteral("EngineConfig::maxConnections must be at least %1.").arg(LeastConnections));
    for (const Duration kept : {config.idleRowsKept, config.eventsKept, config.latencyKept, config.doneKept}) {
        if (kept < Duration::zero())
            return badRequest(QStringLiteral("What EngineConfig keeps for how long may not be negative."));
    }
    return std::nullopt;
}

} // namespace

std::optional<LockError> EngineCore::ensureReady()
{
    if (auto refused = validateProcess())
        return refused;
    if (m_ready.load())
        return std::nullopt;
    if (auto wrong = validate(config))
        return wrong;
    const quint64 seen = m_checks.load();
    const std::lock_guard lock(m_checking);
    if (m_ready.load() || m_checks.load() != seen) // another thread has asked meanwhile
        return m_refused;
    service.run([this](ReconnectingSession &link) { m_refused = check(link); });
    closeWithProcess(shared_from_this());
    ++m_checks;
    if (!m_refused && !m_ready.exchange(true)) {
        scheduleCleaning();
        schedulePresenceCheck();
        scheduleFlush();
    }
    return m_refused;
}

std::optional<Refusal> EngineCore::waitUntilReady(LockRequest &request)
{
    using Clock = WaitControl::Clock;
    const auto end = WaitControl::endOf(request.wait);
    for (bool hasWaited = false;; hasWaited = true) {
        auto refused = ensureReady();
        if (!refused && hasWaited && request.wait != Forever)
            request.wait = std::max(Duration(1), std::chrono::duration_cast<Duration>(end - Clock::now()));
        if (!refused)
            return std::nullopt;
        if (refused->kind != LockError::Kind::Contention)
            return Refusal{Outcome::Failed, std::move(refused)};
        if (request.stop.stop_requested() || isClosing())
            return Refusal{Outcome::Cancelled};
        if (request.wait == Duration::zero())
            return Refusal{Outcome::Busy};
        if (Clock::now() >= end)
            return Refusal{Outcome::TimedOut};
    }
}

std::optional<LockError> EngineCore::check(ReconnectingSession &link)
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

} // namespace lockscope::detail
