#pragma once

#include "lockengine.h"

#include <QtCore/QList>

#include <functional>
#include <vector>

namespace lockscope {

/// Several locks that are held together. Releases what it holds when it ends.
struct MultiResult
{
    Outcome outcome = Outcome::Failed; ///< Granted: all are held; else none is, and this is why
    std::vector<LockHandle> handles;   ///< in the order of the locks' names
    QByteArray resource;               ///< the one that was not granted
    std::optional<LockError> error;
};

/// Acquires every one of `resources`, or none. All callers take them in the order of their bytes, so two of them cannot
/// wait for each other. `request.wait` is the budget for all together; names given twice count once.
/// Thread: any. A BadRequest for any name is told before anything is acquired.
LOCKSCOPE_EXPORT MultiResult acquireAll(LockEngine &engine, const QList<QByteArray> &resources,
                                        const LockRequest &request);

/// Runs `work` while the lock is held and releases it. `work` did not run unless the outcome is Granted; the answer's
/// handle holds nothing any more. What `work` throws passes through, and the lock is released.
LOCKSCOPE_EXPORT AcquireResult withLock(LockEngine &engine, const LockRequest &request,
                                        const std::function<void(LockHandle &)> &work);

/// Makes a lock usable with std::scoped_lock, std::unique_lock and the like. As these know no answer but success,
/// lock() throws std::system_error when the lock cannot be had: resource_deadlock_would_occur, operation_canceled,
/// timed_out or io_error, with the engine's sentence. Nothing else in the engine throws. Thread: as a std::mutex: the
/// thread that locked unlocks.
class LOCKSCOPE_EXPORT Lockable
{
public:
    /// `request.wait` is how long lock() waits; try_lock() does not wait. The engine must outlive this object.
    Lockable(LockEngine &engine, LockRequest request);

    void lock();
    bool try_lock();
    void unlock();

    /// The lock that is held; for its token.
    const LockHandle &handle() const { return m_handle; }

private:
    LockEngine &m_engine;
    LockRequest m_request;
    LockHandle m_handle;
};

} // namespace lockscope
