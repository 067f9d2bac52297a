// SPDX-License-Identifier: MIT
#pragma once

#include "lockengine.h"

#include <QtCore/QList>

#include <functional>
#include <optional>
#include <system_error>
#include <vector>

namespace lockscope {

/// Several locks that are held together. Releases what it holds when it ends.
struct MultiResult
{
    Outcome outcome = Outcome::Failed; ///< Granted: all are held; else none is, and this is why
    std::vector<LockHandle> handles;   ///< in the order of their names (LockHandle::resource())
    QByteArray resource;               ///< the one that was not granted, or not kept
    std::optional<LockError> error;
};

/// Acquires every one of `resources`, or none. All callers take them in the order of their bytes (with stripes: of the
/// stripes' names), so two of them cannot wait for each other. `request.wait` is the budget for all together; names
/// given twice count once, and so do names that share a stripe: there may be fewer handles than names.
/// Where a lock is lost while a later one is waited for, all are released, and the answer is Failed with LockLost. A
/// lock that is given back stays taken for `request.holdAtLeast`, as after any release.
/// Thread: any. Errors: as acquire(). A BadRequest for any name is reported before anything is acquired.
LOCKSCOPE_EXPORT MultiResult acquireAll(LockEngine &engine, const QList<QByteArray> &resources,
                                        const LockRequest &request);

/// Runs `work` while the lock is held and releases it. `work` did not run unless the outcome is Granted; the answer's
/// handle holds nothing any more. `work` may not release or move the handle. What it throws passes through, and the
/// lock is released.
/// Granted with an `error`: `work` ran, but its lock did not end as it should. LockLost: it was not held to the end,
/// and in pessimistic mode what `work` wrote is undone. Any other kind: the release failed, or was not answered; then
/// what was written in pessimistic mode is undone, or nobody knows (LockError::connectionGone).
/// Thread: any; `work` runs in the calling one.
LOCKSCOPE_EXPORT AcquireResult withLock(LockEngine &engine, const LockRequest &request,
                                        const std::function<void(LockHandle &)> &work);

/// Why Lockable::lock() did not lock: what acquire() answered. As a system_error its code is
/// resource_deadlock_would_occur, operation_canceled, timed_out or io_error, and what() the engine's sentence.
/// A plain value.
class LOCKSCOPE_EXPORT LockFailure : public std::system_error
{
public:
    /// `answer` is not Granted.
    LockFailure(const AcquireResult &answer, const QByteArray &resource);

    Outcome outcome() const { return m_outcome; }
    /// Set for Failed and Unknown.
    const std::optional<LockError> &error() const { return m_error; }

private:
    Outcome m_outcome;
    std::optional<LockError> m_error;
};

/// Makes a lock usable with std::scoped_lock, std::unique_lock and the like. As these know only success, lock() throws
/// LockFailure when the lock cannot be had. Nothing else in the engine throws.
/// Thread: like a std::mutex: any number of threads share one, the thread that locked unlocks, and it does not lock
/// twice. Leave `request.ownerKey` empty then: threads of one owner do not keep each other out.
class LOCKSCOPE_EXPORT Lockable
{
public:
    /// `request.wait` is how long lock() waits; try_lock() does not wait. The engine must outlive this object.
    Lockable(LockEngine &engine, LockRequest request);

    void lock();
    /// False also where the server cannot be asked.
    bool try_lock();
    void unlock();

    /// The lock that is held; for its token. For the thread that locked, until it unlocks.
    const LockHandle &handle() const { return m_handle; }

private:
    LockEngine &m_engine;
    LockRequest m_request;
    LockHandle m_handle;
};

} // namespace lockscope
