// SPDX-License-Identifier: MIT
#include "waittreemodel.h"

#include "preparedtext.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/widgets/roles.h"
#include "waitsummary.h"
#include "waittext.h"

#include "console/duration.h"

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

QString rowsText(const Transaction &transaction)
{
    return WaitTreeModel::tr("%1 / %2").arg(CommonText::count(qint64(transaction.rowsLocked)),
                                            CommonText::count(qint64(transaction.rowsChanged)));
}

} // namespace

WaitTreeModel::WaitTreeModel(const LiveClock *clock, QObject *parent)
    : HeadedModel({{tr("Session")},
                   {tr("Lock")},
                   {tr("Age"), Qt::AlignRight},
                   {tr("Statement")},
                   {tr("If it ends")},
                   {tr("State")},
                   {tr("Rows"), Qt::AlignRight},
                   {tr("Program")}},
                  parent)
    , m_clock(clock)
{
}

void WaitTreeModel::setPicture(const WaitPicturePtr &picture)
{
    if (!picture)
        m_opened.clear();
    rebuild(picture);
}

void WaitTreeModel::setFilter(const QString &filter)
{
    m_filter = filter;
    rebuild(m_picture);
}

void WaitTreeModel::open(const WaitKey &key)
{
    if (m_opened.contains(key))
        return;
    m_opened.insert(key);
    rebuild(m_picture);
}

void WaitTreeModel::close(const WaitKey &key)
{
    if (m_opened.remove(key))
        rebuild(m_picture);
}

QModelIndex WaitTreeModel::reveal(quint64 session)
{
    // Each round opens one level.
    for (auto at = m_outline.places.constFind(session); at != m_outline.places.cend();
         at = m_outline.places.constFind(session)) {
        const WaitKey key = m_outline.rows[*at].key;
        if (key.kind != WaitKey::Kind::More)
            return indexOf(key);
        open(key);
    }
    return {};
}

void WaitTreeModel::rebuild(const WaitPicturePtr &picture)
{
    if (!picture) {
        apply(picture, {});
        return;
    }
    const auto filter = [&](const WaitNode &node) { return matches(*picture, node); };
    apply(picture, WaitOutline::of(*picture, m_filter.isEmpty() ? WaitOutline::Filter() : filter, m_opened));
}

bool WaitTreeModel::matches(const WaitPicture &picture, const WaitNode &node) const
{
    if (node.isCycle())
        return false; // its members speak for themselves
    for (const int column : {SessionColumn, LockColumn, StateColumn, StatementColumn, ProgramColumn}) {
        if (sessionText(picture, node, column).contains(m_filter, Qt::CaseInsensitive))
            return true;
    }
    return false;
}

void WaitTreeModel::apply(const WaitPicturePtr &picture, WaitOutline outline)
{
    const auto isSame = [](const WaitRow &a, const WaitRow &b) { return a.key == b.key && a.parent == b.parent; };
    const bool isRearranged =
        !std::equal(outline.rows.cbegin(), outline.rows.cend(), m_outline.rows.cbegin(), m_outline.rows.cend(), isSame);
    QSet<WaitKey> known;
    for (const WaitRow &row : std::as_const(m_outline.rows)) {
        if (!row.children.isEmpty())
            known.insert(row.key);
    }
    Q_EMIT aboutToApply();
    if (isRearranged) {
        rearrange(picture, std::move(outline));
    } else {
        m_picture = picture;
        m_outline = std::move(outline);
    }
    const auto notifyChanged = [this](const QList<int> &rows) {
        if (!rows.isEmpty())
            Q_EMIT dataChanged(createIndex(0, 0, quintptr(rows.first())),
                               createIndex(int(rows.size()) - 1, ColumnCount - 1, quintptr(rows.last())));
    };
    notifyChanged(m_outline.roots);
    QModelIndexList fresh;
    for (const WaitRow &row : std::as_const(m_outline.rows)) {
        notifyChanged(row.children);
        if (!row.children.isEmpty() && !known.contains(row.key) && row.key.kind != WaitKey::Kind::Equal)
            fresh.append(indexOf(row.key));
    }
    Q_EMIT applied(fresh);
}

/// One change of the layout, because sessions move: who is freed below one blocker may wait below the next.
void WaitTreeModel::rearrange(const WaitPicturePtr &picture, WaitOutline outline)
{
    Q_EMIT layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    QList<WaitKey> keys;
    for (const QModelIndex &index : before)
        keys.append(keyAt(index));
    m_picture = picture;
    m_outline = std::move(outline);
    m_rows.clear();
    for (int row = 0; row < m_outline.rows.size(); ++row)
        m_rows.insert(m_outline.rows[row].key, row);
    QModelIndexList after;
    for (int i = 0; i < before.size(); ++i) {
        const QModelIndex now = indexOf(keys[i]);
        after.append(now.isValid() ? now.siblingAtColumn(before[i].column()) : QModelIndex());
    }
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged();
}

WaitKey WaitTreeModel::keyAt(const QModelIndex &index) const
{
    return index.isValid() ? m_outline.rows[qsizetype(index.internalId())].key : WaitKey();
}

QList<quint64> WaitTreeModel::sessionsAt(const QModelIndex &index) const
{
    if (!index.isValid())
        return {};
    const WaitRow &row = m_outline.rows[qsizetype(index.internalId())];
    return row.key.kind == WaitKey::Kind::Session ? QList{row.key.id} : row.members;
}

