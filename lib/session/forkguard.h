// SPDX-License-Identifier: MIT
#pragma once

#include <QtCore/QtGlobal>

#include <memory>

namespace lockscope {

/// Tells an object of this process from the copy of it that a child finds in its memory after fork(). The copy's
/// threads are not there, its connections are the parent's, and its mutexes may be locked for ever: nothing of it may
/// be used, not even freed. Thread: any. Cost: a call and a memory read.
class ForkGuard
{
public:
    ForkGuard()
        : m_generation(generation())
    {
    }
    /// True in a child of the process that made this.
    bool isForeign() const { return m_generation != generation(); }

    /// Keeps what a child must not free.
    static void keep(std::shared_ptr<void> copy);

private:
    static quint32 generation();

    quint32 m_generation;
};

} // namespace lockscope
