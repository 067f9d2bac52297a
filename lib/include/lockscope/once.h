// SPDX-License-Identifier: MIT
#pragma once

#include "lockengine.h"

#include <functional>
#include <optional>

namespace lockscope {

/// A piece of work that must not run twice at a time, identified by type and id, byte for byte. The sizes below are
/// those without EngineConfig::namePrefix: prefix and jobResource() together have at most MaxResourceBytes bytes. A
/// plain value.
struct Job
{
    QByteArray type = {}; ///< 1–64 bytes, any but NUL: "invoice"
    QByteArray id = {};   ///< 1–180 bytes, any but NUL: "2024/17"
};

enum class OnceOutcome {
    Done,        ///< the work ran and said so; once(): that is on record
    AlreadyDone, ///< once(): it was done before, see `doneAt` and `token`; nothing ran
    Running,     ///< somebody runs it or keeps the tables locked, and the request did not want to wait; nothing ran
    TimedOut,    ///< the wait budget ran out; nothing ran
    Cancelled,   ///< the request's stop token was used while it waited; nothing ran
    Deadlock,    ///< the server found that requests wait for each other, and chose this one; nothing ran
    NotDone,     ///< the work ran and returned false: it may be tried again
    Lost,        ///< the work ran, but its lease ended meanwhile: others may run or have run it too. Not on record
    Unknown,     ///< the work ran, and the connection broke while that was recorded; see `error`
    Failed       ///< see `error`; `hasRun` says whether the work ran, which is then not on record
};

struct OnceResult
{
    OnceOutcome outcome = OnceOutcome::Failed;
    bool hasRun = false; ///< the work was called, and returned
    /// The lease's fencing token; AlreadyDone: that of the one who did it. 0 where nothing was acquired.
    quint64 token = 0;
    std::optional<ServerTime> doneAt = {}; ///< AlreadyDone: when
    std::optional<LockError> error = {};
};

/// Does the job. True: done; false: not done. It may call the handle's `isHeld()` and `token()`, but must not release
/// it. What it throws passes through: the lock is released and nothing is recorded.
using JobWork = std::function<bool(LockHandle &)>;

/// Runs `work` unless the job was done before or somebody is doing it, and remembers that it was done for
/// `EngineConfig::doneKept` (until the next clean-up after that). For a job that was done, one cheap read is enough;
/// otherwise this is asked again under the lock.
///
/// The record is written only while the lease is still this one, so at most one of all who ran the job records it. It
/// is not in one transaction with what `work` writes: a process that dies in between leaves a job that was done and
/// will be done again. Work that must not be done twice even then writes under a FenceGuard, or is repeatable.
///
/// The lock is a lease (unique mode) on jobResource(job). Of `request` are used: wait (default: refuse at once), ttl,
/// autoRenew, note, maxHold, holdAtLeast, stop, onLost, onMaxHold. Each call is an owner of its own: from inside its
/// own work a job is Running.
///
/// Thread: any; `work` runs in the calling one. Errors: never throws of its own accord. One of kind Contention is
/// transient: if the work did not run, try again.
LOCKSCOPE_EXPORT OnceResult once(LockEngine &engine, const Job &job, const JobWork &work,
                                 const LockRequest &request = {});

/// The same without a memory: runs `work` unless somebody is doing the job, by this function or by once().
LOCKSCOPE_EXPORT OnceResult oneAtATime(LockEngine &engine, const Job &job, const JobWork &work,
                                       const LockRequest &request = {});

/// The name that is locked for a job, as consoles show it: "once:invoice:2024/17". A type that has a colon in it is
/// preceded by its length, "once=3:a:b:c" for type "a:b" and id "c", so that no two jobs have the same name. Pure.
LOCKSCOPE_EXPORT QByteArray jobResource(const Job &job);

} // namespace lockscope
