// SPDX-License-Identifier: MIT
#include "waitlist.h"

#include "ui/style/theme.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/livetreeview.h"
#include "waitgraphview.h"
#include "waittreemodel.h"

#include <QtWidgets/QHeaderView>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

WaitList::WaitList(const LiveClock *clock, QWidget *parent)
    : QStackedWidget(parent)
    , m_model(new WaitTreeModel(clock, this))
    , m_tree(new LiveTreeView(this))
    , m_graph(new WaitGraphView(clock, this))
    , m_empty(new EmptyState(this))
{
    addWidget(m_tree);
    addWidget(m_graph);
    addWidget(m_empty);
    setupTree();
    setupGraph();
    connect(clock, &LiveClock::ticked, this, [this] {
        const int x = m_tree->columnViewportPosition(WaitTreeModel::AgeColumn);
        m_tree->viewport()->update(x, 0, m_tree->columnWidth(WaitTreeModel::AgeColumn), m_tree->viewport()->height());
    });
    showBest();
}

void WaitList::setupTree()
{
    const int mark = fontMetrics().height() + 6;
    const QString idle = u"Idle in transaction"_s;
    const int bold = QFontMetrics(headingFont()).horizontalAdvance(idle) - fontMetrics().horizontalAdvance(idle);
    m_tree->setModel(m_model);
    m_tree->setAccessibleName(tr("Sessions that block and wait"));
    m_tree->setColumns({{u"123 · root@localhost"_s, 3, 0, mark + 2 * m_tree->indentation()},
                        {u"inferred: shop.stock, EXCLUSIVE"_s, 4},
                        {u"transaction 59 min 59 s"_s},
                        {u"UPDATE stock SET"_s, 6},
                        {u"frees 10 at once, up to 10 later"_s, 2},
                        {idle, 0, 1, mark + bold},
                        {u"10,204 / 1,204"_s, 0, 2},
                        {u"billing-worker"_s, 1, 3}});
    m_tree->nameColumns<WaitTreeModel::Column>(u"waits"_s);
    connect(m_model, &WaitTreeModel::aboutToApply, m_tree, &LiveTreeView::keepPlace);
    connect(m_model, &WaitTreeModel::applied, this, [this](const QModelIndexList &fresh) {
        for (const QModelIndex &index : fresh)
            m_tree->expand(index);
        m_tree->restorePlace();
    });
    connect(m_tree->selectionModel(), &QItemSelectionModel::selectionChanged, this, &WaitList::onSelected);
    // A view that gets the focus makes some row the current one by itself, without selecting it.
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        if (m_tree->selectionModel()->hasSelection())
            onSelected();
    });
    connect(m_tree, &QTreeView::expanded, this, [this](const QModelIndex &index) { open(m_model->keyAt(index)); });
    connect(m_tree, &QTreeView::collapsed, this, [this](const QModelIndex &index) { close(m_model->keyAt(index)); });
    connect(m_tree, &QTreeView::activated, this, [this](const QModelIndex &index) { open(m_model->keyAt(index)); });
}

void WaitList::setupGraph()
{
    connect(m_graph, &WaitGraphView::sessionChosen, this, &WaitList::select);
    connect(m_graph, &WaitGraphView::moreChosen, this, &WaitList::open);
    connect(m_graph, &WaitGraphView::drawn, this, [this] {
        m_hasGraph = true;
        showBest();
        Q_EMIT graphDrawn();
    });
    connect(m_graph, &WaitGraphView::failed, this, [this](GraphLayout::Failure failure) {
        if (!m_isGraphWanted)
            return;
        m_hasGraph = false;
        showBest();
        Q_EMIT graphFailed(failure);
    });
}

bool WaitList::isGraphShown() const
{
    return currentWidget() == m_graph && m_graph->hasPicture();
}

void WaitList::setPicture(const WaitPicturePtr &picture)
{
    m_picture = picture;
    m_model->setPicture(picture);
    if (picture) {
        selectAgain();
        showGraph();
    } else {
        m_graph->clear();
        m_hasGraph = false;
        deselect();
    }
    showBest();
}

void WaitList::setFilter(const QString &filter)
{
    m_model->setFilter(filter);
    showGraph();
    showBest();
}

