// SPDX-License-Identifier: MIT
#pragma once

#include "runplan.h"
#include "testserver.h"
#include "world.h"

namespace lockscope {
class LockEngine;
}

namespace lockscope::faults {

/// Runs a plan on a server of the test's own, whose tables are emptied, and checks what was recorded. The history is
/// left in `folder`. Thread: the server's.
Verdict runUnderFaults(const RunPlan &plan, const Promises &promises, test::TestServer &server, const QString &folder);

/// Checks a history again. Nothing and `*error` when it cannot be read.
std::optional<Verdict> checkAgain(const Promises &promises, const QString &folder, QString *error);

/// What the dead and those that ended have left on the server, and what no clean-up by `engine`, if there is one, took
/// away within its time.
QString leftAfterCleaning(test::World &world, LockEngine *engine);

/// What came of it, for people: figures, the longest gaps, the findings.
QString reportOf(const Verdict &verdict);

} // namespace lockscope::faults
