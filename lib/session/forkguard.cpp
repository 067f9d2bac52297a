// SPDX-License-Identifier: MIT
#include "forkguard.h"

#include <atomic>
#include <vector>

#ifdef Q_OS_UNIX
#    include <pthread.h>
#endif

namespace lockscope {

namespace {

std::atomic<quint32> forks = 0; ///< between the first process and this one

#ifdef Q_OS_UNIX
[[maybe_unused]] const int kIsRegistered = pthread_atfork(nullptr, nullptr, [] { ++forks; });
#endif

} // namespace

quint32 ForkGuard::generation()
{
    return forks.load(std::memory_order_relaxed);
}

void ForkGuard::keep(std::shared_ptr<void> copy)
{
    // Reachable for ever, so that a leak checker does not take it for forgotten. A child has one thread here.
    static auto *const kept = new std::vector<std::shared_ptr<void>>;
    kept->push_back(std::move(copy));
}

} // namespace lockscope
