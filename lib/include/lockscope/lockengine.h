// SPDX-License-Identifier: MIT
#pragma once

#include "acquireresult.h"
#include "engineconfig.h"
#include "heldleases.h"
#include "lockerror.h"
#include "lockrequest.h"
#include "lockscope_export.h"
#include "owner.h"
#include "requestresult.h"

#include <QtCore/QFuture>
#include <QtCore/QList>

#include <memory>
#include <optional>

namespace lockscope {

namespace detail {
class EngineCore;
class JobRun;
} // namespace detail

/// Distributed locks on a MySQL or MariaDB server. Unique mode: a row with TTL and fencing token per resource, fair
/// waiting without polling. Pessimistic mode: a row locked by an open transaction. OptimisticStore has the third mode.
///
/// Thread: every function may be called from any thread. A QCoreApplication must exist; no event loop is needed.
/// End: an engine ends with its object, with the QCoreApplication, or as exit() begins, whichever is first; so it may
/// be a global object, and handles may be global or a thread's own (thread_local). All of them release what they hold.
/// The one exception: exit() in one of the engine's own threads (in inTransaction(), a callback or the thread of a
/// future) releases nothing; rows are then freed by the server as the connections close, leases by their TTL. Nothing
/// is released after _exit() or a crash either. Process: a child of fork() may only destroy engine and handles, which
/// leaves the parent's locks and connections alone; everything else is refused. It keeps the parent's sockets open
/// until it ends or calls exec(). Errors: never throws; outcomes are values.
class LOCKSCOPE_EXPORT LockEngine
{
public:
    /// Does no I/O.
    explicit LockEngine(EngineConfig config);
    /// Releases what is still held and closes every connection. Requests that wait in other threads are Cancelled and
    /// waited for, as are other acquires and releases under way; what they were granted is released. As with any
    /// object, its functions may not be called once this has begun; only handles may outlive it.
    ~LockEngine();
    LockEngine(const LockEngine &) = delete;
    LockEngine &operator=(const LockEngine &) = delete;

    /// Connects and checks server and schema. Not required: the first acquire does the same.
    std::optional<LockError> connectToServer();

    /// What is wrong with a request for any engine, if anything. An engine with a namePrefix refuses more: ask
    /// validate().
    static std::optional<LockError> check(const LockRequest &request);

    /// What is wrong with a request for this engine, if anything: acquire() refuses it with the same words before any
    /// I/O. Does no I/O itself.
    std::optional<LockError> validate(const LockRequest &request) const;

    /// Acquires `request.resource`, blocking the calling thread for at most `request.wait` if the server answers.
    /// An owner that already holds the lock gets another handle of it, at once and without I/O; the lock is released
    /// with the last of them. Only mode, resource, stripes and ownerKey of such a request count; TTL, note, callbacks,
    /// limits and autoRenew are those of the first. One that wants a token is refused (BadRequest) if the first did
    /// not.
    AcquireResult acquire(const LockRequest &request);

    /// acquire() in a thread of the engine's own. Take the future's result with takeResult(). The owner is the
    /// request's ownerKey, or one of its own: neither the thread that calls nor the one that waits. Cancel through
    /// `request.stop`; a future that is cancelled gives back a lock that is granted later. Finished at the latest when
    /// the engine has ended. Beyond MaxAsyncRequests at a time the answer is LimitReached at once.
    /// What is chained to the future without a context (QFuture::then) may run in that thread: the engine may not be
    /// destroyed there, because its destructor waits for that thread.
    QFuture<AcquireResult> acquireAsync(LockRequest request);

    /// Acquires any one of `resources` that is free, in pessimistic mode and without waiting (`request.resource`,
    /// `wait` and `stripes` are not used). Busy when all are taken, also by the owner itself: it never gets one twice.
    AcquireResult acquireAny(const QList<QByteArray> &resources, const LockRequest &request);

    /// Asks whoever holds `resource`, in whatever process, to release it: its LockRequest::onReleaseRequested is called
    /// with `reason` (1–MaxReasonCharacters). Nothing is taken away.
    RequestResult requestRelease(const QByteArray &resource, const QString &reason, Mode mode = Mode::Unique);

    /// Every lease of the selection that is held now, also those of other engines. Leases only: a row lock ends with
    /// its session. One that was released early and is kept for its minimum hold time does not count as held. An engine
    /// with a namePrefix sees only names that begin with it, and gives them without it; with a session it sees that
    /// session's leases with such names. Reads 500 rows of the table at a time; for a session it reads the whole table.
    /// When stopped, it returns what it has read.
    HeldLeases heldLeases(const LeaseSelection &selection, const std::stop_token &stop = {});

    /// Ends leases by force, those of living holders too: each only while it has the token that it was read with, and
    /// each on record in `lock_event` with this name (1–MaxOperatorCharacters) and reason (1–MaxReasonCharacters). The
    /// lock then belongs to the next waiter; the holder learns of it at its next renewal, and until then only fencing
    /// keeps its writes out. Not one transaction: a lock that was released stays released when another fails.
    /// `progress` is called in the calling thread. Once `stop` is requested, or the server is away, the rest is left.
    /// To wake a waiter of another server account at once takes PROCESS and CONNECTION ADMIN; without them it notices
    /// by itself within its own time limit.
    ForcedReleases forceRelease(const QList<HeldLease> &leases, const QString &operatorName, const QString &reason,
                                const std::stop_token &stop = {}, const ForcedProgress &progress = {});

    /// This engine's identity; the thread field is empty.
    Owner owner() const;

    /// Removes batches of idle rows and old records now. The engine does so by itself every few minutes.
    std::optional<LockError> clean();

private:
    friend class OptimisticStore;
    friend class detail::JobRun;

    std::shared_ptr<detail::EngineCore> m_core;
};

} // namespace lockscope
