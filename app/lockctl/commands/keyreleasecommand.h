// SPDX-License-Identifier: MIT
#pragma once

#include "globals.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace lockscope::ctl {

/// What `release NAME --guard V` ends.
struct KeyReleaseArguments
{
    QByteArray name;
    QByteArray guard;
    QString reason;
    std::string server;
    bool dryRun = false;
    bool isForLeader = false;
};

int releaseKeyLock(const Globals &globals, const KeyReleaseArguments &arguments);

} // namespace lockscope::ctl
