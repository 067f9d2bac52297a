// SPDX-License-Identifier: MIT
#pragma once

#include "latency/latencypicture.h"
#include "ui/widgets/mergedmodel.h"

namespace lockscope::ui {

/// Programs with the prefix of their resources, and what part of all waiting, or holding, was theirs.
class LatencyRanks : public MergedModel<LatencyRank>
{
    Q_OBJECT
public:
    enum Column { ProgramColumn, PrefixColumn, P95Column, CountColumn, ShareColumn, ColumnCount };
    Q_ENUM(Column)
    enum class Of { Waiting, Holding };

    explicit LatencyRanks(Of of, QObject *parent = nullptr);

    QVariant data(const QModelIndex &index, int role) const override;
    /// "orders/…", "Without prefix".
    static QString prefixText(const QByteArray &prefix);

protected:
    bool isSame(const LatencyRank &a, const LatencyRank &b) const override;

private:
    static QString text(const LatencyRank &rank, Column column);
};

} // namespace lockscope::ui
