// SPDX-License-Identifier: MIT
#include "eventtablemodel.h"

#include "ui/style/displaytimezone.h"
#include "ui/text/commontext.h"
#include "ui/widgets/roles.h"

#include <algorithm>

namespace lockscope::ui {

namespace {

bool hasToken(Event::Kind kind)
{
    return kind != Event::Kind::Kill && kind != Event::Kind::TableRelease;
}

} // namespace

EventTableModel::EventTableModel(QObject *parent)
    : MergedModel(
        {{tr("Time")},
         {tr("Event")},
         {tr("Resource")},
         {tr("Token"), Qt::AlignRight},
         {tr("Whose")},
         {tr("Operator")},
         {tr("Reason")},
         {tr("Result"), Qt::AlignLeft, tr("What came of it, from the record of this machine")},
         {tr("Recorded"), Qt::AlignLeft,
          tr("Where it is on record: on the server, for all who may read it, or in this machine's own file")}},
        parent)
{
    connect(DisplayTimeZone::instance(), &DisplayTimeZone::changed, this, [this] {
        if (!m_rows.isEmpty())
            Q_EMIT dataChanged(index(0, TimeColumn), index(rowCount() - 1, TimeColumn));
    });
}

void EventTableModel::add(const QList<Event> &events)
{
    m_events += events;
    if (m_events.size() > MaxEvents)
        m_events = m_events.last(MaxEvents);
    merge();
}

void EventTableModel::setEvents(const QList<Event> &events)
{
    m_events = events;
    merge();
}

void EventTableModel::setActs(const QList<AuditLine> &acts)
{
    m_acts = acts;
    merge();
}

void EventTableModel::clear()
{
    m_events.clear();
    m_acts.clear();
    merge();
}

void EventTableModel::merge()
{
    setRows(mergedRecords(m_events, m_acts).mid(0, MaxEvents));
}

int EventTableModel::rowOf(const AuditEntry &act) const
{
    const auto found = std::find_if(m_rows.cbegin(), m_rows.cend(), [&act](const RecordedEvent &row) {
        return row.line && row.line->target == act.target && row.line->reason == act.reason;
    });
    return found == m_rows.cend() ? -1 : int(found - m_rows.cbegin());
}

QVariant EventTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const RecordedEvent &row = m_rows[index.row()];
    const auto column = Column(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return text(row, column);
    case Qt::ToolTipRole:
        return CommonText::tip(tip(row, column));
    case Qt::TextAlignmentRole:
        return alignmentOf(column);
    case MarkRole:
        return column == KindColumn ? QVariant(int(row.isDone() ? markOf(row.event.kind) : Mark::Unknown)) : QVariant();
    case SortRole:
        return sorted(row, column);
    case ElideMiddleRole:
        return column == ResourceColumn;
    default:
        return {};
    }
}

QVariant EventTableModel::sorted(const RecordedEvent &row, Column column)
{
    if (column == TimeColumn)
        return qint64(row.event.at.time_since_epoch().count());
    return column == TokenColumn ? QVariant(row.event.token) : text(row, column);
}

QString EventTableModel::kind(const RecordedEvent &row)
{
    if (row.isDone())
        return CommonText::eventKind(row.event);
    return row.event.kind == Event::Kind::Kill ? tr("Tried to end") : tr("Tried to release");
}

QString EventTableModel::record(const RecordedEvent &row)
{
    if (row.isOnServer)
        return row.line ? tr("Both") : tr("Server");
    return row.line ? tr("This machine") : tr("This window");
}

QString EventTableModel::tip(const RecordedEvent &row, Column column)
{
    switch (column) {
    case TimeColumn:
        return row.isOnServer ? CommonText::exactMoment(row.event.at)
                              : tr("%1, by this machine's clock").arg(CommonText::exactMoment(row.event.at));
    case KindColumn:
        return row.isDone() ? CommonText::eventMeaning(row.event) : tr("The result says what came of it.");
    case RecordColumn:
        return row.line ? row.line->statement : text(row, column);
    default:
        return text(row, column);
    }
}

QString EventTableModel::text(const RecordedEvent &row, Column column)
{
    const auto orNone = [](const QString &text) {
        return text.isEmpty() ? CommonText::none() : CommonText::note(text.toUtf8());
    };
    const Event &event = row.event;
    switch (column) {
    case TimeColumn:
        return CommonText::moment(event.at);
    case KindColumn:
        return kind(row);
    case ResourceColumn:
        return CommonText::lock(event.key);
    case TokenColumn:
        return hasToken(event.kind) ? CommonText::token(event.token) : CommonText::none();
    case OwnerColumn:
        return CommonText::whoInFull(event.owner);
    case OperatorColumn:
        return orNone(event.operatorName.isEmpty() ? QString() : event.actor());
    case ReasonColumn:
        return orNone(event.reason);
    case ResultColumn:
        return orNone(row.line ? row.line->outcome : QString());
    case RecordColumn:
        return record(row);
    case ColumnCount:
        break;
    }
    return {};
}

} // namespace lockscope::ui
