// SPDX-License-Identifier: MIT
// Whether an engine's configuration, server and schema are fit for it, asked before its first request.
#include "enginecore_p.h"
#include "processend_p.h"
#include "session/validation_p.h"

#include <algorithm>

namespace lockscope::detail {

namespace {

/// What is wrong with a configuration, whatever the server.
std::optional<LockError> validate(const EngineConfig &config)
{
    if (config.namePrefix.size() > MaxPrefixBytes || config.namePrefix.contains('\0')) {
        return badRequest(
            QStringLiteral("EngineConfig::namePrefix has %1 bytes; at most %2 are allowed, and no NUL byte.")
                .arg(config.namePrefix.size())
                .arg(MaxPrefixBytes));
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
    auto wrong = validate(config);
    if (!wrong)
        wrong = backend->validate();
    if (wrong)
        return wrong;
    const quint64 seen = m_checks.load();
    const std::lock_guard lock(m_checking);
    if (m_ready.load() || m_checks.load() != seen) // another thread has asked meanwhile
        return m_refused;
    m_refused = backend->check();
    closeWithProcess(shared_from_this());
    ++m_checks;
    if (!m_refused && !m_ready.exchange(true))
        backend->begin();
    return m_refused;
}

std::optional<Refusal> EngineCore::waitUntilReady(LockRequest &request)
{
    using Clock = Wait::Clock;
    const auto end = Wait::endOf(request.wait);
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

} // namespace lockscope::detail
