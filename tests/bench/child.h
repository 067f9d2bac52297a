// SPDX-License-Identifier: MIT
#pragma once

#include "benchmark.h"

#include <QtCore/QProcess>

namespace lockscope::bench {

/// This program again, as a process that waits for a lease; for being killed or frozen.
/// Thread: the one that made it.
class Child
{
public:
    Child(const Context &context, const QByteArray &resource, Duration ttl);
    ~Child();
    Child(const Child &) = delete;
    Child &operator=(const Child &) = delete;

    void signal(int number) const;
    /// SIGKILL; returns when the process is gone.
    void kill();

private:
    QProcess m_process;
};

/// What the child does: waits for the lease and then keeps it without renewing until it is killed.
[[noreturn]] void waitAsChild(const Context &context, const QByteArray &resource, Duration ttl);

} // namespace lockscope::bench
