// SPDX-License-Identifier: MIT
#include "serverconnection.h"

#include "furtherservers.h"
#include "serverrecording.h"
#include "session/schema.h"
#include "sources/storeaddress.h"

#include <QtCore/QSettings>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using Phase = MonitorStatus::Phase;

ServerConnection::ServerConnection(QObject *parent)
    : QObject(parent)
    , m_calls(this)
    , m_clock(this)
    , m_last(std::make_shared<LockListUpdate>())
    , m_operatorTimer(this)
    , m_recording(new ServerRecording(this))
{
    m_operatorTimer.setSingleShot(true);
    connect(&m_operatorTimer, &QTimer::timeout, this, &ServerConnection::endOperatorMode);
    connect(&m_clock, &LiveClock::lateChanged, this, &ServerConnection::showStatus);
    m_further = new FurtherServers(this); // which follows the feeds
    connect(m_further, &FurtherServers::changed, this, &ServerConnection::onFurtherChanged);
}

void ServerConnection::open(const ServerProfile &profile, const QString &password)
{
    openWith(profile, password, {});
}

void ServerConnection::openWith(const ServerProfile &profile, const QString &password,
                                const DeadlockInboxPtr &deadlocks)
{
    retireFeeds();
    m_deadlocks = deadlocks;
    ++m_generation;
    m_operatorTimer.stop();
    m_further->setOperators({});
    m_profile = profile;
    m_profile.ownName.clear(); // another server may be there by now
    m_profile.isRecognized = false;
    // The tag is of the server, by whatever way somebody comes to it.
    m_profile.isProduction |= !profile.isPrivate && isTaggedAsProduction(m_profile);
    note(m_profile);
    m_target = {};
    m_words.reset();
    m_target.url = profile.url;
    m_target.password = password;
    m_identity.clear();
    m_told = {};
    m_notStarted.reset();
    m_status = {};
    m_last = std::make_shared<LockListUpdate>();
    m_watched.reset();
    m_watchedSession.reset();
    m_tracked.clear();
    m_clock.forget();
    freezeClock();
    Q_EMIT opened();
    Q_EMIT modeChanged();
    Q_EMIT statusChanged();
    if (isRecorded())
        startReplay();
    else if (isStore())
        startStore();
    else if (!profile.isPrivate || !m_target.url.socket.isEmpty())
        startFeeds();
    else {
        startWithoutServer();
        startPrivateServer();
    }
}

void ServerConnection::note(const ServerProfile &profile)
{
    if (profile.isPrivate)
        m_privateFolder = profile.folder;
    if (profile.isPrivate || isRecorded())
        return;
    m_visited.removeIf([&profile](const ServerProfile &before) { return before.isAt(profile); });
    m_visited.append(profile);
}

void ServerConnection::reopen()
{
    ServerProfile profile = m_profile;
    if (profile.isPrivate)
        profile.name = ServerProfile::privateServer().name; // perhaps in another language by now
    const bool wasStarted = m_operatorTimer.isActive();
    const std::chrono::milliseconds left = m_operatorTimer.remainingTimeAsDuration();
    const QList<int> operators = m_further->operators();
    openWith(profile, QString(m_target.password), DeadlockInboxPtr(m_deadlocks)); // the server keeps the latest alone
    if (!wasStarted)
        return;
    m_operatorTimer.start(left);
    m_further->setOperators(operators);
    Q_EMIT modeChanged();
}

void ServerConnection::startFeeds()
{
    m_feeds = {std::make_unique<Monitor>(m_target), std::make_unique<WaitsFeed>(m_target),
               std::make_unique<LatencyFeed>(m_target), std::make_unique<TablesFeed>(m_target)};
    connectFeeds();
    feed<WaitsFeed>()->setOff(m_profile.waitsOff);
    if (m_deadlocks)
        feed<WaitsFeed>()->setDeadlocks(m_deadlocks);
    pacePolls();
    Q_EMIT feedsMade();
    call(&Monitor::watch, m_watched); // perhaps of a further server
    feed<Monitor>()->start();
    feed<WaitsFeed>()->start();
    feed<TablesFeed>()->start();
}

