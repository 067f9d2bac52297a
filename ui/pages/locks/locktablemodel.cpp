// SPDX-License-Identifier: MIT
#include "locktablemodel.h"

#include "ui/server/liveclock.h"
#include "ui/text/commontext.h"
#include "ui/widgets/roles.h"

#include <algorithm>
#include <utility>

namespace lockscope::ui {

using namespace std::chrono_literals;

namespace {

/// Up to this many single rows are told one by one; beyond, one change of layout is cheaper for every view.
constexpr qsizetype kFewRows = 32;
/// In a list of so many rows each single one costs every view the length of the list, and the model a copy of it.
constexpr qsizetype kLongList = 10'000;
constexpr auto kTintTime = 600ms;

/// Calls `range(first, last)` for each run of neighbouring numbers.
template<typename Function>
void forRanges(const QList<int> &rows, Function range)
{
    for (qsizetype i = 0; i < rows.size();) {
        qsizetype last = i;
        while (last + 1 < rows.size() && rows[last + 1] == rows[last] + 1)
            ++last;
        range(rows[i], rows[last]);
        i = last + 1;
    }
}

} // namespace

LockTableModel::LockTableModel(const LiveClock *clock, QObject *parent)
    : HeadedModel({{tr("Resource")},
                   {tr("Server")},
                   {tr("State")},
                   {tr("Owner")},
                   {tr("Process")},
                   {tr("Note")},
                   {tr("Held for"), Qt::AlignRight},
                   {tr("TTL"), Qt::AlignRight},
                   {tr("Token"), Qt::AlignRight},
                   {tr("Wait"), Qt::AlignRight,
                    tr("How many wait; for optimistic resources the share of attempts that met a conflict")},
                   {tr("Session")}},
                  parent)
    , m_clock(clock)
{
}

void LockTableModel::apply(const LockListUpdatePtr &update)
{
    const ListDiff &diff = update->diff;
    Q_ASSERT(diff.newRowOf.size() == m_items.size());
    if (diff.isEmpty())
        return;
    Q_EMIT aboutToApply();
    const qsizetype few = update->items.size() > kLongList ? 0 : kFewRows;
    if (!diff.moved && diff.removed.size() + diff.inserted.size() <= few)
        applyRows(*update);
    else
        applyLayout(*update);
    notifyChanged(diff.changed);
    Q_EMIT applied(diff.newRowOf);
}

void LockTableModel::setAlarms(const QHash<LockKey, QString> &alarms)
{
    if (m_alarms == alarms)
        return;
    m_alarms = alarms;
    if (!m_items.isEmpty()) // which rows they are in is not worth a search through a long list
        Q_EMIT dataChanged(index(0, StateColumn), index(int(m_items.size()) - 1, StateColumn));
}

void LockTableModel::setServers(const QMap<int, Server> &servers)
{
    const bool wasOne = std::exchange(m_servers, servers).isEmpty();
    if (m_rows > 0 && !(wasOne && servers.isEmpty()))
        Q_EMIT dataChanged(index(0, 0), index(m_rows - 1, ColumnCount - 1));
}

ServerNames LockTableModel::serverNames() const
{
    ServerNames names;
    for (auto server = m_servers.cbegin(); server != m_servers.cend(); ++server)
        names[server.key()] = server->name;
    return names;
}

QMap<int, ServerTime> LockTableModel::times() const
{
    QMap<int, ServerTime> times{{0, m_clock->now()}};
    for (auto server = m_servers.cbegin(); server != m_servers.cend(); ++server)
        times[server.key()] = server->clock->now();
    return times;
}

ServerTime LockTableModel::nowOf(const LockItem &item) const
{
    const auto server = item.row->key.server == 0 ? m_servers.cend() : m_servers.constFind(item.row->key.server);
    return server == m_servers.cend() ? m_clock->now() : server->clock->now();
}

void LockTableModel::clear()
{
    if (m_rows == 0)
        return;
    beginRemoveRows({}, 0, m_rows - 1);
    m_items.clear();
    m_rows = 0;
    endRemoveRows();
}

/// Few changes: exact signals, removals from the end so that the numbers before stay true.
void LockTableModel::applyRows(const LockListUpdate &update)
{
    if (update.diff.removed.isEmpty() && update.diff.inserted.isEmpty()) {
        m_items = update.items; // the same rows with what changed in them
        return;
    }
    QList<std::pair<int, int>> gone;
    forRanges(update.diff.removed, [&gone](int first, int last) { gone.prepend({first, last}); });
    for (const auto &[first, last] : std::as_const(gone)) {
        beginRemoveRows({}, first, last);
        m_items.remove(first, last - first + 1);
        m_rows = int(m_items.size());
        endRemoveRows();
    }
    forRanges(update.diff.inserted, [&](int first, int last) {
        beginInsertRows({}, first, last);
        m_items.insert(first, last - first + 1, LockItem());
        std::copy(update.items.cbegin() + first, update.items.cbegin() + last + 1, m_items.begin() + first);
        m_rows = int(m_items.size());
        endInsertRows();
    });
    m_items = update.items;
}

/// Many changes: the count is put right at the end of the list, everything else is one change of layout. The list is
/// the update's own, for to copy a long one takes as long as all the rest: rows past its end are empty for a moment.
void LockTableModel::applyLayout(const LockListUpdate &update)
{
    const int before = m_rows;
    const int after = int(update.items.size());
    QList<int> newRowOf = update.diff.newRowOf;
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        m_rows = after;
        endInsertRows();
    } else {
        // Removed rows move behind the others first, and leave from there.
        for (qsizetype i = 0, place = after; place < before; ++i, ++place)
            newRowOf[update.diff.removed[i]] = int(place);
    }
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    m_items = update.items;
    const QModelIndexList from = persistentIndexList();
    QModelIndexList to;
    to.reserve(from.size());
    for (const QModelIndex &index : from) {
        const int row = newRowOf.value(index.row(), -1);
        to.append(row < 0 ? QModelIndex() : createIndex(row, index.column()));
    }
    changePersistentIndexList(from, to);
    Q_EMIT layoutChanged({}, VerticalSortHint);
    if (after < before) {
        beginRemoveRows({}, after, before - 1);
        m_rows = after;
        endRemoveRows();
    }
}

