// SPDX-License-Identifier: MIT
// The half of the connection that shows a recording: its feeds ask no server, and say what the file has.
#include "serverconnection.h"

#include "refusal.h"

namespace lockscope::ui {

void ServerConnection::startReplay()
{
    m_replay = std::make_unique<ReplayFeed>(m_profile.recording);
    m_feeds = {std::make_unique<Monitor>(m_target), std::make_unique<WaitsFeed>(m_target),
               std::make_unique<ReplayedLatency>(m_replay.get()), std::make_unique<TablesFeed>(m_target)};
    auto *monitor = feed<Monitor>();
    pauseFeeds(true); // they ask no server, whatever is set
    connect(monitor, &Monitor::statusChanged, this, &ServerConnection::onStatus);
    connect(monitor, &Monitor::listUpdated, this, &ServerConnection::onList);
    connect(m_replay.get(), &ReplayFeed::failed, this, &ServerConnection::onReplayFailed);
    connect(m_replay.get(), &ReplayFeed::opened, this, &ServerConnection::replayOpened);
    connect(m_replay.get(), &ReplayFeed::shown, this, &ServerConnection::onMoment);
    Q_EMIT feedsMade();
}

void ServerConnection::showMoment(ServerTime at)
{
    if (m_replay)
        m_replay->show(at);
}

void ServerConnection::onMoment(const ReplayedMomentPtr &moment)
{
    const RecordedLook &look = moment->moment.look;
    feed<Monitor>()->replay(std::make_shared<const RecordedLook>(look));
    Q_EMIT feed<WaitsFeed>()->updated(std::make_shared<const ServerWaits>(look.waits), look.capabilities);
    Q_EMIT feed<WaitsFeed>()->deadlocksRead(moment->deadlocks);
    if (!moment->noDeadlocks.isEmpty())
        Q_EMIT feed<WaitsFeed>()->deadlocksFailed(refusal(moment->noDeadlocks));
    Q_EMIT feed<TablesFeed>()->updated(std::make_shared<const TableLocks>(look.tables));
    Q_EMIT momentShown(moment);
}

void ServerConnection::onReplayFailed(const QString &why)
{
    MonitorStatus status;
    status.phase = MonitorStatus::Phase::Failing;
    status.error = refusal(why);
    onStatus(status);
    Q_EMIT feed<WaitsFeed>()->failed(*status.error);
    Q_EMIT feed<LatencyFeed>()->failed(*status.error);
}

} // namespace lockscope::ui
