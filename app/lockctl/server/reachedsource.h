// SPDX-License-Identifier: MIT
#pragma once

#include "console/serveraccess.h"
#include "enginetarget.h"
#include "session/reconnectingsession.h"
#include "sources/locksource.h"

namespace lockscope::ctl {

/// The locks of a server that has been connected.
struct ReachedSource
{
    std::unique_ptr<ReconnectingSession> link = {}; ///< of MySQL or MariaDB
    std::unique_ptr<LockSource> source = {};
};

/// Connects to the server that was named, after asking for a password where one is needed. An error is the last one.
std::optional<LockError> openSource(const EngineTarget &target, SourceUse use, ReachedSource *reached);
/// findEngineTarget() and openSource(). None after an error; then `*exitCode` is set.
std::optional<ReachedSource> reachSource(const Globals &globals, SourceUse use, int *exitCode);

/// What a person calls the server, as nameOf(SessionTarget).
QString nameOf(const EngineTarget &target);
/// As ServerAccess::ofCommand(), of one that was connected.
ServerAccess accessTo(const EngineTarget &target, const ReachedSource &reached, bool isNamed);

} // namespace lockscope::ctl
