// SPDX-License-Identifier: MIT
#pragma once

#include "locks/snapshot.h"
#include "ui/widgets/mergedmodel.h"

namespace lockscope::ui {

class LiveClock;

/// Who waits for one lock, next one first.
class QueueModel : public MergedModel<Waiter>
{
    Q_OBJECT
public:
    enum Column { PositionColumn, OwnerColumn, WaitingColumn, ColumnCount };
    Q_ENUM(Column)

    /// `clock` is not owned and must outlive the model.
    explicit QueueModel(const LiveClock *clock, QObject *parent = nullptr);

    /// Of the server that the lock is of. Not owned; must outlive the model, or the next call.
    void setClock(const LiveClock *clock) { m_clock = clock; }

    QVariant data(const QModelIndex &index, int role) const override;

protected:
    bool isSame(const Waiter &a, const Waiter &b) const override;

private:
    std::optional<Microseconds> waited(const Waiter &waiter) const;

    const LiveClock *m_clock;
};

} // namespace lockscope::ui
