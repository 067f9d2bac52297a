// SPDX-License-Identifier: MIT
#pragma once

#include "feedworker.h"
#include "tablesfeed.h"

namespace lockscope {

/// The half of the feed that lives in its thread. Private to lib/feeds.
class TablesWorker : public FeedWorker
{
    Q_OBJECT
public:
    explicit TablesWorker(const SessionTarget &target);

    /// All of these run in the feed's thread.
    void refresh();
    void poll() override;
    void preview(const TableReleaseOrder &order);
    void release(const TableReleaseOrder &order, const ServerAccess &access);

Q_SIGNALS:
    void updated(const lockscope::TableLocksPtr &tables);
    void failed(const lockscope::LockError &error);
    void previewReady(const lockscope::TableReleaseOrder &order, const QString &why,
                      const std::optional<lockscope::LockError> &error);
    void released(const lockscope::TableReleaseOrder &order, const lockscope::TableReleaseReport &report);

private:
    void readProfiles();
    std::optional<LockError> onOpened(Session &session) override;

    const SessionTarget m_target;
    AuditFile m_audit;
    QStringList m_faulty; ///< as TableLocks::faultyProfiles
    bool m_areProfilesOld = false;
    std::optional<TableReader> m_reader; ///< with the profiles of the last look for tables
    bool m_hasToldTables = false;        ///< the last `updated` had some
    QString m_serverName;                ///< as ServerInfo::ownName, of the last session
};

} // namespace lockscope
