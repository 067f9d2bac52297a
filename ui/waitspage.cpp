#include "waitspage.h"

#include "emptystate.h"
#include "filteredit.h"
#include "inspectorsplitter.h"
#include "messagebar.h"
#include "paletteicon.h"
#include "serverlink.h"
#include "theme.h"
#include "waits/livetreeview.h"
#include "waits/sourcebar.h"
#include "waits/waitcsv.h"
#include "waits/waitgraphview.h"
#include "waits/waitinspector.h"
#include "waits/waittreemodel.h"
#include "waits/waitwords.h"
#include "waitspagetexts.h"
#include "words.h"

#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QStackedLayout>
#include <QtWidgets/QToolButton>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using Phase = MonitorStatus::Phase;

namespace {

constexpr int kIconSide = 16;

} // namespace

WaitsPage::WaitsPage(ServerLink *link, QWidget *parent)
    : Page(parent)
    , m_link(link)
    , m_clock(this)
    , m_model(new WaitTreeModel(&m_clock, this))
    , m_view(new LiveTreeView(this))
    , m_graph(new WaitGraphView(&m_clock, this))
    , m_empty(new EmptyState(this))
    , m_error(new MessageBar(this))
    , m_notice(new MessageBar(this))
    , m_sources(new SourceBar(this))
    , m_filter(new FilterEdit(tr("Filter by session, lock, state, statement or program"), this))
    , m_end(new QAction(svgIcon(u"close"_s), tr("&End session…"), this))
    , m_copy(new QAction(svgIcon(u"copy"_s), tr("&Copy as text"), this))
    , m_showGraph(new QAction(svgIcon(u"waits"_s), tr("&Graph"), this))
    , m_showInspector(new QAction(svgIcon(u"inspector"_s), tr("&Details"), this))
{
    setupActions();
    setupSources();
    m_inspector = new WaitInspector(&m_clock, {m_copy, m_end}, this);
    setupTree();
    setupGraph();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_error);
    column->addWidget(m_notice);
    setupFilter(column);
    column->addWidget(m_sources);
    setupStack(column);

    connect(link, &ServerLink::opened, this, &WaitsPage::onOpened);
    connect(link, &ServerLink::statusChanged, this, &WaitsPage::onStatus);
    connect(link, &ServerLink::waitsUpdated, this, &WaitsPage::onWaits);
    connect(link, &ServerLink::waitsFailed, this, &WaitsPage::showError);
    connect(link, &ServerLink::modeChanged, this, &WaitsPage::updateEnd);
    connect(link, &ServerLink::pausedChanged, this,
            [this](bool isPaused) { m_clock.setFrozen(isPaused || m_isFailing); });
    connect(&m_clock, &LiveClock::ticked, this, &WaitsPage::onTick);
    m_clock.setTicking(false);
    updateEnd();
    showList();
}

QString WaitsPage::iconName() const
{
    return u"waits"_s;
}

QString WaitsPage::help() const
{
    return WaitsPageTexts::help();
}

void WaitsPage::setupActions()
{
    m_end->setIconText(tr("End session…"));
    m_end->setShortcut(Qt::Key_Delete);
    m_end->setShortcutContext(Qt::WidgetShortcut);
    connect(m_end, &QAction::triggered, this, [this] {
        if (const QList<quint64> sessions = chosen(); !sessions.isEmpty())
            Q_EMIT killRequested(sessions);
    });
    m_copy->setIconText(tr("Copy as text"));
    m_copy->setShortcut(QKeySequence::Copy);
    m_copy->setShortcutContext(Qt::WidgetShortcut);
    m_copy->setToolTip(tr("Copy everything known of the selected session (%1)")
                           .arg(m_copy->shortcut().toString(QKeySequence::NativeText)));
    connect(m_copy, &QAction::triggered, this, [this] {
        if (m_inspector->session())
            QGuiApplication::clipboard()->setText(m_inspector->text());
    });
    m_showGraph->setIconText(tr("Graph"));
    m_showGraph->setCheckable(true);
    m_showGraph->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_G));
    m_showGraph->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_showGraph->setToolTip(
        tr("Show the same as a graph (%1)").arg(m_showGraph->shortcut().toString(QKeySequence::NativeText)));
    connect(m_showGraph, &QAction::toggled, this, &WaitsPage::onGraphWanted);
    addAction(m_showGraph);
    m_showInspector->setToolTip(tr("Show or hide what is known of the selected session (Enter)"));
}

