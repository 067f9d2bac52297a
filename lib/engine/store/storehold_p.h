// SPDX-License-Identifier: MIT
#pragma once

#include "engine/core/enginecore_p.h"
#include "lockscope/lockstore.h"

namespace lockscope::detail {

/// A held lease in a store.
class StoreHold : public Hold
{
public:
    /// `store` outlives the engine's end, which is when holds stop calling it. `renewals` renews.
    StoreHold(const std::shared_ptr<EngineCore> &core, LockStore &store, std::shared_ptr<ConnectionThread> renewals,
              const LockRequest &request, QByteArray ownerJson, LockStore::Lease lease);

    quint64 number() const override { return token; }
    ReleaseOutcome release(EngineCore &core, bool keepsWork) override;
    RenewOutcome renew(const std::shared_ptr<EngineCore> &core, Duration ttl) override;
    Duration keepInterval() const override;
    void keep(const std::shared_ptr<EngineCore> &core) override;
    void letGo(EngineCore & /*core*/, LossReason /*reason*/) override { }

private:
    RenewOutcome renewInStore(const std::shared_ptr<EngineCore> &core, Duration ttl);
    Duration leftOfMinimum() const;

    LockStore &m_store;
    const LockStore::Traits m_traits;
    const std::shared_ptr<ConnectionThread> m_renewals;
    const LockStore::Lease m_lease;
    const Duration m_holdAtLeast;
    std::mutex m_renewing; ///< held from before a renewal is sent until its deadline is set, and by a release
};

} // namespace lockscope::detail
