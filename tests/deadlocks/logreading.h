// SPDX-License-Identifier: MIT
// A whole error log at once.
#pragma once

#include "deadlocks/deadlocklog.h"

namespace lockscope::test {

inline QList<Deadlock> deadlocksIn(const QByteArray &log)
{
    QList<Deadlock> found;
    DeadlockLog reader;
    for (const QByteArray &line : log.split('\n'))
        found += reader.take(line);
    return found + reader.end();
}

} // namespace lockscope::test
