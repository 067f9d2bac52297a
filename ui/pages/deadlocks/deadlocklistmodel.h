// SPDX-License-Identifier: MIT
#pragma once

#include "deadlocks/deadlockinbox.h"
#include "ui/widgets/mergedmodel.h"

namespace lockscope::ui {

/// The shapes of deadlocks in the order in which they came first, so that a row stays where it is while it counts on.
class DeadlockListModel : public MergedModel<DeadlockShape>
{
    Q_OBJECT
public:
    enum Column { LastColumn, CountColumn, TablesColumn, CauseColumn, VictimColumn, ColumnCount };
    Q_ENUM(Column)

    explicit DeadlockListModel(QObject *parent = nullptr);

    /// Null: nothing is known.
    void setInbox(const DeadlockInboxPtr &inbox);
    QVariant data(const QModelIndex &index, int role) const override;

protected:
    bool isSame(const DeadlockShape &a, const DeadlockShape &b) const override { return a.shape == b.shape; }

private:
    static QString text(const DeadlockShape &row, Column column);
    static QString tip(const DeadlockShape &row, Column column);
};

} // namespace lockscope::ui
