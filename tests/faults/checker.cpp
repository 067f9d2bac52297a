// SPDX-License-Identifier: MIT
#include "checker.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lockscope::faults {

namespace {

Figures figuresOf(const History &history)
{
    Figures figures;
    figures.requests = history.requests.size();
    for (const Request &request : history.requests) {
        figures.grants += request.grant == Answer::Yes;
        figures.writes += request.write == Answer::Yes;
        figures.refusals += request.write == Answer::No;
        for (const Answer answer : {request.grant, request.write, request.release})
            figures.doubts += answer == Answer::Unknown;
        figures.queued += request.queuedAt != Never;
    }
    for (const auto &[number, resource] : history.resources)
        figures.looks += resource.looks.size();
    figures.disturbances = history.disturbances.count();
    figures.stoodStill = history.stoodStill(0, Never);
    return figures;
}

} // namespace

std::size_t Verdict::countOf(const QString &rule) const
{
    return std::size_t(std::count_if(findings.begin(), findings.end(),
                                     [&rule](const Finding &finding) { return finding.rule == rule; }));
}

QString moment(const History &history, qint64 at)
{
    return u"+%1 s"_s.arg(double(at - history.beganAt) / 1e6, 0, 'f', 3);
}

QString span(qint64 length)
{
    return u"%1 s"_s.arg(double(length) / 1e6, 0, 'f', 3);
}

Verdict check(const History &history, const Promises &promises)
{
    Verdict verdict;
    verdict.figures = figuresOf(history);
    for (const QString &defect : history.defects)
        verdict.findings.push_back({u"history"_s, defect});
    // What half of a run may excuse is too much for it to say anything.
    if (2 * verdict.figures.stoodStill > history.stoppedAt - history.beganAt) {
        verdict.findings.push_back(
            {u"machine"_s,
             u"it stood still for %1: run this again where it has time"_s.arg(span(verdict.figures.stoodStill))});
    }
    checkTokens(history, &verdict.findings);
    checkWrites(history, &verdict.findings);
    checkGaps(history, promises, &verdict.findings, &verdict.figures.gaps);
    checkAnswers(history, promises, &verdict.findings);
    if (promises.way == Way::Unique) {
        checkExclusion(history, &verdict.findings);
        checkOrder(history, promises, &verdict.findings);
    }
    return verdict;
}

} // namespace lockscope::faults
