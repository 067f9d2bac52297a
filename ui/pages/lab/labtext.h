// SPDX-License-Identifier: MIT
#pragma once

#include "lab/labdocument.h"

#include <QtCore/QCoreApplication>

namespace lockscope::ui {

/// What the lab's page says, in one place.
class LabText
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::LabText)
public:
    static QString way(LabWay way);
    /// What it does and what it is known for.
    static QString wayMeaning(LabWay way);
    static QString scenario(const QString &name);
    static QString job(LabJob job);
    static QString skew(LabSkew skew);
    static QString shape(LabTime::Shape shape);
    static QString fault(LabFault::Kind kind);
    static QString faultMeaning(LabFault::Kind kind);

    static QString column(LabChart::Column column);

    /// What goes wrong in runs, in the order of its weight.
    enum class Harm { Violations, LostUpdates, StaleWrites, Duplicates, Oversold, Overlaps, Refused };
    static QList<Harm> harms();
    static QString harm(Harm harm);
    /// For the head of a narrow column.
    static QString harmShort(Harm harm);
    /// How it is counted.
    static QString harmMeaning(Harm harm);
    static quint64 harmCount(Harm harm, const LabCounts &counts, quint64 oversold);
    /// False: it is no fault of the lock.
    static bool isHarmful(Harm harm);
};

} // namespace lockscope::ui
