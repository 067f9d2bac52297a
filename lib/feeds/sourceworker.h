// SPDX-License-Identifier: MIT
#pragma once

#include "actions/keyrelease.h"
#include "keyworker.h"
#include "monitor.h"
#include "pacedworker.h"

#include <stop_token>

namespace lockscope {

/// The half of the monitor that lives in its thread, of a server that is read as a LockSource. Private to lib/feeds.
class SourceWorker : public PacedWorker
{
    Q_OBJECT
public:
    /// `server` is the number that it has in the list.
    SourceWorker(int server, SourceMaker maker);

    /// From any thread: a poll that is going on leaves the rest.
    void interrupt() { m_stop.request_stop(); }

    /// All of these run in the monitor's thread.
    void start();
    void setLimit(int limit);
    void watch(const std::optional<LockKey> &key);
    void poll() override;
    void preview(const LockKey &key);
    void release(const ReleaseOrder &order, const ServerAccess &access);
    /// Locks of other programs join the list, in place of those before.
    void setKeys(const KeyLocksPtr &found, const KeyPasses &passes);
    void previewKey(const KeyReleaseOrder &order);
    void releaseKey(const KeyReleaseOrder &order, const ServerAccess &access);

Q_SIGNALS:
    void statusChanged(const lockscope::MonitorStatus &status);
    void snapshotTaken(const lockscope::LockSnapshot &snapshot);
    void detailsUpdated(const lockscope::LockDetails &details);
    void previewReady(const lockscope::LockKey &key, const lockscope::ReleasePreview &preview,
                      const std::optional<lockscope::LockError> &error);
    void released(const lockscope::ReleaseOrder &order, const lockscope::ReleaseReport &report);
    void keyPreviewReady(const lockscope::KeyReleaseOrder &order, const lockscope::KeyReleasePreview &preview,
                         const std::optional<lockscope::LockError> &error);
    void keyReleased(const lockscope::KeyReleaseOrder &order, const lockscope::KeyReleaseReport &report);

private:
    PollPace &pollPace() override { return m_pace; }
    std::unique_ptr<LockSource> make(SourceUse use) const;
    LockSource &source();
    std::optional<LockError> readList(LockSnapshot *read);
    std::optional<LockError> readLeases(LockSnapshot *read, QList<LockRow> *rows);
    std::optional<LockError> readOne(const LockKey &key, std::optional<LockRow> *row, SnapshotClock *clock);
    std::optional<LockError> readDetails(const LockSnapshot &list, std::optional<LockDetails> *read);
    void number(std::optional<LockRow> *row) const;
    void replaceKey(const LockKey &key, const std::optional<LockRow> &row);
    void publish();
    void onSucceeded();
    void onFailed(const LockError &error);

    const int m_server;
    const SourceMaker m_maker;
    std::unique_ptr<LockSource> m_source; ///< null until it is needed
    std::stop_source m_stop;
    PollPace m_pace;
    AuditFile m_audit;
    LockSnapshot m_snapshot;     ///< the last one, without keys; empty before the first poll
    QList<SharedLockRow> m_keys; ///< locks of other programs, sorted by key
    std::optional<KeyPasses> m_keyPasses;
    std::optional<LockError> m_withoutLeases; ///< why there are none, at the last poll
    std::optional<LockKey> m_watched;
    MonitorStatus m_status;
    int m_limit = Monitor::DefaultLimit;
};

} // namespace lockscope
