// SPDX-License-Identifier: MIT
#pragma once

#include "engine/mysql/mysqlserver_p.h"

namespace lockscope::detail {

/// A held lease of unique mode: renewed by the service thread until it ends.
class LeaseHold : public Hold
{
public:
    LeaseHold(const std::shared_ptr<EngineCore> &core, const LockRequest &request, QByteArray ownerJson);

    quint64 number() const override { return token; }
    /// Frees the row or hands it on: uniquerelease.cpp. There is no work that could be kept.
    ReleaseOutcome release(EngineCore &core, bool keepsWork) override;
    RenewOutcome renew(const std::shared_ptr<EngineCore> &core, Duration ttl) override;
    Duration keepInterval() const override;
    void keep(const std::shared_ptr<EngineCore> &core) override;
    void letGo(EngineCore &core, LossReason reason) override;

    /// The name by which the row says that this hold has it. A lease that is cut short gets another one, for those who
    /// wait for the old one have read its old end; `former` is not empty until it is known which of them the row has.
    QByteArray presence() const;
    QByteArray former() const;
    void setPresence(QByteArray name, QByteArray formerName = {});

    const Duration holdAtLeast;
    bool contended = false; ///< others may have waited when it was granted: its name is not used again

    /// Held from before a renewal is sent until its deadline is set, and by a release.
    std::mutex renewing;
    /// The session that broke under the last renewal, which may still arrive; 0 = none. Guarded by `renewing`.
    quint64 brokenSession = 0;

private:
    QByteArray m_presence; // protected by m_mutex, as is the next
    QByteArray m_former;
};

} // namespace lockscope::detail
