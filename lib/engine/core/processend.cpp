// SPDX-License-Identifier: MIT
#include "processend_p.h"

#include "enginecore_p.h"
#include "session/atwork.h"

#include <QtCore/QCoreApplication>

#include <cstdlib>
#include <set>

namespace lockscope::detail {

namespace {

using Cores = std::set<std::weak_ptr<EngineCore>, std::owner_less<>>;

/// Never destroyed: it is used while static objects are.
struct Open
{
    std::mutex mutex; // protects the members below
    Cores cores;
    bool endsWithApplication = false;
    bool endsWithProcess = false;
};

Open &open()
{
    static auto *const instance = new Open;
    return *instance;
}

void closeAll()
{
    Cores cores;
    {
        const std::lock_guard lock(open().mutex);
        cores.swap(open().cores);
        open().endsWithApplication = false; // another application object may follow
    }
    for (const auto &weak : cores) {
        const auto core = weak.lock();
        if (!core || core->process.isForeign())
            continue;
        if (AtWork::isThisThread())
            core->abandon();
        else
            core->close();
    }
}

} // namespace

void closeWithProcess(const std::shared_ptr<EngineCore> &core)
{
    const std::lock_guard lock(open().mutex);
    std::erase_if(open().cores, [](const auto &other) { return other.expired(); });
    open().cores.insert(core);
    if (!std::exchange(open().endsWithApplication, true))
        qAddPostRoutine(closeAll);
    if (!std::exchange(open().endsWithProcess, true))
        std::atexit(closeAll);
}

} // namespace lockscope::detail
