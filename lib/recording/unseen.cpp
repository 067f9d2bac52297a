// SPDX-License-Identifier: MIT
#include "unseen.h"

#include <algorithm>

namespace lockscope {

namespace {

using namespace std::chrono_literals;
using Kind = RecordedMark::Kind;

QString notRecorded()
{
    return QStringLiteral("not recorded");
}

/// Gaps from the mark that begins each to the one that ends it.
class GapCollector
{
public:
    explicit GapCollector(Recording &recording)
        : m_recording(recording)
    {
    }

    void take(const RecordedMark &mark);
    void add(ServerTime from, std::optional<ServerTime> to, const QString &why);
    bool isOpen() const { return !m_gaps.isEmpty() && !m_gaps.last().to; }
    /// Since somebody ended the recording, nobody has gone on with it.
    bool isEnded() const { return isOpen() && m_isOfEnd; }
    QList<RecordingGap> gaps() const { return m_gaps; }

private:
    void begin(const RecordedMark &mark);

    Recording &m_recording;
    QList<RecordingGap> m_gaps;
    bool m_isOfEnd = false; ///< the last one
};

void GapCollector::take(const RecordedMark &mark)
{
    switch (mark.kind) {
    case Kind::Ended:
    case Kind::Unreachable:
    case Kind::Unwritten:
        if (!isOpen())
            begin(mark);
        return;
    case Kind::Begun:
        // One that was killed has not said that it ends.
        if (const auto last = m_recording.lookUntil(mark.at - 1us); last && !isOpen())
            add(*last, {}, notRecorded());
        break;
    default:
        break;
    }
    if (isOpen())
        m_gaps.last().to = mark.at;
}

void GapCollector::begin(const RecordedMark &mark)
{
    const bool isEnd = mark.kind == Kind::Ended;
    add(mark.at, {}, isEnd ? notRecorded() : QString::fromUtf8(mark.body));
    m_isOfEnd = isEnd;
}

void GapCollector::add(ServerTime from, std::optional<ServerTime> to, const QString &why)
{
    m_gaps.append({from, to, why});
    m_isOfEnd = false;
}

bool isLater(const std::optional<ServerTime> &end, ServerTime than)
{
    return !end || *end > than;
}

} // namespace

QList<RecordingGap> gapsOf(Recording &recording, ServerTime from, ServerTime to)
{
    GapCollector found(recording);
    const StandingMarks standing = recording.standingAt(from);
    const auto next = recording.lookAfter(to); // what it ends is a gap of this stretch
    if (standing.unseen())
        found.take(*standing.unseen());
    else if (from < recording.info().from)
        found.add(from, recording.info().from, notRecorded());
    const QSet<Kind> kinds{Kind::Begun,     Kind::Ended,     Kind::Unreachable,
                           Kind::Reachable, Kind::Unwritten, Kind::Written};
    for (const RecordedMark &mark : recording.marks(from, next.value_or(ServerTime::max()), kinds))
        found.take(mark);
    const ServerTime last = recording.lookUntil(ServerTime::max()).value_or(from);
    if (!found.isOpen() && to - last > RecordedMoment::Lasts)
        found.add(last, {}, notRecorded());
    QList<RecordingGap> gaps = found.gaps();
    if (found.isEnded() && (to <= last || gaps.last().from >= to))
        gaps.removeLast();
    gaps.removeIf([&](const RecordingGap &gap) { return (next && gap.from > to) || !isLater(gap.to, from); });
    return gaps;
}

bool UnseenDeadlocks::mayHideOne() const
{
    const auto isBlind = [](const Blindness &one) { return one.sight == DeadlockSight::Nothing; };
    return notCaptured > 0 || std::any_of(blindness.cbegin(), blindness.cend(), isBlind);
}

UnseenDeadlocks unseenDeadlocks(Recording &recording, ServerTime from, ServerTime to)
{
    UnseenDeadlocks unseen;
    const auto takeSight = [&unseen](const RecordedMark &mark) {
        const auto sight = DeadlockSight(mark.waiting);
        const QString why = QString::fromUtf8(mark.body);
        auto *open = unseen.blindness.isEmpty() || unseen.blindness.last().to ? nullptr : &unseen.blindness.last();
        if (open && open->sight == sight && open->why == why) // told again by the next one that records
            return;
        if (open)
            open->to = mark.at;
        if (sight != DeadlockSight::All)
            unseen.blindness.append({mark.at, {}, sight, why});
    };
    if (const auto standing = recording.standingAt(from); standing.deadlockSight())
        takeSight(*standing.deadlockSight());
    for (const RecordedMark &mark : recording.marks(from, to, {Kind::DeadlockSight, Kind::DeadlocksMissed})) {
        if (mark.kind == Kind::DeadlockSight)
            takeSight(mark);
        else
            unseen.notCaptured += mark.waiting;
    }
    unseen.blindness.removeIf([from](const UnseenDeadlocks::Blindness &one) { return !isLater(one.to, from); });
    return unseen;
}

} // namespace lockscope
