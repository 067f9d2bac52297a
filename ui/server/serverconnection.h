// SPDX-License-Identifier: MIT
#pragma once

#include "backgroundcalls.h"
#include "feeds/latencyfeed.h"
#include "feeds/monitor.h"
#include "feeds/replayfeed.h"
#include "feeds/tablesfeed.h"
#include "feeds/waitsfeed.h"
#include "liveclock.h"
#include "privateserver/privateserver.h"
#include "serverprofile.h"

#include <functional>
#include <memory>
#include <tuple>

namespace lockscope::ui {

class FurtherServers;
class ServerRecording;

/// The one server that the window looks at: its profile, its feeds, and whether anything may be changed there.
/// Pages talk to the feeds and never to a server. GUI thread only; nothing here blocks.
class ServerConnection : public QObject
{
    Q_OBJECT
public:
    /// How long operator mode lasts on a server that is not the private one.
    static constexpr std::chrono::minutes OperatorTime{15};

    explicit ServerConnection(QObject *parent = nullptr);

    /// Leaves the server before and connects to this one. The private server is started when it does not run.
    void open(const ServerProfile &profile, const QString &password);
    /// The same server once more, for somebody who has not heard what it said so far; what may be done there stays.
    void reopen();
    const ServerProfile &profile() const { return m_profile; }
    /// The private server, in the folder that it was opened in.
    ServerProfile privateProfile() const { return ServerProfile::privateServer(m_privateFolder); }
    /// Those that were opened, but the private one; each address once.
    const QList<ServerProfile> &visited() const { return m_visited; }
    /// Once it runs, where the private server is; else the profile's.
    const ServerUrl &url() const { return m_target.url; }
    /// The same in words, also of a store.
    QString urlText() const { return isStore() ? m_profile.store : m_target.url.toString(); }
    /// With the password that it was opened with; for work of its own beside the monitor's.
    const SessionTarget &target() const { return m_target; }
    bool isOpen() const { return feed<Monitor>() && feed<Monitor>()->hasServer(); }
    /// What is shown is a moment of a recording: nothing is live, and nothing can be changed.
    bool isRecorded() const { return !m_profile.recording.isEmpty(); }
    /// It is a Redis, a ZooKeeper or an etcd: it has leases and nothing else, so of the feeds there is a monitor alone.
    bool isStore() const { return m_profile.isStore(); }
    /// Those whose locks stand in the list beside its own.
    FurtherServers *further() const { return m_further; }
    /// Of the server that a lock of the list is of.
    const ServerProfile &profileOf(int server) const;
    const ServerProfile &profileOf(const LockKey &key) const { return profileOf(key.server); }
    /// Somebody may have tagged a server as production, or one was heard of by what it calls itself.
    void recheckGuards();
    const MonitorStatus &statusOf(const LockKey &key) const;
    const LiveClock *clockOf(const LockKey &key) const;
    bool isOperatorOf(int server) const;
    bool isOperatorOf(const LockKey &key) const { return isOperatorOf(key.server); }
    /// What a person has recorded of the server.
    ServerRecording *recording() const { return m_recording; }
    /// Of a recording: another moment.
    void showMoment(ServerTime at);
    /// Null while there is none.
    template<typename Feed>
    Feed *feed() const
    {
        return std::get<std::unique_ptr<Feed>>(m_feeds).get();
    }
    /// Calls this function of the feed if there is one.
    template<typename Feed, typename... Parameters, typename... Args>
    void call(void (Feed::*function)(Parameters...), const Args &...args)
    {
        if (feed<Feed>())
            (feed<Feed>()->*function)(args...);
    }
    /// Connects to this signal of the feed, and to that of each server to come; not to that of a server before.
    template<typename Feed, typename... Args, typename Context, typename Slot>
    void follow(void (Feed::*signal)(Args...), Context *context, Slot slot)
    {
        const auto attach = [this, signal, context, slot] {
            if (feed<Feed>())
                connect(feed<Feed>(), signal, context, slot);
        };
        attach();
        connect(this, &ServerConnection::feedsMade, context, attach);
    }
    /// Also fails while data that should have come does not: see noAnswer().
    const MonitorStatus &status() const { return m_status; }
    /// The server neither answers nor fails.
    bool isUnanswered() const { return m_status.isFailing() && !m_told.isFailing(); }
    /// What is said of a server that neither answers nor fails.
    static LockError noAnswer();
    const LiveClock *clock() const { return &m_clock; }
    LiveClock *clock() { return &m_clock; }
    /// The last counts, cost and size of the list.
    const LockListUpdate &last() const { return *m_last; }
    /// Every deadlock seen so far; null: not read yet.
    const DeadlockInboxPtr &deadlocks() const { return m_deadlocks; }

