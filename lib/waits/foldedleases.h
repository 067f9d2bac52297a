// SPDX-License-Identifier: MIT
#pragma once

#include "serverwaits.h"
#include "session/session.h"

namespace lockscope {

/// Presences and marks of engines: user-level locks that belong to a lease and are none to a person.
bool isEngines(const QByteArray &userLock);

/// Folds them into their leases. Held ones leave the locks; who waits for a lease has its place in the engine's own
/// queue, so these edges go too, but for those that hang on a lock of another kind: behind a holder that cannot go on
/// because of the server's locks. They name the lease then (scope "LEASE"), where its table can be read.
std::optional<LockError> foldLeases(Session &session, ServerWaits *waits);

} // namespace lockscope
