// SPDX-License-Identifier: MIT
#include "lanetext.h"

#include "console/duration.h"
#include "lab/labstock.h"

namespace lockscope::ui {

namespace {

using State = Lanes::State;
using Kind = LabEvent::Kind;

QString nameOf(int resource)
{
    return resource >= 0 ? QString::fromLatin1(LabStock::resourceName(resource)) : LaneText::tr("nothing");
}

QString between(qint64 from, qint64 to)
{
    return formatDuration(Microseconds(std::max<qint64>(0, to - from)));
}

} // namespace

QString LaneText::worker(int worker)
{
    return tr("Worker %1").arg(worker + 1);
}

QString LaneText::state(State state)
{
    switch (state) {
    case State::Resting:
        return tr("rests");
    case State::Waiting:
        return tr("waits");
    case State::Holding:
        return tr("holds");
    case State::Stale:
        return tr("stale write");
    case State::Refused:
        return tr("refused write");
    case State::Crashed:
        return tr("killed");
    case State::Frozen:
        return tr("frozen");
    case State::CutOff:
        return tr("cut off");
    case State::Slowed:
        return tr("slow network");
    }
    return {};
}

QString LaneText::event(const Lanes &lanes, int worker, const Lanes::Span &span)
{
    const QString who = LaneText::worker(worker);
    const QString what = nameOf(span.resource);
    if (span.why == Kind::Thawed)
        return tr("%1 goes on as if nothing had happened.").arg(who);
    switch (span.state) {
    case State::Waiting:
        if (span.other == worker)
            return tr("%1 asks for %2, which by its own account it still holds.").arg(who, what);
        return span.other < 0 ? tr("%1 asks for %2, which nobody holds.").arg(who, what)
                              : tr("%1 asks for %2, which worker %3 holds.").arg(who, what).arg(span.other + 1);
    case State::Holding:
        return gotIt(lanes, worker, span);
    case State::Stale:
        return tr("%1 writes to %2 although a later holder has been there.").arg(who, what);
    case State::Refused:
        return tr("%1's write to %2 is refused: a later holder has been there.").arg(who, what);
    case State::Crashed:
        return tr("%1 is killed; another process takes its place.").arg(who);
    case State::Frozen:
        return span.resource >= 0 ? tr("%1 is frozen, with %2.").arg(who, what) : tr("%1 is frozen.").arg(who);
    case State::CutOff:
    case State::Slowed:
    case State::Resting:
        break;
    }
    return rested(lanes, worker, span);
}

QString LaneText::gotIt(const Lanes &lanes, int worker, const Lanes::Span &span)
{
    const Lanes::Span *asked = lanes.before(worker, span);
    const bool hasWaited = asked && asked->state == State::Waiting && asked->merged == 0;
    const QString waited = hasWaited ? between(asked->from, span.from) : QString();
    const QString begin = !hasWaited ? tr("%1 got %2").arg(LaneText::worker(worker), nameOf(span.resource))
        : asked->count > 0           ? tr("%1 got %2 after %3 and %n conflict(s)", nullptr, asked->count)
                                 .arg(LaneText::worker(worker), nameOf(span.resource), waited)
                           : tr("%1 got %2 after %3").arg(LaneText::worker(worker), nameOf(span.resource), waited);
    if (span.other < 0)
        return tr("%1: nobody had it before.").arg(begin);
    if (span.other == worker)
        return tr("%1, again.").arg(begin);
    const int other = span.other + 1;
    if (span.otherEnd == Kind::Got)
        return tr("%1 although worker %2 still works with it: its time was up.").arg(begin).arg(other);
    if (span.otherEnd == Kind::Crashed)
        return tr("%1: worker %2, which had it, was killed %3 before.")
            .arg(begin)
            .arg(other)
            .arg(between(span.otherEndedAt, span.from));
    if (hasWaited && span.otherEndedAt <= asked->from)
        return tr("%1: it was free since worker %2 released it.").arg(begin).arg(other);
    return tr("%1 because worker %2 released it.").arg(begin).arg(other);
}

QString LaneText::rested(const Lanes &lanes, int worker, const Lanes::Span &span)
{
    const QString who = LaneText::worker(worker);
    const QString what = nameOf(span.resource);
    const Lanes::Span *before = lanes.before(worker, span);
    const QString length = before ? between(before->from, span.from) : QString();
    switch (span.why) {
    case Kind::Finished: {
        const QString released = before && before->state == State::Holding && before->merged == 0
            ? tr("%1 releases %2 after %3.").arg(who, what, length)
            : tr("%1 releases %2.").arg(who, what);
        return span.count > 0 ? released + u' ' + tr("Its write overwrote %n change(s) by others.", nullptr, span.count)
                              : released;
    }
    case Kind::NotHeld:
        return tr("%1 is done and finds that %2 was no longer its own.").arg(who, what);
    case Kind::Busy:
        return tr("%1 did not get %2 and does not wait.").arg(who, what);
    case Kind::TimedOut:
        return tr("%1 gives up waiting for %2 after %3.").arg(who, what, length);
    case Kind::Deadlock:
        return tr("The server ends %1's wait for %2: a deadlock.").arg(who, what);
    case Kind::Failed:
        return tr("%1 meets an error.").arg(who);
    case Kind::Left:
        return tr("%1 stops waiting: the run ends.").arg(who);
    default:
        return tr("%1 rests.").arg(who);
    }
}

QString LaneText::during(int worker, const Lanes::Span &span, qint64 now)
{
    const QString who = LaneText::worker(worker);
    const QString what = nameOf(span.resource);
    const bool goesOn = span.to == 0;
    const QString length = between(span.from, goesOn ? now : span.to);
    if (span.merged > 0)
        return tr("%1 held %n time(s) in these %2.", nullptr, span.merged).arg(who, length);
    switch (span.state) {
    case State::Waiting:
        return goesOn ? tr("%1 has waited for %2 for %3.").arg(who, what, length)
                      : tr("%1 waited %3 for %2.").arg(who, what, length);
    case State::Holding:
        return goesOn ? tr("%1 has held %2 for %3.").arg(who, what, length)
                      : tr("%1 held %2 for %3.").arg(who, what, length);
    case State::Stale:
        return tr("%1 wrote to %2 with a token that a later one had followed.").arg(who, what);
    case State::Refused:
        return tr("%1's write to %2 was refused.").arg(who, what);
    case State::Crashed:
        return tr("%1 was killed.").arg(who);
    case State::Frozen:
        return tr("%1 was frozen for %2.").arg(who, length);
    case State::CutOff:
        return tr("%1's network carried nothing for %2.").arg(who, length);
    case State::Slowed:
        return tr("%1's network was slow for %2.").arg(who, length);
    case State::Resting:
        break;
    }
    return tr("%1 rested.").arg(who);
}

} // namespace lockscope::ui
