// SPDX-License-Identifier: MIT
#pragma once

#include "console/auditlog.h"
#include "locks/snapshot.h"
#include "lockscope/serverurl.h"

namespace lockscope {

struct KillTarget;
struct ReleaseOrder;

/// How the record of this machine names what was acted on: AuditEntry::target.
QString recordedTarget(const ReleaseOrder &order);
QString recordedTarget(const KillTarget &target);

/// What a line of that record tells, as the server would: kind, target, operator, reason and time of this machine's
/// clock.
Event toEvent(const AuditLine &line);
/// The server tells of the act that this line tells of. Of several that are alike each matches.
bool isSameAct(const AuditLine &line, const Event &event);
/// It was done: not only tried, and not only about to be.
bool isDone(const AuditLine &line);
/// It was done on this server, by whatever user.
bool isOfServer(const AuditLine &line, const ServerUrl &url);

} // namespace lockscope
