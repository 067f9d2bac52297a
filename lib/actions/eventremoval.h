// SPDX-License-Identifier: MIT
#pragma once

#include "console/auditfile.h"
#include "console/serveraccess.h"
#include "lockscope/lockrequest.h"
#include "session/reconnectingsession.h"

namespace lockscope {

/// Younger events stay: they are what somebody looks for after an incident.
constexpr Duration MinEventAge = std::chrono::hours(24);

struct EventRemoval
{
    qint64 removed = 0;
    std::optional<LockError> error; ///< the events counted by `removed` are gone all the same
    bool isRefused = false;         ///< nothing was sent
    QString recordError;            ///< why the record of this machine lacks what came of it
};

/// Removes the server's events that are older than `kept`, and keeps a record of that on this machine: a line before
/// and one after it. Wants the account of grants/retention. Any thread, that of `link`.
EventRemoval removeEvents(ReconnectingSession &link, Duration kept, const ServerAccess &access, AuditFile *audit);

} // namespace lockscope
