// SPDX-License-Identifier: MIT
#pragma once

#include "backgroundcalls.h"
#include "feeds/latencyfeed.h"
#include "feeds/monitor.h"
#include "feeds/waitsfeed.h"
#include "liveclock.h"
#include "serverprofile.h"

#include <QtCore/QDateTime>
#include <QtCore/QPointer>

#include <atomic>
#include <functional>

namespace lockscope::ui {

/// The one server that the window looks at: its profile, its monitor, and whether anything may be changed there.
/// Pages talk to it and never to a server. GUI thread only; nothing here blocks.
class ServerLink : public QObject
{
    Q_OBJECT
public:
    /// How long operator mode lasts on a server that is not the private one.
    static constexpr std::chrono::minutes operatorTime{15};

    explicit ServerLink(QObject *parent = nullptr);
    ~ServerLink() override;

    /// Leaves the server before and connects to this one. The private server is started when it does not run.
    void open(const ServerProfile &profile, const QString &password);
    /// The same server once more, for somebody who has not heard what it said so far.
    void reopen();
    const ServerProfile &profile() const { return m_profile; }
    /// Once it runs, where the private server is; else the profile's.
    const ServerUrl &url() const { return m_target.url; }
    /// With the password that it was opened with; for work of its own beside the monitor's.
    const SessionTarget &target() const { return m_target; }
    bool isOpen() const { return m_monitor != nullptr; }
    const MonitorStatus &status() const { return m_status; }
    const LiveClock *clock() const { return &m_clock; }
    LiveClock *clock() { return &m_clock; }
    /// The last counts, cost and size of the list.
    const LockListUpdate &last() const { return *m_last; }

    /// False: read-only, nothing on the server may be changed.
    bool isOperator() const;
    /// None: operator mode has no end (private server).
    std::optional<std::chrono::seconds> operatorTimeLeft() const;
    /// From the next start on; operatorTime where nobody says else.
    void setOperatorTime(std::chrono::milliseconds time) { m_operatorTime = time; }
    void startOperatorMode();
    void endOperatorMode();
    /// Who acts, for the audit: "alice@host".
    static QString operatorName();

    bool isPaused() const { return m_isPaused; }
    std::chrono::milliseconds interval() const { return m_interval; }
    void setPaused(bool paused);
    void setInterval(std::chrono::milliseconds interval);
    void setHidden(bool hidden);
    void setView(const LockView &view);
    /// What the waits are not read from, by the person's choice; part of the profile.
    void setWaitsOff(const QSet<WaitSource> &sources);
    void setLimit(int limit);
    int limit() const { return m_limit; }
    void watch(const std::optional<LockKey> &key);
    /// The session whose row locks the waits list one by one, beside those of the lock that is watched.
    void watchSession(std::optional<quint64> session);
    /// Sessions that the waits look up whatever they do: ServerWaits::tracked.
    void track(const QSet<quint64> &sessions);
    void refresh();
    /// Answered by latencyArrived, again and again; none to stop.
    void askLatency(const std::optional<LatencyQuestion> &question);

    void preview(const LockKey &key);
    void release(const ReleaseOrder &order);
    void installTables();
    /// Answered by killed; before it killProgressed while changes are undone.
    void kill(const KillOrder &order);

    struct TestResult
    {
        ServerInfo server;
        std::optional<LockError> error; ///< SchemaMissing: connected, but without lock tables
    };
    /// Tries a server beside the GUI thread; `done` runs here unless `context` is gone by then.
    void test(const ServerUrl &url, const QString &password, QObject *context, std::function<void(TestResult)> done);
    /// Stops the private server if this process started it. Blocks for seconds: for the end of the program.
    void stopOwnServer();

Q_SIGNALS:
    /// Another server from here on: forget what the last one said.
    void opened();
    void statusChanged();
    void listUpdated(const lockscope::LockListUpdatePtr &update);
    void detailsUpdated(const lockscope::LockDetails &details);
    void eventsArrived(const QList<lockscope::Event> &events);
    void previewReady(const lockscope::LockKey &key, const lockscope::ReleasePreview &preview,
                      const std::optional<lockscope::LockError> &error);
    void released(const lockscope::ReleaseOrder &order, const lockscope::ReleaseReport &report);
    void tablesInstalled(const std::optional<lockscope::LockError> &error);
    void latencyArrived(const lockscope::LatencyPicturePtr &picture);
    void latencyFailed(const lockscope::LockError &error);
    void waitsUpdated(const lockscope::ServerWaitsPtr &waits, const lockscope::Capabilities &capabilities);
    void waitsFailed(const lockscope::LockError &error);
    void killProgressed(const lockscope::KillOrder &order, const lockscope::KillReport &report);
    void killed(const lockscope::KillOrder &order, const lockscope::KillReport &report);
    void modeChanged();
    void pausedChanged(bool paused);
    void limitChanged();
    void waitsOffChanged();

private:
    void startPrivateServer();
    void startMonitor();
    void startWaitsFeed();
    void retireMonitor();
    void onStatus(const MonitorStatus &status);
    void onList(const LockListUpdatePtr &update);
    void freezeClock();
    std::chrono::milliseconds waitsInterval() const;
    void sendTracked();

    ServerProfile m_profile;
    SessionTarget m_target;
    Monitor *m_monitor = nullptr;         ///< child
    LatencyFeed *m_latencyFeed = nullptr; ///< child
    WaitsFeed *m_waitsFeed = nullptr;     ///< child
    BackgroundCalls m_calls;
    LiveClock m_clock;
    MonitorStatus m_status;
    LockListUpdatePtr m_last;
    LockView m_view;
    std::optional<LockKey> m_watched;
    std::optional<quint64> m_watchedSession;
    QSet<quint64> m_tracked;
    std::optional<LatencyQuestion> m_latencyQuestion;
    QTimer m_operatorTimer;
    std::chrono::milliseconds m_operatorTime = operatorTime;
    std::chrono::milliseconds m_interval = Monitor::defaultInterval;
    int m_limit = 1000;
    int m_generation = 0; ///< of `open`; answers of an earlier one are dropped
    bool m_isPaused = false;
    bool m_isHidden = false;
    /// Set by the thread that starts it, so that it counts also when nobody waits for the answer any more.
    std::shared_ptr<std::atomic<bool>> m_hasStartedServer = std::make_shared<std::atomic<bool>>(false);
};

} // namespace lockscope::ui
