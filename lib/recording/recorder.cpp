// SPDX-License-Identifier: MIT
#include "recorder.h"

#include "locks/tablerows.h"

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;
using Kind = RecordedMark::Kind;

Recorder::Recorder(const RecordingOptions &options, std::unique_ptr<RecordingWriter> writer)
    : m_keeper(options.statements)
    , m_writer(std::move(writer))
{
}

/// Goes on from the last look: the server is not asked for it.
ServerTime Recorder::now() const
{
    return m_clock.server == ServerTime{} ? std::chrono::floor<Microseconds>(std::chrono::system_clock::now())
                                          : m_clock.now();
}

void Recorder::addMark(Kind kind, ServerTime at, const QByteArray &body)
{
    addMark({at, kind, 0, {}, body});
}

/// What there is no room for is said where the disk was full first.
void Recorder::addMark(const RecordedMark &mark)
{
    if (m_room.take(mark)) {
        m_marks.append(mark);
        return;
    }
    const auto full = std::find_if(m_marks.begin(), m_marks.end(),
                                   [](const RecordedMark &one) { return one.kind == Kind::Unwritten; });
    if (full != m_marks.end())
        full->body = QStringList{m_status.failure, m_room.lost()}.join(u' ').toUtf8();
}

/// What comes with a look is of its time, so that the last look of a stretch has all that it found.
void Recorder::take(const RecordedNews &news)
{
    const bool isFirst = m_clock.server == ServerTime{};
    m_clock = news.look.waits.clock;
    if (isFirst)
        addMark(Kind::Begun, m_clock.server);
    if (!m_isReached)
        addMark(Kind::Reachable, m_clock.server);
    m_isReached = true;
    if (!m_status.failure.isEmpty())
        addMark(Kind::Written, m_clock.server); // goes with the look, if at all
    addNews(news);
    watch(news.look);
    const QString failure = m_writer->append(m_clock.server, itemsOf(news.look, &m_keeper), m_marks);
    onWritten(failure, true);
}

void Recorder::addNews(const RecordedNews &news)
{
    if (m_sight != news.deadlockSight) {
        m_sight = news.deadlockSight;
        addMark({m_clock.server, Kind::DeadlockSight, int(news.deadlockSight), {}, news.whyNoDeadlocks.toUtf8()});
    }
    for (const Deadlock &deadlock : news.deadlocks)
        addMark(Kind::Deadlock, m_clock.server, toBody(deadlock, &m_keeper));
    m_status.deadlocks += news.deadlocks.size();
    if (const int missed = int(std::min<quint64>(news.deadlocksMissed, 1'000'000)); missed > 0)
        addMark({m_clock.server, Kind::DeadlocksMissed, missed});
    addOnceTold(news, m_clock.server);
}

/// What no later poll has, whatever becomes of this one.
void Recorder::addOnceTold(const RecordedNews &news, ServerTime at)
{
    for (const Event &event : news.events)
        addMark(Kind::Event, at, toBody(event));
    for (const AuditLine &act : news.acts)
        addMark(Kind::Act, at, toBody(act, &m_keeper));
    if (const QByteArray latency = toBody(news.latency); !latency.isEmpty())
        addMark(Kind::Latency, at, latency);
}

void Recorder::watch(const RecordedLook &look)
{
    const WaitGraph graph = buildWaitGraph(look.waits, look.waits.clock.server);
    const QTime time = QTime::currentTime();
    addAlarms(m_thresholds.update(look.waits, graph, time));
    addAlarms(m_thresholds.update(leasesOf(look), time));
    addWaiting(look, graph);
}

/// With the locks of other programs' tables, as the window's alarms have them. The engine's may be left out of a look
/// that had no time for them: those of before are not gone with that.
LeaseReading Recorder::leasesOf(const RecordedLook &look)
{
    m_tableRows = tableRows(look.tables.locks, m_tableRows);
    m_hadTables = m_hadTables || look.hasTables;
    const bool isPartial = look.locks.isCut() || look.hasTables != m_hadTables;
    return {look.waits.clock, look.locks.rows + m_tableRows, isPartial};
}

