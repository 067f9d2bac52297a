// SPDX-License-Identifier: MIT
#include "lessonlockmodel.h"

#include "lessontext.h"
#include "ui/style/statemark.h"
#include "ui/text/commontext.h"
#include "ui/text/lockmodetext.h"
#include "ui/widgets/roles.h"

namespace lockscope::ui {

LessonLockModel::LessonLockModel(QObject *parent)
    : HeadedModel({{tr("Session")},
                   {tr("Table")},
                   {tr("Index")},
                   {tr("Strength")},
                   {tr("On")},
                   {tr("Key"), Qt::AlignLeft, tr("The index's columns, then those of the primary key")},
                   {tr("State")}},
                  parent)
{
}

/// A moment's locks have no identity over time, so the rows are all new ones: exact signals would tell the same.
void LessonLockModel::show(const LessonMoment &moment, const LessonMoment &before)
{
    if (!m_rows.isEmpty()) {
        beginRemoveRows({}, 0, int(m_rows.size()) - 1);
        m_rows.clear();
        endRemoveRows();
    }
    QList<Row> rows;
    const QList<LessonLock> &now = moment.result.locks.locks;
    const QList<LessonLock> &earlier = before.result.locks.locks;
    for (const LessonLock &lock : now)
        rows.append(
            {lock, moment.holders.value(lock.connection), earlier.contains(lock) ? Change::None : Change::Added});
    for (const LessonLock &lock : earlier) {
        if (!now.contains(lock))
            rows.append({lock, before.holders.value(lock.connection), Change::Gone});
    }
    if (rows.isEmpty())
        return;
    beginInsertRows({}, 0, int(rows.size()) - 1);
    m_rows = rows;
    endInsertRows();
}

int LessonLockModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

QString LessonLockModel::text(const Row &row, int column) const
{
    switch (column) {
    case Session:
        return row.session;
    case Table:
        return row.lock.table;
    case Index:
        return row.lock.index;
    case Strength:
        return LockModeText::strength(row.lock.mode);
    case Reach:
        return LockModeText::reach(row.lock.mode, row.lock.isAtEnd());
    case Key:
        return LessonText::key(row.lock);
    default:
        break;
    }
    if (row.change == Change::Gone)
        return tr("gone");
    if (row.lock.wasHidden)
        return tr("held, was hidden");
    const QString state = row.lock.isWaiting ? tr("waits") : tr("held");
    return row.change == Change::Added ? tr("%1, new").arg(state) : state;
}

QVariant LessonLockModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Row &row = m_rows[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::TextAlignmentRole:
        return alignmentOf(index.column());
    case MarkRole:
        if (index.column() != Session)
            return {};
        return int(row.change == Change::Gone ? Mark::Released : row.lock.isWaiting ? Mark::Waiting : Mark::Held);
    case TintRole:
        return row.change == Change::Added ? 1.0 : 0.0;
    case VanishedRole:
        return row.change == Change::Gone;
    case Qt::ToolTipRole:
        return row.lock.wasHidden ? CommonText::tip(
                   tr("It has had this lock for longer. The server shows it only since somebody waits for it."))
                                  : row.lock.mode;
    default:
        return {};
    }
}

} // namespace lockscope::ui
