// SPDX-License-Identifier: MIT
#pragma once

#include "labplan.h"
#include "labtally.h"

#include <QtCore/QJsonObject>

namespace lockscope {

/// What of the grants that it has made a store forgets when its machine goes down. SIGKILL of the server alone takes
/// only what was in memory.
enum class LabLoss { Unknown, Nothing, LastWrites, LastSecond, All };

/// Of a store with nodes, by its plan.
LabLoss lossOfNodes(const LabPlan &plan);
/// "the last second"
QString labLossText(LabLoss loss);
/// "redis-fair (durable)", "zookeeper × 3": what tells runs apart that stand side by side.
QString labRunName(const LabPlan &plan);

/// What a run came to. A plain value; one JSON object, one file.
struct LabReport
{
    /// Of the JSON form. A reader refuses a newer one.
    static constexpr int Version = 1;

    LabPlan plan;
    QString server; ///< "10.11.19-MariaDB"
    LabLoss loss = LabLoss::Unknown;
    LabCounts counts;
    Histogram latency;
    Duration length = Duration::zero(); ///< that it really ran
    double fairness = 1;
    std::optional<double> statementsPerGrant;
    int connections = 0;               ///< most at a time
    std::optional<Duration> serverCpu; ///< none: the server's process cannot be seen from here
    std::optional<QString> partial;    ///< why it is not whole; none: it is
    QString firstError;                ///< the first reason of `counts.errors` that a worker told; may be empty

    double throughput() const;
    /// The engine's ways promise, with the fence on and under every fault: no lost update, stale write, duplicate or
    /// oversold piece, and no violation unless the store was made to forget who holds. Here such a promise was broken.
    bool hasBrokenPromise() const;

    QJsonObject toJson() const;
    static std::optional<LabReport> fromJson(const QJsonObject &json, QString *error);
};

/// False: they ran for so unlike times that their rates can be compared, and their counts cannot.
bool haveLikeLengths(const QList<LabReport> &reports);
/// Runs side by side in Markdown: all numbers as a table, and what each came to in a sentence.
QString labMarkdown(const QList<LabReport> &reports);

} // namespace lockscope
