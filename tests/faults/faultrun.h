#pragma once

#include "runplan.h"
#include "testserver.h"

namespace lockscope::faults {

/// Runs a plan on a server of the test's own, whose tables are emptied, and checks what was recorded. The history is
/// left in `folder`. Thread: the server's.
Verdict runUnderFaults(const RunPlan &plan, const Promises &promises, test::TestServer &server, const QString &folder);

/// Checks a history again. Nothing and `*error` when it cannot be read.
std::optional<Verdict> checkAgain(const Promises &promises, const QString &folder, QString *error);

/// What came of it, for people: figures, the longest gaps, the findings.
QString reportOf(const Verdict &verdict);

} // namespace lockscope::faults