QModelIndex WaitTreeModel::indexOf(const WaitKey &key) const
{
    const auto found = m_rows.constFind(key);
    return found == m_rows.cend() ? QModelIndex() : createIndex(m_outline.rows[*found].place, 0, quintptr(*found));
}

QModelIndex WaitTreeModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    const QList<int> &siblings =
        parent.isValid() ? m_outline.rows[qsizetype(parent.internalId())].children : m_outline.roots;
    return createIndex(row, column, quintptr(siblings[row]));
}

QModelIndex WaitTreeModel::parent(const QModelIndex &child) const
{
    if (!child.isValid())
        return {};
    const int above = m_outline.rows[qsizetype(child.internalId())].parent;
    return above < 0 ? QModelIndex() : createIndex(m_outline.rows[above].place, 0, quintptr(above));
}

int WaitTreeModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return int(m_outline.roots.size());
    return parent.column() == 0 ? int(m_outline.rows[qsizetype(parent.internalId())].children.size()) : 0;
}

int WaitTreeModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

QString WaitTreeModel::text(const WaitRow &row, int column) const
{
    if (row.key.kind == WaitKey::Kind::More)
        return column == SessionColumn ? WaitText::more(row.hidden) : QString();
    if (row.key.kind == WaitKey::Kind::Equal)
        return equalText(row, column);
    return sessionText(*m_picture, m_picture->graph.nodes[row.node], column);
}

/// What they have in common, and the longest wait.
QString WaitTreeModel::equalText(const WaitRow &row, int column) const
{
    switch (column) {
    case SessionColumn:
        return WaitText::equal(*m_picture, row.members);
    case FreesColumn:
    case RowsColumn:
        return {};
    default:
        return sessionText(*m_picture, m_picture->graph.nodes[row.node], column);
    }
}

QString WaitTreeModel::sessionText(const WaitPicture &picture, const WaitNode &node, int column) const
{
    const bool isRing = node.isCycle();
    const ServerSession *session = picture.waits->session(node.session);
    switch (column) {
    case SessionColumn:
        return isRing ? WaitText::ring(int(picture.graph.cycles[node.cycle].size()))
                      : WaitText::session(*picture.waits, node.session);
    case FreesColumn:
        return WaitSummary::freesAndWaited(node);
    case LockColumn:
        return WaitText::lock(picture, node);
    case AgeColumn:
        return isRing ? QString() : WaitText::age(picture, node.session, m_clock->now());
    case StateColumn:
        return isRing ? tr("Nobody goes on") : WaitText::state(picture, node.session);
    case StatementColumn:
        if (const PreparedTransaction *prepared = picture.waits->preparedTransaction(node.session))
            return PreparedText::ends(*prepared);
        return session ? WaitText::statement(*session) : QString();
    case RowsColumn:
        if (const PreparedTransaction *prepared = picture.waits->preparedTransaction(node.session))
            return rowsText(prepared->transaction);
        return session && session->transaction ? rowsText(*session->transaction) : QString();
    case ProgramColumn:
        return session ? WaitText::program(*session) : QString();
    default:
        return {};
    }
}

QString WaitTreeModel::tip(const WaitRow &row, int column) const
{
    if (row.key.kind == WaitKey::Kind::More)
        return tr("Show them all (Enter or double click)");
    const WaitNode &node = m_picture->graph.nodes[row.node];
    QString text = this->text(row, column);
    if (column == SessionColumn && row.key.kind == WaitKey::Kind::Equal)
        text += u'\n' + WaitText::numbers(row.members);
    if (column == LockColumn && m_picture->isWaiting(node.session))
        text = tr("Waits for %1").arg(text);
    if (column == LockColumn && node.cause && node.cause->isInferred)
        text += u'\n' + tr("Concluded from the text of statements, not reported by the server.");
    if (column == StateColumn && WaitText::isIdleBlocker(*m_picture, node.session))
        text +=
            u'\n'
            + tr(
                "Others wait for it, and it runs nothing: it ends only when its program goes on, or when it is ended.");
    if (column == RowsColumn && !text.isEmpty())
        text = tr("Rows locked / rows changed: %1").arg(text);
    return text.isEmpty() ? QString() : CommonText::tip(CommonText::shortened(text, 1000));
}

QVariant WaitTreeModel::markOf(const WaitRow &row, int column) const
{
    if (row.key.kind == WaitKey::Kind::More)
        return {};
    const WaitNode &node = m_picture->graph.nodes[row.node];
    if (column == SessionColumn)
        return int(WaitText::mark(*m_picture, node));
    if (column == StateColumn && WaitText::isIdleBlocker(*m_picture, node.session))
        return int(Mark::Idle);
    return {};
}

QVariant WaitTreeModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const WaitRow &row = m_outline.rows[qsizetype(index.internalId())];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::ToolTipRole:
        return tip(row, index.column());
    case Qt::TextAlignmentRole:
        return alignmentOf(index.column());
    case Qt::FontRole:
        if (index.column() == StateColumn && markOf(row, StateColumn).isValid())
            return headingFont();
        return {};
    case MarkRole:
        return markOf(row, index.column());
    case ElideMiddleRole:
        return index.column() == SessionColumn || index.column() == LockColumn; // what tells them apart is at the end
    default:
        return {};
    }
}

Qt::ItemFlags WaitTreeModel::flags(const QModelIndex &index) const
{
    Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    if (index.isValid())
        flags.setFlag(Qt::ItemIsSelectable, keyAt(index).kind != WaitKey::Kind::More);
    return flags;
}

} // namespace lockscope::ui
