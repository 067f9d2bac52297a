// SPDX-License-Identifier: MIT
#pragma once

#include "actions/bulkrelease.h"
#include "globals.h"

#include <string>

namespace lockscope::ctl {

/// What `release --prefix` and `release --owner` were asked to do.
struct BulkArguments
{
    LeaseSelection selection;
    QString operatorName;
    QString reason;
    std::string server; ///< only on the one of this name; empty: any
    bool dryRun = false;
    bool yes = false; ///< without a question
};

/// Shows the plan, asks unless told not to, and acts. Returns the exit code.
int bulkRelease(const Globals &globals, const BulkArguments &arguments);

} // namespace lockscope::ctl
