// SPDX-License-Identifier: MIT
#pragma once

#include "globals.h"

#include <QtCore/QString>

namespace lockscope::ctl {

struct TableReleaseArguments
{
    QString table; ///< "shop.shedlock"
    quint64 token = 0;
    QString profile; ///< of a table whose name is none of its; else empty
    QString reason;
    std::string server;
    bool dryRun = false;
};

/// `release --table`. Returns the exit code.
int releaseTableRow(const Globals &globals, const TableReleaseArguments &arguments);

} // namespace lockscope::ctl
