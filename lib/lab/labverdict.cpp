// SPDX-License-Identifier: MIT
#include "labverdict.h"

#include <QtCore/QStringList>

#include <chrono>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

using Kind = LabFinding::Kind;

struct Harm
{
    Kind kind;
    quint64 LabCounts::*count;
};
constexpr Harm kHarms[] = {
    {Kind::Oversold, &LabCounts::oversold},       {Kind::Duplicates, &LabCounts::duplicates},
    {Kind::LostUpdates, &LabCounts::lostUpdates}, {Kind::StaleWrites, &LabCounts::staleWrites},
    {Kind::Violations, &LabCounts::violations},
};

/// Nothing late is accepted: a later token refuses it, or it ended with its transaction.
bool isGuarded(const LabPlan &plan)
{
    const LabWayTraits &traits = traitsOf(plan.way);
    return plan.job != LabJob::Nothing && (traits.isInTransaction || (traits.hasToken && plan.isFenced));
}

QString counted(quint64 count, const QString &one, const QString &many)
{
    return QString::number(count) + u' ' + (count == 1 ? one : many);
}

QString wordsOf(const LabFinding &finding, const LabCounts &counts)
{
    switch (finding.kind) {
    case Kind::Oversold:
        return counted(finding.count, u"piece sold that was not in stock"_s, u"pieces sold that were not in stock"_s);
    case Kind::Duplicates:
        return counted(finding.count, u"job done again"_s, u"jobs done again"_s);
    case Kind::LostUpdates:
        return u"%1 of %2 writes lost"_s.arg(finding.count).arg(counts.writes);
    case Kind::StaleWrites:
        return counted(finding.count, u"write accepted"_s, u"writes accepted"_s) + u" after the lock had ended"_s;
    case Kind::Violations:
        return counted(finding.count, u"time"_s, u"times"_s) + u" two held one resource at once"_s;
    case Kind::HarmlessViolations:
        return counted(finding.count, u"time"_s, u"times"_s)
            + u" two held one resource at once: harmless, no late write was accepted (%1 refused)"_s.arg(
                counts.refusedWrites);
    case Kind::Stalled:
        return u"after a crash nobody was granted it for %1 s"_s.arg(double(finding.count) / 1000, 0, 'f', 1);
    case Kind::Deadlocks:
        return counted(finding.count, u"deadlock"_s, u"deadlocks"_s);
    case Kind::TimedOut:
        return counted(finding.count, u"request gave up waiting"_s, u"requests gave up waiting"_s);
    case Kind::NoHarm:
        return u"no harm in "_s + counted(finding.count, u"grant"_s, u"grants"_s);
    case Kind::Nothing:
        return u"nobody was granted anything"_s;
    case Kind::HarmlessOverlaps:
        return counted(finding.count, u"time"_s, u"times"_s)
            + u" a holder worked on past its time: harmless, no late write was accepted (%1 refused)"_s.arg(
                counts.refusedWrites);
    case Kind::Overlaps:
        return counted(finding.count, u"time"_s, u"times"_s) + u" a holder worked on past its time"_s;
    }
    return {};
}

} // namespace

QList<LabFinding> labFindings(const LabPlan &plan, const LabCounts &counts)
{
    QList<LabFinding> findings;
    for (const auto &[kind, count] : kHarms) {
        if (counts.*count > 0)
            findings.append({kind, counts.*count});
    }
    const bool isHarmed = !findings.isEmpty();
    const bool isExpected = !traitsOf(plan.way).isEngine || plan.mayForget(); // else a promise is broken
    const bool isHarmless =
        isExpected && isGuarded(plan) && findings.size() == 1 && findings.first().kind == Kind::Violations;
    if (isHarmless)
        findings.first().kind = Kind::HarmlessViolations;
    if (std::chrono::milliseconds(counts.stallMs) >= 2 * plan.ttl)
        findings.append({Kind::Stalled, counts.stallMs});
    if (counts.deadlocks > 0)
        findings.append({Kind::Deadlocks, counts.deadlocks});
    if (counts.timedOut > 0)
        findings.append({Kind::TimedOut, counts.timedOut});
    if (counts.granted == 0)
        findings.append({Kind::Nothing, 0});
    else if (!isHarmed)
        findings.append({Kind::NoHarm, counts.granted});
    if (counts.overlaps > 0)
        findings.append(
            {isGuarded(plan) && counts.staleWrites == 0 ? Kind::HarmlessOverlaps : Kind::Overlaps, counts.overlaps});
    return findings;
}

QString labVerdict(const LabPlan &plan, const LabCounts &counts)
{
    QStringList words;
    for (const LabFinding &finding : labFindings(plan, counts))
        words += wordsOf(finding, counts);
    QString sentence = words.join(u"; ") + u'.';
    sentence[0] = sentence[0].toUpper();
    return sentence;
}

} // namespace lockscope
