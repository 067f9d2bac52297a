// SPDX-License-Identifier: MIT
#pragma once

#include "engine/core/backend_p.h"
#include "engine/mysql/mysqlserver_p.h"

namespace lockscope::detail {

/// Locks in MySQL or MariaDB.
class MySqlBackend : public Backend
{
public:
    /// Of `core`, whose part it is.
    explicit MySqlBackend(EngineCore &core);

    std::optional<LockError> validate() const override { return m_server.validate(); }
    std::optional<LockError> validate(const LockRequest & /*request*/) const override { return std::nullopt; }
    std::optional<LockError> check() override { return m_server.check(); }
    void begin() override { m_server.begin(); }
    AcquireResult acquire(const LockRequest &request, QByteArray owner) override;
    RequestResult requestRelease(Mode mode, const QByteArray &resource, const QString &reason) override;
    HeldLeases heldLeases(const LeaseSelection &selection, const std::stop_token &stop) override;
    ForcedRelease endLease(const LeaseId &lease, const ReleaseNote &note) override;
    std::optional<LockError> clean() override { return m_server.clean(); }
    void record(MeasuredMode mode, Ending ending, Duration duration) override;
    void finish() override { m_server.finish(); }
    void stop() override { m_server.stop(); }
    MySqlServer *mysql() override { return &m_server; }

private:
    EngineCore &m_core;
    MySqlServer m_server;
};

} // namespace lockscope::detail
