// SPDX-License-Identifier: MIT
#pragma once

#include "deadlock.h"

#include <optional>

namespace lockscope {

/// The latest deadlock in SHOW ENGINE INNODB STATUS of either family; none: there was none since the server started.
/// Takes any bytes. A statement is printed as it came, so one that contains headings of this text can bend what is read
/// of it: for acts on a server this is no source.
std::optional<Deadlock> latestDeadlock(const QByteArray &status);
/// The one that this text of it has, without the heading of the status; `isCut`: it is known to be a part.
std::optional<Deadlock> deadlockIn(const QByteArray &text, bool isCut);

} // namespace lockscope
