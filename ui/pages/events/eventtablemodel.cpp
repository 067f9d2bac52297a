// SPDX-License-Identifier: MIT
#include "eventtablemodel.h"

#include "ui/style/displaytimezone.h"
#include "ui/text/commontext.h"
#include "ui/widgets/roles.h"

namespace lockscope::ui {

EventTableModel::EventTableModel(QObject *parent)
    : MergedModel({{tr("Time")},
                   {tr("Event")},
                   {tr("Resource")},
                   {tr("Token"), Qt::AlignRight},
                   {tr("Whose lease")},
                   {tr("Operator")},
                   {tr("Reason")}},
                  parent)
{
    connect(DisplayTimeZone::instance(), &DisplayTimeZone::changed, this, [this] {
        if (!m_rows.isEmpty())
            Q_EMIT dataChanged(index(0, TimeColumn), index(rowCount() - 1, TimeColumn));
    });
}

void EventTableModel::add(const QList<Event> &events)
{
    const QList<Event> newest = events.size() > MaxEvents ? events.last(MaxEvents) : events;
    if (newest.isEmpty())
        return;
    const auto kept = MaxEvents - newest.size();
    if (m_rows.size() > kept) {
        beginRemoveRows({}, int(kept), int(m_rows.size()) - 1);
        m_rows.resize(kept);
        endRemoveRows();
    }
    beginInsertRows({}, 0, int(newest.size()) - 1);
    m_rows = QList<Event>(newest.crbegin(), newest.crend()) + m_rows;
    endInsertRows();
}

void EventTableModel::clear()
{
    setRows({});
}

QVariant EventTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Event &event = m_rows[index.row()];
    const auto column = Column(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return text(event, column);
    case Qt::ToolTipRole:
        if (column == TimeColumn)
            return CommonText::tip(CommonText::exactMoment(event.at));
        return CommonText::tip(column == KindColumn ? CommonText::eventMeaning(event) : text(event, column));
    case Qt::TextAlignmentRole:
        return alignmentOf(column);
    case MarkRole:
        return column == KindColumn ? QVariant(int(markOf(event.kind))) : QVariant();
    case ElideMiddleRole:
        return column == ResourceColumn;
    default:
        return {};
    }
}

QString EventTableModel::text(const Event &event, Column column)
{
    switch (column) {
    case TimeColumn:
        return CommonText::moment(event.at);
    case KindColumn:
        return CommonText::eventKind(event);
    case ResourceColumn:
        return CommonText::lock(event.key);
    case TokenColumn:
        return CommonText::token(event.token);
    case OwnerColumn:
        return CommonText::whoInFull(event.owner);
    case OperatorColumn:
        return event.operatorName.isEmpty() ? CommonText::none() : CommonText::note(event.actor().toUtf8());
    case ReasonColumn:
        return event.reason.isEmpty() ? CommonText::none() : CommonText::note(event.reason.toUtf8());
    case ColumnCount:
        break;
    }
    return {};
}

} // namespace lockscope::ui