void ServerConnection::connectFeeds()
{
    auto *monitor = feed<Monitor>();
    auto *waits = feed<WaitsFeed>();
    connect(monitor, &Monitor::statusChanged, this, &ServerConnection::onStatus);
    connect(monitor, &Monitor::listUpdated, this, &ServerConnection::onList);
    connect(monitor, &Monitor::released, this, &ServerConnection::released);
    connect(monitor, &Monitor::keyReleased, this, &ServerConnection::keyReleased);
    connect(waits, &WaitsFeed::updated, monitor, &Monitor::setServerWaits);
    connect(waits, &WaitsFeed::killed, this, &ServerConnection::killed);
    connect(waits, &WaitsFeed::preparedEnded, this, &ServerConnection::preparedEnded);
    connect(waits, &WaitsFeed::updated, this,
            [this](const ServerWaitsPtr &, const Capabilities &server) { onIdentity(server.identity); });
    connect(waits, &WaitsFeed::deadlocksRead, this, [this](const DeadlockInboxPtr &inbox) { m_deadlocks = inbox; });
    connect(feed<TablesFeed>(), &TablesFeed::updated, monitor, &Monitor::setTableLocks);
    connect(feed<TablesFeed>(), &TablesFeed::released, this, &ServerConnection::tableReleased);
}

void ServerConnection::pacePolls()
{
    setInterval(m_interval);
    setHidden(m_isHidden);
    setGuesses(m_withGuesses);
    pauseFeeds(m_isPaused);
}

void ServerConnection::pauseFeeds(bool isPaused)
{
    call(&Monitor::setPaused, isPaused);
    call(&WaitsFeed::setPaused, isPaused);
    call(&TablesFeed::setPaused, isPaused);
}

/// The statement in flight may take seconds to end; nobody waits for it here.
void ServerConnection::retireFeeds()
{
    const auto retire = [this]<typename Feed>(Feed *feed) {
        if (!feed)
            return;
        feed->disconnect(); // from whoever follows it
        feed->setParent(this);
        connect(feed, &Feed::stopped, feed, &QObject::deleteLater);
        feed->stop();
    };
    std::apply([&retire](auto &...feeds) { (retire(feeds.release()), ...); }, m_feeds);
    m_replay.reset();
}

void ServerConnection::onStatus(const MonitorStatus &status)
{
    m_told = status;
    if (!status.isFailing())
        m_notStarted.reset();
    if (hearOwnName(&m_profile, status.server.ownName))
        recheckGuards();
    showStatus();
}

void ServerConnection::recheckGuards()
{
    QList<int> changed = m_further->recognizeAll();
    if (recognize(&m_profile))
        changed.append(0);
    for (const int server : std::as_const(changed))
        Q_EMIT guardChanged(server);
    if (!changed.isEmpty())
        Q_EMIT modeChanged();
}

void ServerConnection::showStatus()
{
    m_status = m_told;
    if (m_clock.isLate() && !m_told.isFailing()) {
        m_status.phase = Phase::Failing;
        m_status.error = noAnswer();
    }
    if (m_notStarted && m_status.isFailing())
        m_status.error = m_notStarted;
    freezeClock();
    Q_EMIT statusChanged();
}

LockError ServerConnection::noAnswer()
{
    LockError error;
    error.kind = LockError::Kind::Unavailable;
    error.message = tr("The server does not answer at present.");
    return error;
}

void ServerConnection::onList(const LockListUpdatePtr &update)
{
    m_last = update;
    if (!isRecorded())
        m_clock.expectEvery(m_interval, update->cost);
    if (update->clock.server != ServerTime{}) // else only further servers have been read
        m_clock.sync(update->clock);
    Q_EMIT listUpdated(update);
}

