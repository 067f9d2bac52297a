// SPDX-License-Identifier: MIT
#pragma once

#include "lockscope/serverurl.h"

namespace lockscope {

/// What consoles call the schema of the lock tables where nobody names another.
QString defaultSchema();

/// ServerUrl::parse(), with the default schema where the text names none: a server's own locks can be seen without one.
bool parseConsoleUrl(const QString &text, ServerUrl *url, QString *error);

/// "db1:3307" or the socket's path, always whole: two servers may run on one host.
QString addressOf(const ServerUrl &url);
/// The same without the usual port: what a person types to say which server is meant.
QString shortAddressOf(const ServerUrl &url);

} // namespace lockscope
