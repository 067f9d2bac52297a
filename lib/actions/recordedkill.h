// SPDX-License-Identifier: MIT
#pragma once

#include "console/auditfile.h"
#include "console/serveraccess.h"
#include "sessionkill.h"

namespace lockscope {

/// SessionKill with a record of what it did: a line in the audit file of this machine and, where the server has the
/// engine's tables, an event there. What cannot be recorded is not done, nor what `access` refuses.
/// Thread: that of `session`. `audit` is not owned.
class RecordedKill
{
public:
    RecordedKill(Session &session, const Capabilities &capabilities, AuditFile *audit);

    /// The record is written as soon as the server has answered, before a rollback is followed. What was done but could
    /// not be recorded is told in KillReport::recordError.
    KillReport act(const KillOrder &order, const ServerAccess &access);
    /// As SessionKill::follow(); the end of a rollback is recorded too.
    KillReport follow(const KillOrder &order, KillReport report);

private:
    void record(const KillOrder &order, KillReport *report);
    void recordEvent(const KillOrder &order, KillReport *report);

    Session &m_session;
    const Capabilities m_capabilities;
    SessionKill m_kill;
    AuditFile *m_audit;
};

/// "ended", "nothing was done: it is gone", … for the record; English.
QString outcomeOf(const KillReport &report, KillKind kind);

} // namespace lockscope
