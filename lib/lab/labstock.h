// SPDX-License-Identifier: MIT
#pragma once

#include "labevent.h"
#include "labplan.h"
#include "session/session.h"

class QSqlDatabase;

namespace lockscope {

/// What a worker saw of its resource before it thought about it.
struct LabSight
{
    qint64 amount = 0;
    quint64 version = 0;
    QString changed; ///< the timestamp of whole seconds
};

/// What a write wrote over.
struct LabOverwrite
{
    quint64 version = 0;
    qint64 unseen = 0; ///< how many versions up to it the writer had not seen
};

/// What the locks of a run guard: rows that are read, thought about and written back. Counts what goes wrong where it
/// goes wrong: the write itself tells which version it wrote over, and whether a later holder had been there.
/// Thread: that of the database given.
class LabStock
{
public:
    explicit LabStock(const LabPlan &plan)
        : m_plan(plan)
    {
    }

    static QByteArray resourceName(int resource);
    /// What a worker buys at a time, LabJob::Sale.
    static int piecesFor(int worker) { return worker % 2 == 0 ? 6 : 5; }

    /// Refused: a later holder was here first. Failed: `*error`. Skipped: nothing to do. Else Wrote stands for "go on".
    LabEvent::Kind look(const QSqlDatabase &database, int resource, quint64 token, LabSight *sight) const;
    /// Whether there is anything to be done with what was seen.
    bool isWanted(const LabSight &sight, int worker) const;
    /// Wrote, with what was written over in `*over`, Stale, Refused, Duplicate or Failed.
    LabEvent::Kind write(const QSqlDatabase &database, int resource, quint64 token, const LabSight &sight, int worker,
                         LabOverwrite *over) const;
    /// The same by compare-and-swap on whole seconds: Conflict when they changed.
    LabEvent::Kind swapBySeconds(const QSqlDatabase &database, int resource, const LabSight &sight, int worker,
                                 LabOverwrite *over) const;
    qint64 amountAfter(const LabSight &sight, int worker) const;
    /// Of the last call that answered Failed.
    QString error() const { return m_error; }

private:
    bool isFenced(quint64 token) const { return m_plan.isFenced && token > 0; }
    LabEvent::Kind judged(quint64 before, const LabSight &sight, LabOverwrite *over) const;

    Reply send(const QSqlDatabase &database, std::initializer_list<const char *> names, const Params &params) const;

    const LabPlan &m_plan;
    mutable QString m_error;
};

} // namespace lockscope
