// SPDX-License-Identifier: MIT
#pragma once

#include "sessiontarget.h"

class QSqlDatabase;

namespace lockscope {

/// Tells the driver where and how to connect. False: ways of signing in that could show the server the password are
/// left out, because it is not known whose program listens there. I/O on this machine.
bool setConnectOptions(QSqlDatabase &database, const SessionTarget &target);

} // namespace lockscope
