// SPDX-License-Identifier: MIT
#include "labreport.h"

#include "console/duration.h"
#include "labverdict.h"

#include <QtCore/QJsonValue>

#include <algorithm>
#include <array>

namespace lockscope {

using namespace Qt::StringLiterals;

namespace {

struct CountField
{
    const char *name;
    quint64 LabCounts::*field;
};

constexpr std::array<CountField, 21> kCounts{{
    {"attempts", &LabCounts::attempts},
    {"granted", &LabCounts::granted},
    {"busy", &LabCounts::busy},
    {"timedOut", &LabCounts::timedOut},
    {"deadlocks", &LabCounts::deadlocks},
    {"conflicts", &LabCounts::conflicts},
    {"writes", &LabCounts::writes},
    {"skipped", &LabCounts::skipped},
    {"notHeld", &LabCounts::notHeld},
    {"errors", &LabCounts::errors},
    {"crashes", &LabCounts::crashes},
    {"freezes", &LabCounts::freezes},
    {"networkFaults", &LabCounts::networkFaults},
    {"violations", &LabCounts::violations},
    {"overlaps", &LabCounts::overlaps},
    {"lostUpdates", &LabCounts::lostUpdates},
    {"staleWrites", &LabCounts::staleWrites},
    {"refusedWrites", &LabCounts::refusedWrites},
    {"duplicates", &LabCounts::duplicates},
    {"oversold", &LabCounts::oversold},
    {"stallMs", &LabCounts::stallMs},
}};

constexpr std::array<const char *, 5> kLosses{"unknown", "nothing", "last-writes", "last-second", "all"};

LabLoss lossIn(const QString &name)
{
    const auto found =
        std::find_if(kLosses.begin(), kLosses.end(), [&](const char *loss) { return name == QLatin1StringView(loss); });
    return found == kLosses.end() ? LabLoss::Unknown : LabLoss(found - kLosses.begin());
}

} // namespace

LabLoss lossOfNodes(const LabPlan &plan)
{
    const LabStore store = traitsOf(plan.way).store;
    if (plan.keeping == LabKeeping::Durable || store == LabStore::Etcd)
        return LabLoss::Nothing;
    if (store == LabStore::ZooKeeper)
        return LabLoss::LastWrites;
    return plan.keeping == LabKeeping::Memory ? LabLoss::All : LabLoss::LastSecond;
}

QString labLossText(LabLoss loss)
{
    switch (loss) {
    case LabLoss::Unknown:
        break;
    case LabLoss::Nothing:
        return u"nothing"_s;
    case LabLoss::LastWrites:
        return u"the last writes"_s;
    case LabLoss::LastSecond:
        return u"the last second"_s;
    case LabLoss::All:
        return u"all locks"_s;
    }
    return u"–"_s;
}

QString labRunName(const LabPlan &plan)
{
    const LabWayTraits &traits = traitsOf(plan.way);
    QString name = QString::fromLatin1(traits.name);
    if (mayBeEnsemble(traits.store) && plan.servers > 1)
        name += u" × %1"_s.arg(plan.servers);
    if (choosesKeeping(traits.store) && plan.keeping != LabKeeping::Memory)
        name += u" (%1)"_s.arg(labKeepingName(plan.keeping));
    if (traits.hasToken && !plan.isFenced)
        name += u" without the fence"_s;
    return name;
}

double LabReport::throughput() const
{
    const double seconds = std::chrono::duration<double>(length).count();
    return seconds > 0 ? double(counts.granted) / seconds : 0;
}

bool LabReport::hasBrokenPromise() const
{
    const LabWayTraits &traits = traitsOf(plan.way);
    const bool isFenced = plan.isFenced || !traits.hasToken;
    return traits.isEngine && isFenced
        && ((counts.violations > 0 && !plan.mayForget()) || counts.lostUpdates > 0 || counts.staleWrites > 0
            || counts.duplicates > 0 || counts.oversold > 0);
}

QJsonObject LabReport::toJson() const
{
    QJsonObject json{{u"format"_s, u"lockscope-run"_s},
                     {u"version"_s, Version},
                     {u"mode"_s, QString::fromLatin1(traitsOf(plan.way).name)},
                     {u"plan"_s, plan.toJson()},
                     {u"verdict"_s, labVerdict(plan, counts)},
                     {u"server"_s, server},
                     {u"crashTakes"_s, QString::fromLatin1(kLosses[std::size_t(loss)])},
                     {u"lengthUs"_s, qint64(length.count())},
                     {u"throughput"_s, throughput()},
                     {u"fairness"_s, fairness},
                     {u"connections"_s, connections},
                     {u"statementsPerGrant"_s, statementsPerGrant ? QJsonValue(*statementsPerGrant) : QJsonValue()},
                     {u"serverCpuUs"_s, serverCpu ? QJsonValue(qint64(serverCpu->count())) : QJsonValue()},
                     {u"partial"_s, partial ? QJsonValue(*partial) : QJsonValue(false)},
                     {u"firstError"_s, firstError}};
    for (const CountField &count : kCounts)
        json.insert(QLatin1StringView(count.name), qint64(counts.*count.field));
    json.insert(u"latency"_s,
                QJsonObject{{u"p50Us"_s, qint64(latency.percentile(50).count())},
                            {u"p95Us"_s, qint64(latency.percentile(95).count())},
                            {u"p99Us"_s, qint64(latency.percentile(99).count())},
                            {u"maxUs"_s, qint64(latency.max().count())},
                            {u"sumUs"_s, qint64(latency.sum().count())},
                            {u"buckets"_s, QString::fromLatin1(latency.toBytes().toBase64())}});
    return json;
}

std::optional<LabReport> LabReport::fromJson(const QJsonObject &json, QString *error)
{
    if (json.value(u"format"_s).toString() != "lockscope-run"_L1) {
        *error = u"This is not a run of Lockscope's lab."_s;
        return std::nullopt;
    }
    if (const int version = json.value(u"version"_s).toInt(); version != Version) {
        *error = u"The run has version %1, this program knows %2. Update Lockscope."_s.arg(version).arg(Version);
        return std::nullopt;
    }
    const auto plan = LabPlan::fromJson(json.value(u"plan"_s).toObject(), error);
    if (!plan)
        return std::nullopt;
    LabReport report;
    report.plan = *plan;
    report.server = json.value(u"server"_s).toString();
    report.loss = lossIn(json.value(u"crashTakes"_s).toString());
    report.length = Duration(json.value(u"lengthUs"_s).toInteger());
    report.fairness = json.value(u"fairness"_s).toDouble(1);
    report.connections = json.value(u"connections"_s).toInt();
    if (const QJsonValue value = json.value(u"statementsPerGrant"_s); value.isDouble())
        report.statementsPerGrant = value.toDouble();
    if (const QJsonValue value = json.value(u"serverCpuUs"_s); value.isDouble())
        report.serverCpu = Duration(value.toInteger());
    if (const QJsonValue value = json.value(u"partial"_s); value.isString())
        report.partial = value.toString();
    report.firstError = json.value(u"firstError"_s).toString();
    for (const CountField &count : kCounts)
        report.counts.*count.field = quint64(json.value(QLatin1StringView(count.name)).toInteger());
    const QJsonObject latency = json.value(u"latency"_s).toObject();
    const auto histogram = Histogram::fromBytes(
        QByteArray::fromBase64(latency.value(u"buckets"_s).toString().toLatin1()),
        Duration(latency.value(u"sumUs"_s).toInteger()), Duration(latency.value(u"maxUs"_s).toInteger()));
    if (!histogram) {
        *error = u"The run's latencies are damaged."_s;
        return std::nullopt;
    }
    report.latency = *histogram;
    return report;
}

bool haveLikeLengths(const QList<LabReport> &reports)
{
    constexpr double tolerance = 1.05; // a run ends a little late
    const auto [shortest, longest] = std::minmax_element(
        reports.begin(), reports.end(), [](const LabReport &a, const LabReport &b) { return a.length < b.length; });
    return reports.isEmpty() || double(longest->length.count()) <= tolerance * double(shortest->length.count());
}

QString labMarkdown(const QList<LabReport> &reports)
{
    QString text = u"| mode | length | granted/s | p50 | p95 | p99 | longest | Jain | timed out | conflicts | "
                   u"statements per grant "
                   u"| connections | server CPU | violations | overlaps | lost updates | stale writes | refused | "
                   u"duplicates | oversold | a crash takes |\n|---"_s
        + u"|---"_s.repeated(20) + u"|\n"_s;
    for (const LabReport &report : reports) {
        const LabCounts &counts = report.counts;
        const QStringList cells{labRunName(report.plan) + (report.partial ? u" (partial)"_s : QString()),
                                formatDuration(report.length),
                                QString::number(report.throughput(), 'f', 1),
                                formatDuration(report.latency.percentile(50)),
                                formatDuration(report.latency.percentile(95)),
                                formatDuration(report.latency.percentile(99)),
                                formatDuration(report.latency.max()),
                                QString::number(report.fairness, 'f', 3),
                                QString::number(counts.timedOut),
                                QString::number(counts.conflicts),
                                report.statementsPerGrant ? QString::number(*report.statementsPerGrant, 'f', 1)
                                                          : u"–"_s,
                                QString::number(report.connections),
                                report.serverCpu ? formatDuration(*report.serverCpu) : u"–"_s,
                                QString::number(counts.violations),
                                QString::number(counts.overlaps),
                                QString::number(counts.lostUpdates),
                                QString::number(counts.staleWrites),
                                QString::number(counts.refusedWrites),
                                QString::number(counts.duplicates),
                                QString::number(counts.oversold),
                                labLossText(report.loss)};
        text += u"| "_s + cells.join(u" | ") + u" |\n"_s;
    }
    text += u"\nMore is better for granted/s and Jain's index of fairness, less for everything else. "
            "A crash is one of the machine that the locks are kept on.\n"_s;
    if (!haveLikeLengths(reports))
        text += u"**These runs differ in length: compare their rates, not their counts.**\n"_s;
    text += u'\n';
    for (const LabReport &report : reports)
        text += u"- %1: %2\n"_s.arg(labRunName(report.plan), labVerdict(report.plan, report.counts));
    return text;
}

} // namespace lockscope
