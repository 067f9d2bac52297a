// SPDX-License-Identifier: MIT
#pragma once

#include "globals.h"
#include "lockscope/lockengine.h"
#include "session/sessiontarget.h"

#include <memory>
#include <optional>

namespace lockscope::ctl {

/// What the options name for an engine's locks: a server of MySQL or MariaDB, or another store, by the scheme of its
/// address. A plain value.
struct EngineTarget
{
    SessionTarget server; ///< of another store only the password
    QString store;        ///< its address; empty: `server`
};

/// None after an error; then `*exitCode` is set. Does no I/O to a named server.
std::optional<EngineTarget> findEngineTarget(const Globals &globals, int *exitCode);

/// Makes an engine there and connects it; where the password is refused and none was given, as withPassword() does. The
/// engine is there after an error too.
std::optional<LockError> openEngine(const EngineTarget &target, std::unique_ptr<LockEngine> *engine);

} // namespace lockscope::ctl
