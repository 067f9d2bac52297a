// SPDX-License-Identifier: MIT
#include "kinds.h"

#include "scenario.h"
#include "storerules.h"

using namespace Qt::StringLiterals;

namespace lockscope::test {

int KindOfMove::weight(const QString &mode) const
{
    if (knownStores().contains(mode))
        return StoreRules::of(mode).allows(kind) ? unique : 0;
    return mode == u"unique" ? unique : mode == u"pessimistic" ? pessimistic : optimistic;
}

/// A move is drawn by these weights and drawn again when it cannot be made, so what can seldom be made weighs more.
/// What takes seconds weighs less.
const QList<KindOfMove> &kindsOfMoves()
{
    using Kind = Move::Kind;
    constexpr auto Owner = KindOfMove::Who::Owner;
    constexpr auto Process = KindOfMove::Who::Process;
    static const QList<KindOfMove> all{
        {Kind::Try, "try", Owner, 12, 12, 0},
        {Kind::Acquire, "acquire", Owner, 14, 14, 0},
        {Kind::TimeOut, "time-out", Owner, 5, 5, 0},
        {Kind::Queue, "queue", Owner, 40, 40, 0},
        {Kind::Cancel, "cancel", Owner, 12, 12, 0},
        {Kind::Release, "release", Owner, 30, 30, 0},
        {Kind::ReleaseOther, "release-other", Owner, 10, 10, 0},
        {Kind::Drop, "drop", Owner, 4, 4, 0},
        {Kind::Renew, "renew", Owner, 4, 4, 0},
        {Kind::Held, "held", Owner, 4, 4, 0},
        {Kind::Expire, "expire", Owner, 6, 4, 0},
        {Kind::FreezePastEnd, "freeze-past-end", Owner, 2, 2, 0},
        {Kind::CutPastEnd, "cut-past-end", Owner, 2, 0, 0},
        {Kind::StallPastEnd, "stall-past-end", Owner, 2, 2, 0},
        {Kind::FrozenServerRelease, "frozen-server-release", Owner, 4, 4, 0},
        {Kind::StalledRelease, "stalled-release", Owner, 5, 5, 0},
        {Kind::ResetRelease, "reset-release", Owner, 5, 0, 0},
        {Kind::StalledAcquire, "stalled-acquire", Owner, 5, 5, 0},
        {Kind::ResetAcquire, "reset-acquire", Owner, 5, 5, 0},
        {Kind::Connect, "connect", Owner, 1, 1, 1},
        {Kind::Clean, "clean", Owner, 3, 3, 3},
        {Kind::Read, "read", Owner, 0, 0, 30},
        {Kind::Commit, "commit", Owner, 0, 0, 40},
        {Kind::Add, "add", Owner, 0, 0, 8},
        {Kind::RaceCommit, "race-commit", Owner, 0, 0, 20},
        {Kind::StalledCommit, "stalled-commit", Owner, 0, 0, 8},
        {Kind::ResetCommit, "reset-commit", Owner, 0, 0, 8},
        {Kind::OvertakenCommit, "overtaken-commit", Owner, 0, 0, 8},
        {Kind::FrozenServerCommit, "frozen-server-commit", Owner, 0, 0, 6},
        {Kind::LateCommit, "late-commit", Owner, 0, 0, 20},
        {Kind::Freeze, "freeze", Process, 6, 6, 6},
        {Kind::Thaw, "thaw", Process, 30, 30, 30},
        {Kind::Cut, "cut", Process, 4, 4, 8},
        {Kind::Stall, "stall", Process, 4, 4, 4},
        {Kind::Reset, "reset", Process, 6, 6, 6},
        {Kind::Heal, "heal", Process, 30, 30, 20},
        {Kind::Kill, "kill", Process, 4, 4, 4},
        {Kind::KillAtEnd, "kill-at-end", Process, 3, 0, 0},
        {Kind::End, "end", Process, 2, 2, 2},
        {Kind::KillConnections, "kill-connections", Process, 6, 6, 8},
        {Kind::KillWait, "kill-wait", Process, 10, 10, 0},
        {Kind::ForceRelease, "force-release", Owner, 6, 6, 0},
        {Kind::ForceReleaseOld, "force-release-old", Owner, 3, 3, 0},
        {Kind::Crowd, "crowd", Process, 2, 2, 3},
        {Kind::Restart, "restart", Process, 1, 1, 1},
        {Kind::Crash, "crash", Process, 1, 1, 1},
    };
    return all;
}

} // namespace lockscope::test