void WaitsPage::setupSources()
{
    for (int i = 0; i < WaitSourceCount; ++i) {
        auto *action = new QAction(WaitWords::source(WaitSource(i)), this);
        action->setCheckable(true);
        action->setChecked(true);
        connect(action, &QAction::toggled, this, [this] {
            QSet<WaitSource> off;
            for (int source = 0; source < m_sourceActions.size(); ++source) {
                if (!m_sourceActions[source]->isChecked())
                    off.insert(WaitSource(source));
            }
            m_link->setWaitsOff(off);
        });
        m_sourceActions.append(action);
    }
}

void WaitsPage::setupTree()
{
    const int mark = fontMetrics().height() + 6;
    const QString idle = u"Idle in transaction"_s;
    const int bold = QFontMetrics(headingFont()).horizontalAdvance(idle) - fontMetrics().horizontalAdvance(idle);
    m_view->setModel(m_model);
    m_view->setAccessibleName(tr("Sessions that block and wait"));
    m_view->setColumns({{u"12345 · billing"_s, 3, 0, mark + 2 * m_view->indentation()},
                        {u"frees 10 waiters, 12 min 34 s of waiting"_s},
                        {u"shop.stock PRIMARY (5)"_s, 4},
                        {u"12 min 34 s"_s},
                        {idle, 0, 0, mark + bold},
                        {u"UPDATE stock SET n = n"_s, 5, 1},
                        {u"10,204 / 1,204"_s, 0, 2},
                        {u"billing-worker"_s, 1, 3}});
    m_view->addActions({m_end, m_copy, m_showInspector});
    connect(m_model, &WaitTreeModel::aboutToApply, m_view, &LiveTreeView::keepPlace);
    connect(m_model, &WaitTreeModel::applied, this, [this](const QModelIndexList &fresh) {
        for (const QModelIndex &index : fresh)
            m_view->expand(index);
        m_view->restorePlace();
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &WaitsPage::onSelected);
    // A view that gets the focus makes some row the current one by itself, without selecting it.
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        if (m_view->selectionModel()->hasSelection())
            onSelected();
    });
    connect(m_view, &QTreeView::activated, this, &WaitsPage::onActivated);
    connect(m_empty, &EmptyState::actionClicked, m_filter, &FilterEdit::clear);
}

void WaitsPage::setupGraph()
{
    m_graph->addActions({m_end, m_copy, m_showInspector});
    connect(m_graph, &WaitGraphView::sessionChosen, this, &WaitsPage::select);
    connect(m_graph, &WaitGraphView::moreChosen, this, [this](const WaitKey &key) {
        m_model->open(key);
        showGraph();
    });
    connect(m_graph, &WaitGraphView::drawn, this, [this] {
        m_hasGraph = true;
        m_notice->clear();
        showList();
    });
    connect(m_graph, &WaitGraphView::failed, this, [this](GraphLayout::Failure failure) {
        m_hasGraph = false;
        m_notice->show(MessageBar::Level::Info, WaitsPageTexts::graphFailure(failure));
        showList();
    });
}

void WaitsPage::setupFilter(QVBoxLayout *column)
{
    connect(m_filter, &FilterEdit::textChanged, this, [this](const QString &text) {
        m_model->setFilter(text);
        showGraph();
        showList();
    });
    auto *graph = new QToolButton(this);
    graph->setDefaultAction(m_showGraph);
    graph->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    graph->setIconSize({forType(kIconSide), forType(kIconSide)});
    auto *row = new QHBoxLayout;
    row->setContentsMargins(kSpaceSection, kSpace, kSpaceSection, kSpace);
    row->setSpacing(kSpace);
    row->addWidget(m_filter, 1);
    row->addWidget(graph);
    row->addStretch(1);
    column->addLayout(row);
}

void WaitsPage::setupStack(QVBoxLayout *column)
{
    auto *list = new QWidget(this);
    m_stack = new QStackedLayout(list);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_graph);
    m_stack->addWidget(m_empty);
    column->addWidget(new InspectorSplitter(list, m_inspector, m_showInspector, this), 1);
}

