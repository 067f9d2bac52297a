// SPDX-License-Identifier: MIT
#pragma once

#include "actions/tablerelease.h"
#include "locktables/tablereader.h"
#include "session/sessiontarget.h"
#include "workerthread.h"

#include <QtCore/QObject>

namespace lockscope {

class TablesWorker;

/// Watches the lock tables of other programs, from a thread and a connection of its own: there may be many, and one
/// that is locked takes long to say so. Never has two polls in flight and spends no more than a tenth of the time
/// asking. Thread: that of its creator; every call returns at once, every signal arrives through the event loop. The
/// destructor waits for the statement in flight, at most AnswerLimit.
class TablesFeed : public QObject
{
    Q_OBJECT
public:
    static constexpr std::chrono::milliseconds DefaultInterval{2000};

    explicit TablesFeed(SessionTarget target, QObject *parent = nullptr);
    ~TablesFeed() override;

    void start();
    /// Ends without waiting; `stopped` follows. No other call may come after it.
    void stop();
    void setInterval(std::chrono::milliseconds interval);
    void setPaused(bool paused);
    void setHidden(bool hidden);
    /// Reads profiles again, which it does by itself for zones alone, looks for the tables anew, and reads them now.
    void refresh();

    /// Whether the server lets it be released. Answered by previewReady.
    void preview(const TableReleaseOrder &order);
    /// Answered by released.
    void release(const TableReleaseOrder &order, const ServerAccess &access);

Q_SIGNALS:
    /// Each poll, also where nothing has changed. Of one that failed it is what is known of this server, as unread;
    /// where no lock table is, there is none, unless the one before had some.
    void updated(const lockscope::TableLocksPtr &tables);
    /// After that: none could be read, or looked for; tried again by itself. The next `updated` ends it.
    void failed(const lockscope::LockError &error);
    /// `why` is why it cannot be; empty: it can.
    void previewReady(const lockscope::TableReleaseOrder &order, const QString &why,
                      const std::optional<lockscope::LockError> &error);
    void released(const lockscope::TableReleaseOrder &order, const lockscope::TableReleaseReport &report);
    void stopped();

private:
    WorkerThread<TablesWorker> m_thread;
};

} // namespace lockscope
