// SPDX-License-Identifier: MIT
#include "latencyranks.h"

#include "ui/text/commontext.h"
#include "ui/widgets/roles.h"

namespace lockscope::ui {

namespace {

QList<ColumnHead> headsOf(LatencyRanks::Of of)
{
    const bool isWaiting = of == LatencyRanks::Of::Waiting;
    return {{isWaiting ? LatencyRanks::tr("Who waited") : LatencyRanks::tr("Who held")},
            {LatencyRanks::tr("Resources"), Qt::AlignLeft,
             LatencyRanks::tr("By the prefix that a program gives its names. Engines do not count single resources.")},
            {LatencyRanks::tr("95 %"), Qt::AlignRight, LatencyRanks::tr("Of those that were granted")},
            {isWaiting ? LatencyRanks::tr("Requests") : LatencyRanks::tr("Holds"), Qt::AlignRight},
            {LatencyRanks::tr("Share"), Qt::AlignRight,
             isWaiting ? LatencyRanks::tr("Of the time that all requests waited together")
                       : LatencyRanks::tr("Of the time that all held together")}};
}

} // namespace

LatencyRanks::LatencyRanks(Of of, QObject *parent)
    : MergedModel(headsOf(of), parent)
{
}

bool LatencyRanks::isSame(const LatencyRank &a, const LatencyRank &b) const
{
    return a.program == b.program && a.prefix == b.prefix;
}

QVariant LatencyRanks::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const LatencyRank &rank = m_rows[index.row()];
    const auto column = Column(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return text(rank, column);
    case Qt::ToolTipRole:
        return CommonText::tip(column == ShareColumn ? tr("%1 together").arg(CommonText::duration(rank.spent))
                                                     : text(rank, column));
    case Qt::TextAlignmentRole:
        return alignmentOf(column);
    case ElideMiddleRole:
        return column == PrefixColumn;
    default:
        return {};
    }
}

QString LatencyRanks::prefixText(const QByteArray &prefix)
{
    return prefix.isEmpty() ? tr("Without prefix") : tr("%1…").arg(CommonText::resource(prefix));
}

QString LatencyRanks::text(const LatencyRank &rank, Column column)
{
    switch (column) {
    case ProgramColumn:
        return rank.program.isEmpty() ? CommonText::none() : CommonText::note(rank.program.toUtf8());
    case PrefixColumn:
        return prefixText(rank.prefix);
    case P95Column:
        return CommonText::duration(rank.p95);
    case CountColumn:
        return CommonText::count(qint64(rank.requests));
    case ShareColumn:
        return CommonText::percent(rank.share);
    case ColumnCount:
        break;
    }
    return {};
}

} // namespace lockscope::ui
