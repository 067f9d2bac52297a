// SPDX-License-Identifier: MIT
#pragma once

#include "engine/core/enginecore_p.h"
#include "lockscope/lockstore.h"

namespace lockscope::detail {

/// Locks in a store of the application's choice. Renewals go one by one, in a thread of their own.
class StoreBackend : public Backend
{
public:
    /// Of `core`, whose part it is; its configuration has the store.
    StoreBackend(EngineCore &core, LockStore &store);

    std::optional<LockError> validate() const override { return m_store.validate(); }
    std::optional<LockError> validate(const LockRequest &request) const override;
    std::optional<LockError> check() override;
    void begin() override { }
    AcquireResult acquire(const LockRequest &request, QByteArray owner) override;
    RequestResult requestRelease(Mode mode, const QByteArray &resource, const QString &reason) override;
    HeldLeases heldLeases(const LeaseSelection &selection, const std::stop_token &stop) override;
    ForcedRelease endLease(const LeaseId &lease, const ReleaseNote &note) override;
    std::optional<LockError> clean() override { return std::nullopt; }
    void record(MeasuredMode /*mode*/, Ending /*ending*/, Duration /*duration*/) override { }
    void finish() override { }
    void stop() override;

private:
    EngineCore &m_core;
    LockStore &m_store;
    const LockStore::Traits m_traits;
    const std::shared_ptr<ConnectionThread> m_renewals; ///< without a connection
};

} // namespace lockscope::detail
