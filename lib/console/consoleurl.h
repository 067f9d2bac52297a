// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/serverurl.h"

namespace lockscope {

/// How consoles call the schema of the lock tables where nobody names another.
QString defaultSchema();

/// ServerUrl::parse(), with the default schema where the text names none: what a server locks itself is seen without.
bool parseConsoleUrl(const QString &text, ServerUrl *url, QString *error);

} // namespace lockscope