void WaitList::setStale(bool isStale)
{
    m_tree->setStale(isStale);
    m_graph->setStale(isStale);
}

void WaitList::setGraphWanted(bool isWanted)
{
    m_isGraphWanted = isWanted;
    m_hasGraph = false; // until it is drawn: what is there is of an earlier look
    m_graph->forgetFailure();
    showGraph();
    showBest();
}

/// By a person: of a session that leaves the list nothing is told here, and it stays the current one. Else that is the
/// row with the keyboard, if it is selected.
void WaitList::onSelected()
{
    const QItemSelectionModel *selection = m_tree->selectionModel();
    QModelIndex row = m_tree->currentIndex().siblingAtColumn(0);
    if (!selection->isSelected(row))
        row = selection->selectedRows().value(0);
    const WaitKey key = m_model->keyAt(row);
    const bool isSession = row.isValid() && key.kind == WaitKey::Kind::Session;
    m_current = isSession ? std::optional(key.id) : std::nullopt;
    m_graph->setSelected(m_current);
    Q_EMIT chosenChanged();
}

/// Without any that is selected, and in the graph, it is the current one: a filter may hide it.
QList<quint64> WaitList::chosen() const
{
    if (!m_picture)
        return {};
    QList<quint64> sessions;
    const QModelIndexList rows = m_tree->selectionModel()->selectedRows();
    for (const QModelIndex &row : rows) {
        for (const quint64 session : m_model->sessionsAt(row)) {
            if (!sessions.contains(session)) // with equal ones some of them may be selected too
                sessions.append(session);
        }
    }
    if (sessions.isEmpty() || currentWidget() == m_graph)
        sessions = m_current && m_picture->nodes.contains(*m_current) ? QList{*m_current} : QList<quint64>();
    sessions.removeIf([this](quint64 session) { return !m_picture->waits->session(session); });
    const QHash<quint64, int> &places = m_model->outline().places;
    std::sort(sessions.begin(), sessions.end(),
              [&places](quint64 a, quint64 b) { return places.value(a) < places.value(b); });
    return sessions;
}

void WaitList::select(quint64 session)
{
    const QModelIndex index = m_model->reveal(session);
    if (!index.isValid()) {
        deselect(); // else another one would stand there as if it were this
        return;
    }
    selectRow(index);
    m_tree->scrollTo(index);
}

void WaitList::deselect()
{
    m_tree->selectionModel()->clear();
    m_current.reset(); // it may have left the list before
    m_graph->setSelected(std::nullopt);
    Q_EMIT chosenChanged();
}

/// Not by way of the view, which would add it to the selection while Shift is held.
void WaitList::selectRow(const QModelIndex &index)
{
    m_tree->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

/// The current one came back to the list: the reader's place stays, and what is folded.
void WaitList::selectAgain()
{
    if (!m_current || m_tree->selectionModel()->hasSelection())
        return;
    const QModelIndex index = m_model->indexOf({WaitKey::Kind::Session, *m_current});
    if (!index.isValid())
        return;
    m_tree->setAutoScroll(false);
    selectRow(index);
    m_tree->setAutoScroll(true);
}

/// Of equal waiters the tree says it again once they stand there one by one.
void WaitList::open(const WaitKey &key)
{
    if (key.kind != WaitKey::Kind::More && key.kind != WaitKey::Kind::Equal)
        return;
    m_model->open(key);
    if (key.kind == WaitKey::Kind::Equal)
        m_tree->expand(m_model->indexOf(key));
    showGraph();
}

void WaitList::close(const WaitKey &key)
{
    if (key.kind != WaitKey::Kind::Equal)
        return;
    m_model->close(key);
    showGraph();
}

void WaitList::showGraph()
{
    if (m_isGraphWanted && m_picture)
        m_graph->show(m_picture, m_model->outline());
}

void WaitList::showBest()
{
    QWidget *best = m_empty;
    if (m_model->rowCount() > 0)
        best = m_isGraphWanted && m_hasGraph ? static_cast<QWidget *>(m_graph) : m_tree;
    const bool hadFocus = currentWidget()->hasFocus();
    setCurrentWidget(best);
    if (hadFocus)
        best->setFocus();
    Q_EMIT chosenChanged(); // the graph marks one, while several may be selected in the tree
}

} // namespace lockscope::ui