    /// False: read-only, nothing on the server may be changed.
    bool isOperator() const;
    /// What that means for actions and for the lab.
    ServerAccess access() const;
    /// A person started it and its time is not over: also of a private server, which needs none for itself.
    bool isOperatorStarted() const { return m_operatorTimer.isActive(); }
    /// There is a server that wants it before anything may be changed there.
    bool hasOperatorMode() const { return !guardedServers().isEmpty(); }
    /// Those, by their numbers in the list; 0 is its own.
    QList<int> guardedServers() const;
    /// Nothing of what is listed is read-only.
    bool isOperatorOfAll() const;
    /// None: operator mode has no end (private server).
    std::optional<std::chrono::seconds> operatorTimeLeft() const;
    /// From the next start on; OperatorTime where nobody says else.
    void setOperatorTime(std::chrono::milliseconds time) { m_operatorTime = time; }
    /// Consent is for those that were named: who joins the list meanwhile or later has none.
    void startOperatorMode(const QList<int> &named);
    void startOperatorMode() { startOperatorMode(guardedServers()); }
    void endOperatorMode();

    bool isPaused() const { return m_isPaused; }
    std::chrono::milliseconds interval() const { return m_interval; }
    void setPaused(bool paused);
    void setInterval(std::chrono::milliseconds interval);
    void setHidden(bool hidden);
    /// Whether keys of stores are listed of which only the name says that they are locks; of every server to come too.
    void setGuesses(bool withGuesses);
    /// Tells all that poll once more how to: one of them is new.
    void pacePolls();
    /// What the waits are not read from, by the person's choice; part of the profile.
    void setWaitsOff(const QSet<WaitSource> &sources);
    void watch(const std::optional<LockKey> &key);
    /// The session whose row locks the waits list one by one, beside those of the lock that is watched.
    void watchSession(std::optional<quint64> session);
    /// Sessions that the waits look up whatever they do: ServerWaits::tracked.
    void track(const QSet<quint64> &sessions);
    /// Asks the server again; the private one is started where it has been stopped.
    void refresh();

    /// What a release sends, and the script that it names, where it names one.
    QByteArray releaseStatement(const ReleaseOrder &order) const;
    QByteArray releaseScript(const LockKey &key) const;
    /// What ends another program's key or node.
    QByteArray keyStatement(const LockRow &lock, const KeyHolder &holder) const;
    /// What changes the server goes by these, which want operator mode. Answered by released.
    void release(const ReleaseOrder &order);
    void installTables();
    /// Answered by tableReleased.
    void releaseTable(const TableReleaseOrder &order);
    /// Of another program's key or node. Answered by keyReleased.
    void releaseKey(const KeyReleaseOrder &order);
    /// Answered by killed.
    void kill(const KillOrder &order);
    /// Answered by preparedEnded.
    void endPrepared(const PreparedOrder &order);

