// SPDX-License-Identifier: MIT
#pragma once

#include "enginecore_p.h"
#include "session/atwork.h"
#include "session/validation_p.h"

#include <QtCore/QPromise>

#include <exception>
#include <type_traits>

namespace lockscope::detail {

/// Why the engine may begin nothing in a thread of its own.
inline std::optional<LockError> validateAsync(const EngineCore &core)
{
    if (auto refused = core.validateProcess()) // in a child of fork() the threads are not there
        return refused;
    if (core.isClosing()) // the last reference to the engine must not be held by one of its own threads
        return badRequest(QStringLiteral("The engine has ended; make another one."));
    return std::nullopt;
}

inline LockError tooManyAtOnce()
{
    LockError limit;
    limit.kind = LockError::Kind::LimitReached;
    limit.message = QStringLiteral("This engine has %1 asynchronous requests under way, which is all it may have. Wait "
                                   "for some of them first.")
                        .arg(MaxAsyncRequests);
    return limit;
}

/// Runs `work` in a thread of the engine's own. What cannot be begun is answered at once, with an error; what `work`
/// throws, the future throws. One that is cancelled before it begins does not run.
template<typename Work>
QFuture<std::invoke_result_t<Work &>> startAsync(EngineCore &core, Work work)
{
    using Result = std::invoke_result_t<Work &>;
    auto promise = std::make_shared<QPromise<Result>>();
    QFuture<Result> future = promise->future();
    promise->start();
    auto run = [promise, work = std::move(work)]() mutable {
        const AtWork atWork;
        try {
            if (!promise->isCanceled())
                promise->addResult(work()); // what a cancelled future does not take releases itself
        } catch (...) {
            promise->setException(std::current_exception());
        }
        promise->finish();
    };
    auto refused = validateAsync(core);
    // Never queued: behind requests that wait, one would have no budget and could not be cancelled.
    if (!refused && !core.asyncThreads.tryStart(std::move(run)))
        refused = tooManyAtOnce();
    if (refused) {
        Result failed;
        failed.error = std::move(refused);
        promise->addResult(std::move(failed));
        promise->finish();
    }
    return future;
}

} // namespace lockscope::detail
