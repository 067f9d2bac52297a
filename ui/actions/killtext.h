// SPDX-License-Identifier: MIT
#pragma once

#include "actions/killaftermath.h"
#include "killflow.h"
#include "ui/style/statemark.h"

#include <QtCore/QCoreApplication>

namespace lockscope::ui {

/// What is said before, while and after sessions are ended.
class KillText
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::KillText)
public:
    static QString title(const KillFlow &flow, const QString &server);
    /// The button: what it does, to what, where.
    static QString verb(const KillFlow &flow, const QString &server);
    /// Who it is and what it does now.
    static QString who(const KillFlow &flow, ServerTime now);
    /// In one line; empty where the server tells none.
    static QString statement(const KillFlow &flow);
    static QString goesOn(const KillFlow &flow, ServerTime now);
    static QString goesOn(const ServerWaits &waits, const WaitForecast &forecast,
                          const QHash<quint64, ServerTime> &since = {}, ServerTime now = {});
    /// Stands beside it.
    static Mark goesOnMark(const WaitForecast &forecast);
    /// Empty: nobody.
    static QString staysBlocked(const KillFlow &flow);
    /// Empty: none is to be expected.
    static QString deadlocks(const KillFlow &flow);
    static QString loss(const KillFlow &flow);
    static QString locks(const KillFlow &flow);
    /// What is special about the server and its user; empty: nothing.
    static QString server(const KillFlow &flow);
    static QString rowsLeft(quint64 rows);
    static QString alreadyGone(const KillFlow &flow);
    /// Why only the statement cannot be ended; empty: it can.
    static QString queryRefusal(const KillFlow &flow);
    static QString changed(const KillFlow &flow);
    /// Empty: the last look saw all that may be there.
    static QString unseen(const KillFlow &flow);
    static QString failed(const KillPart &part);
    /// How it ended, for a person who looks elsewhere by then.
    static QString result(const KillFlow &flow);
    static QString result(const KillOrder &order, const KillReport &report);
    /// "Of those who waited, 2 went on, 20 wait, now blocked by 18 and 15."
    static QString aftermath(const KillAftermath &aftermath);
    /// "12 (app@a7), 13 (app@a8) and 3 more", with how long each has waited where `since` tells it.
    static QString sessions(const ServerWaits &waits, const QList<quint64> &ids,
                            const QHash<quint64, ServerTime> &since = {}, ServerTime now = {});

private:
    static QString session(const ServerWaits &waits, quint64 id);
    static QString whoBlocks(const KillFlow &flow, const QList<quint64> &blocked);
};

} // namespace lockscope::ui