void LockTableModel::notifyChanged(const QList<int> &rows)
{
    if (rows.size() > kFewRows) {
        Q_EMIT dataChanged(index(rows.first(), 0), index(rows.last(), ColumnCount - 1));
        return;
    }
    forRanges(rows, [this](int first, int last) { Q_EMIT dataChanged(index(first, 0), index(last, ColumnCount - 1)); });
}

const LockItem *LockTableModel::itemAt(int row) const
{
    return row >= 0 && row < m_items.size() && row < m_rows ? &m_items[row] : nullptr;
}

int LockTableModel::rowOf(const LockKey &key) const
{
    const auto found =
        std::find_if(m_items.cbegin(), m_items.cend(), [&key](const LockItem &item) { return item.row->key == key; });
    return found == m_items.cend() ? -1 : int(found - m_items.cbegin());
}

bool LockTableModel::hasFreshRows(int first, int last) const
{
    // A little longer than the tint: the last frame paints the row without it.
    const auto since = std::chrono::steady_clock::now() - kTintTime - 200ms;
    for (int row = std::max(first, 0); row <= last && itemAt(row) && !m_isReducedMotion; ++row) {
        if (itemAt(row)->appearedAt > since)
            return true;
    }
    return false;
}

LockSort LockTableModel::sortOf(int column)
{
    switch (Column(column)) {
    case ResourceColumn:
        return LockSort::Resource;
    case ServerColumn:
        return LockSort::Server;
    case StateColumn:
        return LockSort::State;
    case OwnerColumn:
        return LockSort::Owner;
    case ProcessColumn:
        return LockSort::Process;
    case NoteColumn:
        return LockSort::Note;
    case HeldForColumn:
        return LockSort::HeldFor;
    case TtlColumn:
        return LockSort::Remaining;
    case TokenColumn:
        return LockSort::Token;
    case WaitersColumn:
        return LockSort::Waiters;
    case SessionColumn:
        return LockSort::Connection;
    case ColumnCount:
        break;
    }
    return LockSort::Resource;
}

LockTableModel::Column LockTableModel::columnOf(LockSort sort)
{
    int column = 0;
    while (column < ColumnCount - 1 && sortOf(column) != sort)
        ++column;
    return Column(column);
}

int LockTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

QVariant LockTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const LockItem *shown = itemAt(index.row());
    if (!shown) // in the middle of a change
        return {};
    const LockItem &item = *shown;
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(item, column, nowOf(item), m_servers.value(item.row->key.server).name);
    case Qt::ToolTipRole:
        return CommonText::tip(toolTip(item, column));
    case Qt::TextAlignmentRole:
        return alignmentOf(column);
    case MarkRole:
        if (column == ResourceColumn)
            return int(item.vanishedAt ? Mark::Released : markOf(item.row->state));
        if (column == StateColumn && !item.vanishedAt && m_alarms.contains(item.row->key))
            return int(Mark::Alarm);
        return column == WaitersColumn && item.row->waiters > 0 ? QVariant(int(Mark::Waiting)) : QVariant();
    case TintRole:
        return tint(item);
    case VanishedRole:
        return item.vanishedAt.has_value();
    case StaleRole:
        return m_servers.value(item.row->key.server).isStale;
    case DotRole:
        return column == ServerColumn ? QVariant(int(m_servers.value(item.row->key.server).tint)) : QVariant();
    case FractionRole:
        return column == TtlColumn ? fraction(item) : QVariant();
    case ElideMiddleRole:
        return column == ResourceColumn || column == ServerColumn || column == ProcessColumn;
    default:
        return {};
    }
}

QVariant LockTableModel::fraction(const LockItem &item) const
{
    const LockRow &row = item.row;
    const auto remaining = row.remaining(nowOf(item));
    if (!remaining || !row.ttl || row.ttl->count() <= 0)
        return {};
    return std::clamp(double(remaining->count()) / double(row.ttl->count()), 0.0, 1.0);
}

double LockTableModel::tint(const LockItem &item) const
{
    if (!item.appearedAt || m_isReducedMotion)
        return 0;
    const auto age = std::chrono::steady_clock::now() - *item.appearedAt;
    return age >= kTintTime ? 0 : 1 - std::chrono::duration<double>(age) / std::chrono::duration<double>(kTintTime);
}

} // namespace lockscope::ui
