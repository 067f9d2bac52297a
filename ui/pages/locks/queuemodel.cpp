// SPDX-License-Identifier: MIT
#include "queuemodel.h"

#include "ui/server/liveclock.h"
#include "ui/text/commontext.h"
#include "ui/widgets/roles.h"

namespace lockscope::ui {

QueueModel::QueueModel(const LiveClock *clock, QObject *parent)
    : MergedModel({{tr("#"), Qt::AlignRight}, {tr("Waits for it")}, {tr("For"), Qt::AlignRight}}, parent)
    , m_clock(clock)
{
}

bool QueueModel::isSame(const Waiter &a, const Waiter &b) const
{
    return a.connectionId == b.connectionId && a.since == b.since && a.owner == b.owner;
}

std::optional<Microseconds> QueueModel::waited(const Waiter &waiter) const
{
    if (!waiter.since)
        return std::nullopt;
    return std::max(Microseconds::zero(), m_clock->now() - *waiter.since);
}

QVariant QueueModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Waiter &waiter = m_rows[index.row()];
    const auto column = Column(index.column());
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(column);
    if (role == Qt::ToolTipRole) {
        const QString connection =
            waiter.connectionId ? tr("connection %1").arg(*waiter.connectionId) : tr("no connection");
        const QString who = waiter.account.isEmpty() ? CommonText::whoInFull(waiter.owner) : waiter.account;
        const QString text = tr("%1, %2").arg(who, connection);
        const QString since = tr("Waits since %1").arg(CommonText::exactMoment(waiter.since));
        return CommonText::tip(waiter.since ? text + u'\n' + since : text);
    }
    if (role == MarkRole && column == OwnerColumn)
        return int(Mark::Waiting);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case PositionColumn:
        return CommonText::count(waiter.position);
    case OwnerColumn:
        if (!waiter.account.isEmpty()) // of a row lock: the server knows no more
            return tr("connection %1 · %2").arg(waiter.connectionId.value_or(0)).arg(waiter.account);
        if (waiter.owner.pid == 0) // another program's
            return CommonText::who(waiter.owner);
        return tr("%1 · %2").arg(CommonText::service(waiter.owner), CommonText::process(waiter.owner));
    case WaitingColumn:
        return CommonText::duration(waited(waiter));
    case ColumnCount:
        break;
    }
    return {};
}

} // namespace lockscope::ui
