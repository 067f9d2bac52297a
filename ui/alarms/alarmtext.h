// SPDX-License-Identifier: MIT
#pragma once

#include "locks/lockgroups.h"
#include "locks/thresholds.h"

#include <QtCore/QCoreApplication>

namespace lockscope::ui {

/// What is said of alarms. Nothing here runs with the clock: a text that changes each second is read by nobody.
class AlarmText
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::AlarmText)
public:
    /// A sentence for each kind that is among them. `isPartial`: not all locks were looked at. `servers`: of a list of
    /// several, to say which one's each is.
    static QString summary(const QList<Alarm> &alarms, const AlarmLimits &limits, bool isPartial = false,
                           const ServerNames &servers = {});
    /// What is wrong with one lease, for its row.
    static QString ofLock(const Alarm &alarm, const AlarmLimits &limits);
    /// "3 alarms on shop-db".
    static QString title(qsizetype count, const QString &server);
    /// "Session 6 billing@a7 (worker)"; `who` is as in Alarm::blockerIs.
    static QString blocker(quint64 session, const QString &who);

private:
    static QString culprit(const QList<Alarm> &alarms);
    static QString sentence(AlarmKind kind, const QList<Alarm> &alarms, const AlarmLimits &limits,
                            const ServerNames &servers);
    static QString name(const Alarm &alarm);
    static QString names(const QList<Alarm> &alarms, const ServerNames &servers);
};

} // namespace lockscope::ui
