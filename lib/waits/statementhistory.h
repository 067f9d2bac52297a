// SPDX-License-Identifier: MIT
#pragma once

#include "serverwaits.h"
#include "session/session.h"

namespace lockscope {

/// Of at most so many sessions.
constexpr int MaxHistories = 100;

/// Adds to those sessions that others wait for the statements of their transactions, and which of them took the lock.
/// `waits` has its edges and locks.
std::optional<LockError> readHistory(Session &session, ServerWaits *waits);

} // namespace lockscope
