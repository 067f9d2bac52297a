// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/serverurl.h"

#include <QtCore/QString>
#include <QtCore/QStringList>

namespace lockscope {

/// Names of the demo's services; one process each.
QStringList demoServices();

/// Runs one simulated service on the real engine until standard input ends, which it does when whoever started it is
/// gone. Returns the exit code. Blocks.
int runDemoService(const QString &name, const ServerUrl &url);

} // namespace lockscope