void ServerConnection::onIdentity(const QString &identity)
{
    if (!m_identity.isEmpty() && !isSameRun(m_identity, identity))
        Q_EMIT restarted(startOf(identity));
    m_identity = identity;
}

void ServerConnection::freezeClock()
{
    m_clock.setFrozen(m_isPaused || m_status.isFailing() || isRecorded());
}

void ServerConnection::setPaused(bool paused)
{
    if (m_isPaused == paused || isRecorded())
        return;
    m_isPaused = paused;
    freezeClock();
    pauseFeeds(paused);
    Q_EMIT pausedChanged(paused);
}

/// A second is often enough for waits that matter, and their tables cost more than those of the engine.
void ServerConnection::setInterval(std::chrono::milliseconds interval)
{
    m_interval = interval;
    call(&Monitor::setInterval, interval);
    call(&WaitsFeed::setInterval, std::max(interval, WaitsFeed::DefaultInterval));
    call(&TablesFeed::setInterval, std::max(interval, TablesFeed::DefaultInterval));
}

void ServerConnection::setWaitsOff(const QSet<WaitSource> &sources)
{
    if (m_profile.waitsOff == sources)
        return;
    m_profile.waitsOff = sources;
    call(&WaitsFeed::setOff, sources);
    Q_EMIT waitsOffChanged();
}

void ServerConnection::setHidden(bool hidden)
{
    m_isHidden = hidden;
    m_clock.setTicking(!hidden);
    call(&Monitor::setHidden, hidden);
    call(&WaitsFeed::setHidden, hidden);
    call(&TablesFeed::setHidden, hidden);
}

void ServerConnection::setGuesses(bool withGuesses)
{
    m_withGuesses = withGuesses;
    call(&Monitor::setGuesses, withGuesses);
}

void ServerConnection::watch(const std::optional<LockKey> &key)
{
    m_watched = key;
    call(&Monitor::watch, key);
    sendTracked();
}

void ServerConnection::watchSession(std::optional<quint64> session)
{
    m_watchedSession = session;
    sendTracked();
}

void ServerConnection::track(const QSet<quint64> &sessions)
{
    m_tracked = sessions;
    sendTracked();
}

void ServerConnection::sendTracked()
{
    QSet<quint64> rowsOf;
    if (m_watchedSession)
        rowsOf.insert(*m_watchedSession);
    if (m_watched && m_watched->kind == LockKind::Transaction)
        rowsOf.insert(m_watched->session);
    call(&WaitsFeed::track, m_tracked, rowsOf);
}

void ServerConnection::refresh()
{
    if (isRecorded())
        return;
    if (!m_profile.isPrivate || !m_profile.url.socket.isEmpty() || !m_status.isFailing())
        return refreshFeeds();
    if (!isOpen()) {
        call(&Monitor::refresh);
        m_told = {};
        m_notStarted.reset();
        showStatus();
    }
    startPrivateServer(); // what is shown stays
}

void ServerConnection::refreshFeeds()
{
    call(&WaitsFeed::refresh);
    call(&TablesFeed::refresh);
    call(&Monitor::refresh);
}

void ServerConnection::test(const ServerProfile &profile, const QString &password, QObject *context,
                            std::function<void(TestResult)> done)
{
    SessionTarget target;
    target.url = profile.url;
    target.password = password;
    const auto tryIt = [target = forWatching(target), store = profile.store, password] {
        TestResult result;
        LockError error;
        if (!store.isEmpty()) {
            result.error = makeSource(store, password)->open();
            return result;
        }
        if (const auto session = Session::open(target, &error)) {
            result.server = session->info();
            result.error = checkSchema(*session);
        } else {
            result.error = error;
        }
        return result;
    };
    m_calls.run(tryIt, context, std::move(done));
}

} // namespace lockscope::ui
