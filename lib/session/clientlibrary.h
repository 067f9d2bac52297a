// SPDX-License-Identifier: MIT
#pragma once

namespace lockscope {

/// A function of MariaDB's client library, which Qt's driver has loaded once a connection was opened; null where it
/// uses another library. Thread: any.
void *clientFunction(const char *name);

} // namespace lockscope
