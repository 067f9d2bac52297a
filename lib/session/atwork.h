// SPDX-License-Identifier: MIT
#pragma once

namespace lockscope {

/// Marks the calling thread, as long as this lives, as one that an engine's end would wait for: its own, or one in the
/// middle of a call. The process may be ended there (std::exit), and then the engine cannot be. Thread: its maker's.
class AtWork
{
public:
    AtWork();
    ~AtWork();
    AtWork(const AtWork &) = delete;
    AtWork &operator=(const AtWork &) = delete;

    static bool isThisThread();
};

} // namespace lockscope