    struct TestResult
    {
        ServerInfo server;
        std::optional<LockError> error; ///< SchemaMissing: connected, but without lock tables
    };
    /// Tries a server beside the GUI thread; `done` runs here unless `context` is gone by then.
    void test(const ServerProfile &profile, const QString &password, QObject *context,
              std::function<void(TestResult)> done);
    /// The private server ends if nobody else uses it. Blocks for seconds: for the end of the program.
    void leavePrivateServer();

Q_SIGNALS:
    /// Another server from here on: forget what the last one said.
    void opened();
    /// Its feeds are there, and begin when this has been told.
    void feedsMade();
    void statusChanged();
    void listUpdated(const lockscope::LockListUpdatePtr &update);
    void released(const lockscope::ReleaseOrder &order, const lockscope::ReleaseReport &report);
    void tableReleased(const lockscope::TableReleaseOrder &order, const lockscope::TableReleaseReport &report);
    void keyReleased(const lockscope::KeyReleaseOrder &order, const lockscope::KeyReleaseReport &report);
    void killed(const lockscope::KillOrder &order, const lockscope::KillReport &report);
    void preparedEnded(const lockscope::PreparedOrder &order, const lockscope::PreparedReport &report);
    void modeChanged();
    /// This server of the list is, or is no more, recognized as one that is tagged as production.
    void guardChanged(int server);
    /// The server that is looked at was started anew at this time.
    void restarted(ServerTime at);
    void pausedChanged(bool paused);
    void waitsOffChanged();
    /// A recording can be moved through from here on.
    void replayOpened(const lockscope::RecordingInfo &info, const QList<lockscope::Incident> &incidents);
    void momentShown(const lockscope::ReplayedMomentPtr &moment);

private:
    void openWith(const ServerProfile &profile, const QString &password, const DeadlockInboxPtr &deadlocks);
    void startReplay();
    void onMoment(const ReplayedMomentPtr &moment);
    void onReplayFailed(const QString &why);
    void note(const ServerProfile &profile);
    void startPrivateServer();
    void onNotStarted(const LockError &error);
    void startWithoutServer();
    void startFeeds();
    void startStore();
    const LockSource *wordsOf(const LockKey &key) const;
    void connectFeeds();
    void pauseFeeds(bool isPaused);
    void refreshFeeds();
    void retireFeeds();
    void onStatus(const MonitorStatus &status);
    void showStatus();
    void onList(const LockListUpdatePtr &update);
    void onIdentity(const QString &identity);
    void freezeClock();
    void sendTracked();
    void onFurtherChanged();

    ServerProfile m_profile;
    QString m_privateFolder;
    QString m_identity; ///< of the run of the server that answers
    QList<ServerProfile> m_visited;
    SessionTarget m_target;              ///< of a store its password alone
    std::unique_ptr<LockSource> m_words; ///< of a store: for what releases send, never opened
    BackgroundCalls m_calls;
    LiveClock m_clock;
    MonitorStatus m_told;                  ///< by the monitor
    std::optional<LockError> m_notStarted; ///< the private server; more than the monitor can say
    MonitorStatus m_status;
    LockListUpdatePtr m_last;
    DeadlockInboxPtr m_deadlocks;
    std::optional<LockKey> m_watched;
    std::optional<quint64> m_watchedSession;
    QSet<quint64> m_tracked;
    QTimer m_operatorTimer;
    std::chrono::milliseconds m_operatorTime = OperatorTime;
    std::chrono::milliseconds m_interval = Monitor::DefaultInterval;
    int m_generation = 0; ///< of `open`; answers of an earlier one are dropped
    bool m_isPaused = false;
    bool m_isHidden = false;
    bool m_withGuesses = false;
    /// Of the thread that starts the server too, so that it counts also when nobody waits for the answer any more.
    std::shared_ptr<PrivateServerUser> m_privateUser = std::make_shared<PrivateServerUser>();
    ServerRecording *m_recording;
    FurtherServers *m_further = nullptr;
    std::unique_ptr<ReplayFeed> m_replay; ///< of a recording
    /// Last, so that they go before what their signals reach.
    std::tuple<std::unique_ptr<Monitor>, std::unique_ptr<WaitsFeed>, std::unique_ptr<LatencyFeed>,
               std::unique_ptr<TablesFeed>>
        m_feeds;
};

} // namespace lockscope::ui
