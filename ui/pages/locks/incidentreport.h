// SPDX-License-Identifier: MIT
#pragma once

#include "actions/tablerelease.h"
#include "feeds/monitor.h"
#include "feeds/waitsfeed.h"

#include <QtCore/QCoreApplication>

namespace lockscope::ui {

/// Something that was done about it here, and what came of it.
struct IncidentAct
{
    ServerTime at{};
    LockKey lock;        ///< that was released; of a kill its server alone
    quint64 session = 0; ///< that was ended; 0: none
    QString text;
    bool isAnyOfName = false; ///< it is not known which of the locks of this name was released
};

/// What a report is made from.
struct IncidentFacts
{
    QString server; ///< its name and version
    ServerTime at{};
    LockDetails details;
    ServerWaitsPtr waits; ///< of server 0; null: not known
    QList<IncidentAct> acts;
};

/// One lock as an incident, in Markdown for a ticket: what was blocked, by whom, since when, the statements, what was
/// done and what it freed. All times are UTC, whatever the window shows: it is read elsewhere.
class IncidentReport
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::IncidentReport)
public:
    static QString of(const IncidentFacts &facts);
    static IncidentAct released(const ReleaseOrder &order, const ReleaseReport &report, ServerTime at);
    static IncidentAct released(const KeyReleaseOrder &order, const KeyReleaseReport &report, ServerTime at);
    /// `row` is the one that was asked for; none: several may have its name, and it is not known which it was.
    static IncidentAct released(const TableReleaseOrder &order, const TableReleaseReport &report,
                                const std::optional<LockKey> &row, ServerTime at);
    /// How many wait for a session, directly or behind others.
    static int freedBy(const ServerWaits &waits, quint64 session);
    /// `freed`: freedBy() before it was ended.
    static IncidentAct killed(const KillOrder &order, const KillReport &report, int freed, ServerTime at);

private:
    static QString blocker(const IncidentFacts &facts);
    static QString blocked(const IncidentFacts &facts);
    static QString table(const TableLock &lock);
    static QString statements(const IncidentFacts &facts);
    static QString done(const IncidentFacts &facts);
};

} // namespace lockscope::ui