void WaitsPage::onOpened()
{
    m_picture.reset();
    m_isFailing = false;
    m_model->setPicture({});
    m_graph->clear();
    m_hasGraph = false;
    setSession(std::nullopt);
    m_sources->setSources({});
    m_error->clear();
    m_notice->clear();
    showList();
    Q_EMIT badgeChanged(0, {});
}

/// Its own connection tells by itself when it fails; only a server that did not start has none.
void WaitsPage::onStatus()
{
    const MonitorStatus &status = m_link->status();
    if (!m_link->isOpen() && status.phase == Phase::Failing && status.error)
        showError(*status.error);
    showList();
}

void WaitsPage::showError(const LockError &error)
{
    m_isFailing = true;
    m_clock.setFrozen(true);
    QString text = error.message;
    if (m_picture)
        text += u' ' + tr("What is below is from %1.").arg(Words::moment(m_picture->waits->clock.server));
    m_error->show(MessageBar::Level::Error, text, Words::serverWords(error));
    m_view->setStale(true);
    m_graph->setStale(true);
    updateEnd();
    showList();
}

void WaitsPage::onWaits(const ServerWaitsPtr &waits)
{
    m_isFailing = false;
    m_error->clear();
    m_view->setStale(false);
    m_graph->setStale(false);
    m_clock.setFrozen(m_link->isPaused());
    m_clock.sync(waits->clock);
    m_picture = WaitPicture::of(waits);
    m_inspector->show(m_inspector->session(), m_picture);
    m_model->setPicture(m_picture);
    selectAgain();
    m_sources->setSources(waits->sources);
    showGraph();
    updateEnd();
    showList();
    const int waiting = m_picture->graph.waiting();
    Q_EMIT badgeChanged(waiting, tr("Sessions that wait: %1").arg(waiting));
    Q_EMIT pictureTaken(m_picture);
}

void WaitsPage::onTick()
{
    const int x = m_view->columnViewportPosition(WaitTreeModel::ForColumn);
    m_view->viewport()->update(x, 0, m_view->columnWidth(WaitTreeModel::ForColumn), m_view->viewport()->height());
}

/// By a person: a session that leaves the list is not told here, and the inspector stays with it. The inspector shows
/// the current one if that is selected.
void WaitsPage::onSelected()
{
    const QItemSelectionModel *selection = m_view->selectionModel();
    QModelIndex row = m_view->currentIndex().siblingAtColumn(0);
    if (!selection->isSelected(row))
        row = selection->selectedRows().value(0);
    const WaitKey key = m_model->keyAt(row);
    const bool isSession = row.isValid() && key.kind == WaitKey::Kind::Session;
    setSession(isSession ? std::optional(key.id) : std::nullopt);
}

void WaitsPage::setSession(std::optional<quint64> session)
{
    if (m_inspector->session() != session) {
        m_inspector->show(session, m_picture);
        m_graph->setSelected(session);
    }
    updateEnd();
}

/// The sessions that an action is for, in the order of the list. Without any that is selected, and in the graph, it is
/// the one that the inspector shows: a filter may hide it.
QList<quint64> WaitsPage::chosen() const
{
    QList<quint64> sessions;
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    for (const QModelIndex &row : rows) {
        if (const WaitKey key = m_model->keyAt(row); key.kind == WaitKey::Kind::Session)
            sessions.append(key.id);
    }
    if (sessions.isEmpty() || m_stack->currentWidget() == m_graph)
        sessions = m_inspector->session() && !m_inspector->isGone() ? QList{*m_inspector->session()} : QList<quint64>();
    sessions.removeIf([this](quint64 session) { return !m_picture || !m_picture->waits->session(session); });
    const QHash<quint64, int> &places = m_model->outline().places;
    std::sort(sessions.begin(), sessions.end(),
              [&places](quint64 a, quint64 b) { return places.value(a) < places.value(b); });
    return sessions;
}

void WaitsPage::select(quint64 session)
{
    const bool isHidden =
        m_picture && m_picture->nodes.contains(session) && !m_model->outline().places.contains(session);
    if (isHidden)
        m_filter->clear(); // who asks for this session wants to see it
    const QModelIndex index = m_model->reveal(session);
    if (!index.isValid())
        return;
    // Not by way of the view, which would add it to the selection while Shift is held.
    m_view->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_view->scrollTo(index);
}

