// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QList>
#include <QtCore/QString>

namespace lockscope::test {

/// One thing that happens in a history. What comes of it is the model's affair.
struct Move
{
    enum class Kind {
        // Of one owner and one resource.
        Try,
        Acquire, ///< waits if it must, but it need not
        TimeOut, ///< waits in vain, or closes a cycle
        Queue,
        Cancel,
        Release,
        ReleaseOther, ///< another thread does it
        Drop,
        Renew,
        Held,
        Expire,
        FreezePastEnd, ///< of its lease
        CutPastEnd,
        StallPastEnd,
        FrozenServerRelease, ///< a release that the server hears later
        StalledRelease,
        ResetRelease, ///< a release whose answer is lost
        StalledAcquire,
        ResetAcquire,
        Connect,
        Clean,
        // Of versions.
        Read,
        Commit,
        Add,
        RaceCommit, ///< of all that have read the same version
        StalledCommit,
        ResetCommit,
        OvertakenCommit,
        FrozenServerCommit,
        LateCommit, ///< over a network that is cut
        // Of a process.
        Freeze,
        Thaw,
        Cut,
        Stall,
        Reset,
        Heal,
        Kill,
        KillAtEnd, ///< of its leases
        End,
        KillConnections,
        KillWait,
        // Of all.
        ForceRelease,
        ForceReleaseOld, ///< with the token of a lease that has ended
        Crowd,           ///< many owners take turns
        Restart,
        Crash,
    };

    // Bits of `option`, for a request; others take the number as it comes.
    static constexpr int Manual = 1;
    static constexpr int Keyed = 2;
    static constexpr int Kept = 4;
    static constexpr int Options = 8;
    /// Of a release: also of a handle that was given back before.
    static constexpr int Again = 1;

    Kind kind = Kind::Try;
    QString who; ///< an owner such as B2, or a process
    QString resource;
    int option = 0;
};

using Moves = QList<Move>;

} // namespace lockscope::test
