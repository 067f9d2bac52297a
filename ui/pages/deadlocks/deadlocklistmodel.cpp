// SPDX-License-Identifier: MIT
#include "deadlocklistmodel.h"

#include "deadlocktext.h"
#include "ui/style/statemark.h"
#include "ui/text/commontext.h"
#include "ui/widgets/roles.h"

#include <QtCore/QHash>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

DeadlockListModel::DeadlockListModel(QObject *parent)
    : MergedModel({{tr("Last seen"), Qt::AlignLeft, tr("By the server's own clock, in its time zone")},
                   {tr("Seen"), Qt::AlignRight, tr("How many of this shape were captured")},
                   {tr("Tables")},
                   {tr("Why"), Qt::AlignLeft, tr("What such deadlocks have in common")},
                   {tr("Rolled back"), Qt::AlignLeft, tr("The statement that was rolled back the last time")}},
                  parent)
{
}

void DeadlockListModel::setInbox(const DeadlockInboxPtr &inbox)
{
    if (!inbox) {
        setRows({});
        return;
    }
    QHash<QByteArray, qsizetype> places;
    const QList<DeadlockShape> &shapes = inbox->shapes();
    for (qsizetype i = 0; i < shapes.size(); ++i)
        places.insert(shapes[i].shape, i);
    QList<DeadlockShape> next;
    for (const DeadlockShape &row : std::as_const(m_rows)) {
        if (const auto place = places.constFind(row.shape); place != places.cend()) {
            next += shapes[*place];
            places.erase(place);
        }
    }
    const qsizetype known = next.size(); // the others come the latest first
    for (const DeadlockShape &shape : shapes) {
        if (places.contains(shape.shape))
            next.insert(known, shape);
    }
    setRows(next);
}

QVariant DeadlockListModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const DeadlockShape &row = m_rows[index.row()];
    const auto column = Column(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return text(row, column);
    case Qt::ToolTipRole:
        return CommonText::tip(tip(row, column));
    case Qt::TextAlignmentRole:
        return alignmentOf(column);
    case MarkRole:
        return column == LastColumn ? QVariant(int(row.isOfRun ? Mark::Released : Mark::Violation)) : QVariant();
    case SortRole:
        return column == CountColumn ? QVariant(row.count) : text(row, column);
    case ElideMiddleRole:
        return column == TablesColumn;
    default:
        return {};
    }
}

QString DeadlockListModel::text(const DeadlockShape &row, Column column)
{
    switch (column) {
    case LastColumn:
        return row.latest.at;
    case CountColumn:
        return CommonText::count(qint64(row.count));
    case TablesColumn:
        return CommonText::note(row.tables.join(u", "_s).toUtf8());
    case CauseColumn:
        return DeadlockText::cause(row.cause);
    case VictimColumn:
        return DeadlockText::victimStatement(row.latest);
    case ColumnCount:
        break;
    }
    return {};
}

QString DeadlockListModel::tip(const DeadlockShape &row, Column column)
{
    switch (column) {
    case LastColumn:
    case CountColumn:
        return DeadlockText::seen(row) + (row.isOfRun ? u'\n' + DeadlockText::ofRun() : QString());
    case CauseColumn:
        return DeadlockText::why(row.cause);
    default:
        return text(row, column);
    }
}

} // namespace lockscope::ui