/// The session of the inspector came back to the list: the reader's place stays, and what is folded.
void WaitsPage::selectAgain()
{
    const auto session = m_inspector->session();
    if (!session || m_view->selectionModel()->hasSelection())
        return;
    const QModelIndex index = m_model->indexOf({WaitKey::Kind::Session, *session});
    if (!index.isValid())
        return;
    m_view->setAutoScroll(false);
    m_view->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_view->setAutoScroll(true);
}

void WaitsPage::onActivated(const QModelIndex &index)
{
    const WaitKey key = m_model->keyAt(index);
    if (!index.isValid() || key.kind != WaitKey::Kind::More)
        return;
    m_model->open(key);
    showGraph();
}

void WaitsPage::onGraphWanted(bool isWanted)
{
    m_graph->forgetFailure();
    m_hasGraph = isWanted;
    if (!isWanted)
        m_notice->clear();
    showGraph();
    showList();
}

void WaitsPage::showGraph()
{
    if (m_showGraph->isChecked() && m_picture)
        m_graph->show(m_picture, m_model->outline());
}

void WaitsPage::showList()
{
    QWidget *wanted = m_empty;
    if (m_model->rowCount() > 0)
        wanted = m_showGraph->isChecked() && m_hasGraph ? static_cast<QWidget *>(m_graph) : m_view;
    else
        WaitsPageTexts::explainEmpty(m_picture, m_isFailing, !m_filter->text().isEmpty(), m_empty);
    const bool hadFocus = m_stack->currentWidget()->hasFocus();
    m_stack->setCurrentWidget(wanted);
    if (hadFocus)
        wanted->setFocus();
    updateEnd(); // the graph has one session selected, the tree perhaps several
}

void WaitsPage::updateEnd()
{
    const QList<quint64> sessions = chosen();
    const int count = int(sessions.size());
    QString protection;
    bool isAnyFree = false;
    for (const quint64 session : sessions) {
        protection = WaitWords::whyProtected(m_picture->waits->session(session)->protection);
        isAnyFree = isAnyFree || protection.isEmpty();
    }
    const auto shown = m_inspector->session();
    m_end->setEnabled(isAnyFree && m_link->isOperator() && !m_isFailing);
    m_end->setText(count > 1 ? tr("&End %n sessions…", nullptr, count) : tr("&End session…"));
    m_end->setIconText(count > 1   ? tr("End %n sessions…", nullptr, count)
                           : shown ? tr("End session %1…").arg(count > 0 ? sessions.first() : *shown)
                                   : tr("End session…"));
    m_end->setToolTip(count > 0 && !isAnyFree ? protection
                                              : WaitsPageTexts::endTip(count, m_link->isOperator(), m_isFailing));
    m_copy->setEnabled(shown.has_value());
}

void WaitsPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    m_clock.setTicking(true);
}

void WaitsPage::hideEvent(QHideEvent *event)
{
    Page::hideEvent(event);
    m_clock.setTicking(false);
}

QList<QWidget *> WaitsPage::listWidgets() const
{
    return {m_view, m_graph};
}

void WaitsPage::focusFilter()
{
    m_filter->take();
}

bool WaitsPage::closeLast()
{
    if (!m_filter->text().isEmpty()) {
        m_filter->clear();
        m_stack->currentWidget()->setFocus();
        return true;
    }
    if (m_sources->fold())
        return true;
    if (m_notice->isVisible()) {
        m_notice->clear();
        return true;
    }
    if (!m_inspector->session())
        return false;
    m_view->selectionModel()->clear();
    setSession(std::nullopt);
    return true;
}

QStringList WaitsPage::exportFormats() const
{
    const bool isGraph = m_stack->currentWidget() == m_graph && m_graph->hasPicture();
    return isGraph ? QStringList{u"svg"_s, u"png"_s, u"csv"_s} : QStringList{u"csv"_s};
}

QByteArray WaitsPage::exported(const QString &format) const
{
    if (format != "csv"_L1)
        return m_graph->exported(format);
    return m_picture ? waitsToCsv(*m_picture) : QByteArray();
}

} // namespace lockscope::ui
