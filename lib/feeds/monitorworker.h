// SPDX-License-Identifier: MIT
#pragma once

#include "feedworker.h"
#include "locks/conflictrates.h"
#include "locks/leasemirror.h"
#include "locks/newevents.h"
#include "monitor.h"
#include "otherlocks.h"

namespace lockscope {

/// The half of the monitor that lives in its thread. Private to lib/feeds.
class MonitorWorker : public FeedWorker
{
    Q_OBJECT
public:
    explicit MonitorWorker(const SessionTarget &target);

    /// All of these run in the monitor's thread.
    void start();
    /// Asked of the server only when the whole list does not fit.
    void setFilter(const QString &filter);
    void setLimit(int limit);
    void setServerWaits(const ServerWaitsPtr &waits);
    void setTableLocks(const TableLocksPtr &tables);
    void watch(const std::optional<LockKey> &key);
    void replay(const RecordedLookPtr &look);
    void poll() override;
    void preview(const LockKey &key);
    void release(const ReleaseOrder &order, const ServerAccess &access);
    void installTables();

Q_SIGNALS:
    void statusChanged(const lockscope::MonitorStatus &status);
    void snapshotTaken(const lockscope::LockSnapshot &snapshot);
    void detailsUpdated(const lockscope::LockDetails &details);
    void eventsArrived(const QList<lockscope::Event> &events);
    void previewReady(const lockscope::LockKey &key, const lockscope::ReleasePreview &preview,
                      const std::optional<lockscope::LockError> &error);
    void released(const lockscope::ReleaseOrder &order, const lockscope::ReleaseReport &report);
    void tablesInstalled(const std::optional<lockscope::LockError> &error);

private:
    /// What was read and is not told yet, beside m_snapshot.
    struct Poll
    {
        bool isListRead = false;
        std::optional<LockDetails> details;
        QList<Event> events;
    };

    std::optional<LockError> onOpened(Session &session) override;
    std::optional<LockError> readAll(Poll *poll);
    std::optional<LockError> readList();
    std::optional<LockError> readDetails(std::optional<LockDetails> *read);
    LockDetails recordedDetails() const;
    void showOthers();
    void publish();
    void sendSnapshot();
    void report(const Poll &poll);
    void onSucceeded();
    void onFailed(const LockError &error);
    bool pushesFilterDown() const;

    const SessionTarget m_target;
    std::optional<LeaseReader> m_reader; ///< of the session
    std::optional<LeaseMirror> m_leases; ///< the same
    AuditFile m_audit;

    QByteArray m_needle;     ///< of the filter, see LockFilter
    LockSnapshot m_snapshot; ///< the last one; empty before the first poll
    LockSnapshot m_others;   ///< of it, what is no lease
    ConflictRates m_rates;
    OtherLocks m_elses;   ///< what is not the engine's
    bool m_isCut = false; ///< the whole list does not fit, so the server has to filter
    std::optional<LockKey> m_watched;

    RecordedLookPtr m_recorded; ///< of a recording; null: a server is watched

    NewEvents m_newEvents;

    MonitorStatus m_status;
    int m_limit = Monitor::DefaultLimit;
};

} // namespace lockscope
