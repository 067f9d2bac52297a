// SPDX-License-Identifier: MIT
#pragma once

#include "serverwaits.h"
#include "session/session.h"

namespace lockscope {

/// Of at most this many sessions.
constexpr int MaxHistories = 100;

/// Adds the statements of their transactions to those sessions that others wait for, and which of these took the lock.
/// `waits` already has its edges and locks.
std::optional<LockError> readHistory(Session &session, ServerWaits *waits);

} // namespace lockscope
