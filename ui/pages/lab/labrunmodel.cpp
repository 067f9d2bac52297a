// SPDX-License-Identifier: MIT
#include "labrunmodel.h"

#include "console/duration.h"
#include "labtext.h"
#include "ui/text/commontext.h"
#include "ui/text/linktext.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

enum Column { Mode, Rate, Median, P95, P99, Fairness, TimedOut, Errors, FirstHarm };

QList<ColumnHead> heads()
{
    QList<ColumnHead> heads{{LabRunModel::tr("Mode")}};
    for (const QString &title :
         {LabRunModel::tr("Granted/s"), LabRunModel::tr("Median"), LabRunModel::tr("95 %"), LabRunModel::tr("99 %"),
          LabRunModel::tr("Fairness"), LabRunModel::tr("Timed out"), LabRunModel::tr("Errors")})
        heads.append({title, Qt::AlignRight});
    for (const auto harm : LabText::harms())
        heads.append({LabText::harmShort(harm), Qt::AlignRight, CommonText::tip(LabText::harmMeaning(harm))});
    return heads;
}

} // namespace

LabRunModel::LabRunModel(QObject *parent)
    : HeadedModel(heads(), parent)
{
}

void LabRunModel::add(const LabReport &report)
{
    beginInsertRows({}, int(m_reports.size()), int(m_reports.size()));
    m_reports.append(report);
    endInsertRows();
}

void LabRunModel::clear()
{
    if (m_reports.isEmpty())
        return;
    beginRemoveRows({}, 0, int(m_reports.size()) - 1);
    m_reports.clear();
    endRemoveRows();
}

bool LabRunModel::isOfNoRun(int column) const
{
    const auto hasNone = [column](const LabReport &report) {
        return LabText::harmCount(LabText::harms()[column - FirstHarm], report.counts) == 0;
    };
    return column > FirstHarm && std::all_of(m_reports.cbegin(), m_reports.cend(), hasNone);
}

int LabRunModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_reports.size());
}

QString LabRunModel::text(const LabReport &report, int column) const
{
    switch (column) {
    case Mode:
        return report.partial ? tr("%1 (partial)").arg(LabText::run(report.plan)) : LabText::run(report.plan);
    case Rate:
        return QLocale().toString(report.throughput(), 'f', 1);
    case Median:
        return formatDuration(report.latency.percentile(50));
    case P95:
        return formatDuration(report.latency.percentile(95));
    case P99:
        return formatDuration(report.latency.percentile(99));
    case Fairness:
        return QLocale().toString(report.fairness, 'f', 2);
    case TimedOut:
        return CommonText::count(qint64(report.counts.timedOut));
    case Errors:
        return CommonText::count(qint64(report.counts.errors + report.counts.deadlocks));
    default:
        break;
    }
    const auto harm = LabText::harms()[column - FirstHarm];
    return CommonText::count(qint64(LabText::harmCount(harm, report.counts)));
}

QVariant LabRunModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const LabReport &report = m_reports[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return text(report, index.column());
    case Qt::TextAlignmentRole:
        return alignmentOf(index.column());
    case Qt::ToolTipRole:
        return CommonText::tip(tr("%1 workers, %2 resources, %3, %4%5")
                                   .arg(report.plan.workers)
                                   .arg(report.plan.resources)
                                   .arg(LinkText::scenario(report.plan.name), report.server,
                                        report.partial ? tr(". Partial: %1").arg(*report.partial) : QString()));
    default:
        return {};
    }
}

} // namespace lockscope::ui