void Recorder::addAlarms(const AlarmChanges &changes)
{
    for (const Alarm &alarm : changes.raised)
        addMark(Kind::AlarmRaised, m_clock.server, toBody(alarm));
    for (const Alarm &alarm : changes.cleared)
        addMark(Kind::AlarmCleared, m_clock.server, toBody(alarm));
}

/// The moment when most waited, of each few seconds in which somebody did, and all who waited in these.
void Recorder::addWaiting(const RecordedLook &look, const WaitGraph &graph)
{
    int waiting = 0;
    Microseconds longest{};
    for (const WaitQueue &queue : queuesOf(look.waits, graph, m_before)) {
        waiting += queue.waiting;
        longest = std::max(longest, queue.longest);
        m_queues.take(queue);
    }
    m_before = m_before.followedBy(look.waits, graph);
    const ServerTime at = look.waits.clock.server;
    if (waiting > 0 && (!m_waiting || waiting >= m_waiting->waiting))
        m_waiting = RecordedMark{at, Kind::Waiting, waiting, longest, {}};
    const bool isDue = !m_waitingToldAt || at - *m_waitingToldAt >= WaitQueues::WrittenEvery;
    if (!m_waiting || !(isDue || waiting == 0))
        return;
    tellWaiting();
    m_waitingToldAt = at;
}

void Recorder::tellWaiting()
{
    if (!m_waiting)
        return;
    m_waiting->body = toBody(m_queues.all());
    addMark(*m_waiting);
    m_waiting.reset();
    m_queues.clear();
}

void Recorder::onWritten(const QString &failure, bool hasLook)
{
    m_status.failure = failure;
    m_status.isOver = m_writer->isLost();
    if (failure.isEmpty()) {
        m_marks.clear();
        m_room.clear();
        m_status.bytes = m_writer->bytes();
        m_status.looks += hasLook ? 1 : 0;
        return;
    }
    m_status.unkept += hasLook ? 1 : 0;
    m_marks.removeIf([](const RecordedMark &mark) { return mark.kind == Kind::Written; });
    const auto isTold = std::any_of(m_marks.cbegin(), m_marks.cend(),
                                    [](const RecordedMark &mark) { return mark.kind == Kind::Unwritten; });
    if (!isTold)
        addMark(Kind::Unwritten, now(), failure.toUtf8());
    m_room.bound();
}

/// The server may never answer again, so what was done is written at once, and so is the queue before it went away.
void Recorder::miss(const LockError &error, const RecordedNews &news)
{
    const ServerTime last = m_clock.server == ServerTime{} ? now() : m_clock.server;
    const qsizetype before = m_marks.size();
    if (std::exchange(m_isReached, false)) {
        tellWaiting();
        addMark(Kind::Unreachable, last + 1us, error.toString().toUtf8());
    }
    addOnceTold(news, now()); // it was done since the last look
    if (m_marks.size() > before)
        onWritten(m_writer->append(m_marks), false);
}

/// By this machine's clock: the server's may be set.
void Recorder::missIfLate(const SnapshotClock &clock, const PollPace &pace)
{
    const auto unseen = std::chrono::floor<Microseconds>(clock.local - m_clock.local);
    if (m_clock.server == ServerTime{} || !pace.isGap(unseen))
        return;
    LockError late;
    late.kind = LockError::Kind::Unavailable;
    late.message = QStringLiteral("The server was not seen for %1 s: it answered late.")
                       .arg(double(unseen.count()) / 1e6, 0, 'f', 1);
    miss(late);
}

std::optional<LockError> Recorder::look(RecordingPoll *poll)
{
    RecordedNews news;
    const auto error = poll->poll(&news);
    if (error) {
        miss(*error, news);
    } else {
        missIfLate(news.look.waits.clock, poll->pace());
        take(news);
    }
    return error;
}

QString Recorder::end()
{
    tellWaiting();
    addMark(Kind::Ended, now());
    onWritten(m_writer->append(m_marks), false);
    const QString unfolded = m_writer->finish();
    m_status.bytes = m_writer->bytes();
    return m_status.failure.isEmpty() ? unfolded : m_status.failure;
}

} // namespace lockscope
