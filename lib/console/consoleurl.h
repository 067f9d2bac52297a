// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/serverurl.h"

namespace lockscope {

/// What consoles call the schema of the lock tables where nobody names another.
QString defaultSchema();

/// ServerUrl::parse(), with the default schema where the text names none: a server's own locks can be seen without one.
bool parseConsoleUrl(const QString &text, ServerUrl *url, QString *error);

} // namespace lockscope
