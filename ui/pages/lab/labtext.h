// SPDX-License-Identifier: MIT
#pragma once

#include "lab/labdocument.h"
#include "lab/labverdict.h"

#include <QtCore/QCoreApplication>

namespace lockscope::ui {

/// What the lab's page says, in one place.
class LabText
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::ui::LabText)
public:
    static QString way(LabWay way) { return tr(wordsOf(way).name); }
    /// What it does and what it is known for.
    static QString wayMeaning(LabWay way) { return tr(wordsOf(way).meaning); }
    /// With what tells it apart from runs of the same way beside it: "Unique, on Redis (on disk with each write)".
    static QString run(const LabPlan &plan);
    static QString job(LabJob job);
    static QString skew(LabSkew skew);
    static QString keeping(LabKeeping keeping);
    static QString shape(LabTime::Shape shape);
    static QString fault(LabFault::Kind kind) { return tr(wordsOf(kind).name); }
    static QString faultMeaning(LabFault::Kind kind) { return tr(wordsOf(kind).meaning); }

    static QString column(LabChart::Column column);

    /// What goes wrong in runs, in the order of its weight.
    enum class Harm { Violations, LostUpdates, StaleWrites, Duplicates, Oversold, Overlaps, Refused };
    static QList<Harm> harms();
    static QString harm(Harm harm) { return tr(wordsOf(harm).name); }
    /// For the head of a narrow column.
    static QString harmShort(Harm harm) { return tr(wordsOf(harm).shortName); }
    /// How it is counted.
    static QString harmMeaning(Harm harm) { return tr(wordsOf(harm).meaning); }
    static quint64 harmCount(Harm harm, const LabCounts &counts) { return counts.*wordsOf(harm).count; }
    /// False: the lock is not at fault.
    static bool isHarmful(Harm harm);
    /// What a run came to so far, in a sentence: "92 pieces sold that were not in stock."
    static QString verdict(const LabPlan &plan, const LabCounts &counts);

private:
    struct Words
    {
        const char *name;
        const char *meaning;
    };
    struct HarmWords
    {
        const char *name;
        const char *shortName;
        const char *meaning;
        quint64 LabCounts::*count;
    };
    static Words wordsOf(LabWay way);
    static Words wordsOf(LabFault::Kind kind);
    static HarmWords wordsOf(Harm harm);
    static QString finding(const LabFinding &finding, const LabCounts &counts);
};

} // namespace lockscope::ui
