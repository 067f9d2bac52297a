// SPDX-License-Identifier: MIT
#include "mysqlbackend_p.h"

#include "engine/mysql/releaserequests_p.h"
#include "engine/pessimistic/rowacquire_p.h"
#include "engine/unique/leaserelease_p.h"
#include "engine/unique/uniqueacquire_p.h"

namespace lockscope::detail {

MySqlBackend::MySqlBackend(EngineCore &core)
    : m_core(core)
    , m_server(core)
{
}

AcquireResult MySqlBackend::acquire(const LockRequest &request, QByteArray owner)
{
    const auto core = m_core.shared_from_this();
    if (request.mode == Mode::Pessimistic)
        return acquireRow(core, request, owner, {request.resource});
    return UniqueAcquire(core, request, std::move(owner)).run();
}

RequestResult MySqlBackend::requestRelease(Mode mode, const QByteArray &resource, const QString &reason)
{
    RequestResult result;
    m_server.runQuick([&](ReconnectingSession &link) { result = askForRelease(link, mode, resource, reason); });
    return result;
}

HeldLeases MySqlBackend::heldLeases(const LeaseSelection &selection, const std::stop_token &stop)
{
    return readHeldLeases(selection, m_core.config.namePrefix, stop,
                          [this](const SessionPool::Work &work) { m_server.runQuick(work); });
}

ForcedRelease MySqlBackend::endLease(const LeaseId &lease, const ReleaseNote &note)
{
    ForcedRelease done;
    m_server.runQuick([&](ReconnectingSession &link) { done = detail::endLease(link, lease, note); });
    return done;
}

void MySqlBackend::record(MeasuredMode mode, Ending ending, Duration duration)
{
    m_server.latency.record(mode, ending, duration);
}

} // namespace lockscope::detail
