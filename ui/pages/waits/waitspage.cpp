// SPDX-License-Identifier: MIT
#include "waitspage.h"

#include "preparedtext.h"
#include "sourcebar.h"
#include "ui/server/serverconnection.h"
#include "ui/style/paletteicon.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/filteredit.h"
#include "ui/widgets/inspectorsplitter.h"
#include "ui/widgets/livetreeview.h"
#include "waitcsv.h"
#include "waitgraphview.h"
#include "waitinspector.h"
#include "waitlist.h"
#include "waitspagetext.h"
#include "waittext.h"
#include "waittreemodel.h"

#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QToolButton>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using Phase = MonitorStatus::Phase;

namespace {

constexpr int kIconSide = 16;

} // namespace

WaitsPage::WaitsPage(ServerConnection *connection, QWidget *parent)
    : Page(connection, tr("Waits"), u"waits"_s, parent)
    , m_clock(this)
    , m_filter(new FilterEdit(tr("Filter by session, lock, state, statement or program"), this))
    , m_list(new WaitList(&m_clock, this))
    , m_sources(new SourceBar(this))
    , m_end(new QAction(svgIcon(u"close"_s), tr("&End session…"), this))
    , m_copy(new QAction(svgIcon(u"copy"_s), tr("&Copy as text"), this))
    , m_showGraph(new QAction(svgIcon(u"waits"_s), tr("&Graph"), this))
    , m_showInspector(new QAction(svgIcon(u"inspector"_s), tr("&Details"), this))
{
    setupActions();
    setupSources();
    m_inspector = new WaitInspector(&m_clock, {m_copy, m_end}, this);
    connect(m_inspector, &WaitInspector::lessonRequested, this, &WaitsPage::lessonRequested);
    setupFilter();
    m_column->addWidget(new InspectorSplitter(m_list, m_inspector, m_showInspector, this), 1);
    m_bars->add(m_sources);
    setupList();

    connect(connection, &ServerConnection::opened, this, &WaitsPage::onOpened);
    connect(connection, &ServerConnection::statusChanged, this, &WaitsPage::onStatus);
    connection->follow(&WaitsFeed::updated, this, &WaitsPage::onWaits);
    connection->follow(&WaitsFeed::failed, this, &WaitsPage::showError);
    connect(connection, &ServerConnection::modeChanged, this, &WaitsPage::updateEnd);
    connect(connection, &ServerConnection::pausedChanged, this,
            [this](bool isPaused) { m_clock.setFrozen(isPaused || m_isFailing); });
    connect(&m_clock, &LiveClock::lateChanged, this, [this](bool isLate) {
        if (isLate)
            showError(ServerConnection::noAnswer());
    });
    m_clock.setTicking(false);
    onChosen();
    showEmpty();
}

QString WaitsPage::help() const
{
    return WaitsPageText::help();
}

void WaitsPage::setupActions()
{
    m_end->setIconText(tr("End session…"));
    m_end->setShortcut(Qt::Key_Delete);
    m_end->setShortcutContext(Qt::WidgetShortcut);
    connect(m_end, &QAction::triggered, this, [this] {
        if (const QList<quint64> sessions = m_list->chosen(); !sessions.isEmpty())
            Q_EMIT killRequested(sessions);
        else if (m_inspector->session() && isPreparedNumber(*m_inspector->session()))
            Q_EMIT preparedRequested(*m_inspector->session());
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
        auto *action = new QAction(WaitText::source(WaitSource(i)), this);
        action->setCheckable(true);
        action->setChecked(true);
        connect(action, &QAction::toggled, this, [this] {
            QSet<WaitSource> off;
            for (int source = 0; source < m_sourceActions.size(); ++source) {
                if (!m_sourceActions[source]->isChecked())
                    off.insert(WaitSource(source));
            }
            m_connection->setWaitsOff(off);
        });
        m_sourceActions.append(action);
    }
}

void WaitsPage::setupList()
{
    for (QWidget *view : listWidgets()) {
        view->addActions({m_end, m_copy, m_showInspector});
        tellWhyNot(view, m_end);
    }
    m_filter->setList(m_list->tree());
    connect(m_list, &WaitList::chosenChanged, this, &WaitsPage::onChosen);
    connect(m_list, &WaitList::graphDrawn, m_notice, &MessageBar::clear);
    connect(m_list, &WaitList::graphFailed, this, [this](GraphLayout::Failure failure) {
        m_notice->show(MessageBar::Level::Info, WaitsPageText::graphFailure(failure));
    });
    connect(m_list->empty(), &EmptyState::actionClicked, m_filter, &FilterEdit::clear);
}

void WaitsPage::setupFilter()
{
    connect(m_filter, &FilterEdit::textChanged, this, [this](const QString &text) {
        m_list->setFilter(text);
        showEmpty();
    });
    auto *graph = new QToolButton(this);
    graph->setDefaultAction(m_showGraph);
    graph->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    graph->setIconSize({forType(kIconSide), forType(kIconSide)});
    setTabOrder(m_filter, graph);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(kSpaceSection, kSpace, kSpaceSection, kSpace);
    row->setSpacing(kSpace);
    row->addWidget(m_filter, 1);
    row->addWidget(graph);
    row->addStretch(1);
    m_column->addLayout(row);
}

void WaitsPage::onOpened()
{
    m_picture.reset();
    m_clock.forget();
    m_isFailing = false;
    m_list->setPicture({});
    m_sources->setSources({});
    m_sources->setNote({});
    for (int i = 0; i < m_sourceActions.size(); ++i) {
        const QSignalBlocker quiet(m_sourceActions[i]);
        m_sourceActions[i]->setChecked(!m_connection->profile().waitsOff.contains(WaitSource(i)));
    }
    m_error->clear();
    m_notice->clear();
    showEmpty();
    Q_EMIT badgeChanged(0, {});
}

/// Its own connection tells by itself when it fails; only a server that did not start has none.
void WaitsPage::onStatus()
{
    const MonitorStatus &status = m_connection->status();
    if (!m_connection->isOpen() && status.phase == Phase::Failing && status.error)
        showError(*status.error);
    showEmpty();
}

void WaitsPage::showError(const LockError &error)
{
    m_isFailing = true;
    m_clock.setFrozen(true);
    QString text = error.message;
    if (m_picture)
        text += u' ' + tr("What is shown is from %1.").arg(CommonText::moment(m_picture->waits->clock.server));
    m_error->show(MessageBar::Level::Error, text, CommonText::serverWords(error));
    m_list->setStale(true);
    updateEnd();
    showEmpty();
}

void WaitsPage::onWaits(const ServerWaitsPtr &waits, const Capabilities &capabilities)
{
    m_isFailing = false;
    m_error->clear();
    m_list->setStale(false);
    m_clock.setFrozen(m_connection->isPaused() || m_connection->isRecorded());
    if (!m_connection->isRecorded())
        m_clock.expectEvery(std::max(m_connection->interval(), WaitsFeed::DefaultInterval), waits->cost);
    m_clock.sync(waits->clock);
    if (m_picture && !isSameRun(m_picture->waits->identity, waits->identity))
        m_list->setPicture({}); // another run of the server gives the same numbers to others
    m_picture = WaitPicture::of(waits);
    m_list->setPicture(m_picture);
    m_inspector->show(m_list->current(), m_picture);
    m_sources->setSources(waits->sources);
    for (const SourceStatus &status : waits->sources)
        m_sourceActions[int(status.source)]->setToolTip(CommonText::note(status.reason.toUtf8()));
    m_sources->setNote(WaitsPageText::kindOfServer(capabilities));
    updateEnd();
    showEmpty();
    const int ofRuns = m_picture->graph.waitingOfRuns();
    const int waiting = m_picture->graph.waiting() - ofRuns;
    const QString meaning = tr("Sessions that wait: %1").arg(waiting);
    Q_EMIT badgeChanged(waiting,
                        ofRuns == 0 ? meaning
                                    : meaning + u'\n' + tr("And in lessons and the lab, on purpose: %1").arg(ofRuns));
    Q_EMIT pictureTaken(m_picture);
}

void WaitsPage::onChosen()
{
    if (m_inspector->session() != m_list->current()) {
        m_inspector->show(m_list->current(), m_picture);
        m_connection->watchSession(m_list->current());
    }
    updateEnd();
}

void WaitsPage::select(quint64 session)
{
    const bool isHidden =
        m_picture && m_picture->nodes.contains(session) && !model()->outline().places.contains(session);
    if (isHidden)
        m_filter->clear(); // whoever asks for this session wants to see it
    m_list->select(session);
}

void WaitsPage::onGraphWanted(bool isWanted)
{
    if (!isWanted)
        m_notice->clear();
    m_list->setGraphWanted(isWanted);
}

void WaitsPage::showEmpty()
{
    if (model()->rowCount() > 0)
        return;
    const bool isRecorded = m_connection->isRecorded();
    if (m_connection->isStore())
        m_list->empty()->tellOtherKind(m_connection->profile().storeTitle());
    else if (!m_picture && m_isFailing)
        m_list->empty()->tellFailure(!isRecorded);
    else
        WaitsPageText::explainEmpty(m_picture, isRecorded, !m_filter->text().isEmpty(), m_list->empty());
}

void WaitsPage::updateEnd()
{
    const QList<quint64> sessions = m_list->chosen();
    const int count = int(sessions.size());
    m_inspector->setChosen(count);
    QString protection;
    bool isAnyFree = false;
    for (const quint64 session : sessions) {
        protection = WaitText::whyProtected(m_picture->waits->session(session)->protection);
        isAnyFree = isAnyFree || protection.isEmpty();
    }
    const auto inspected = m_inspector->session();
    const bool isPrepared = count == 0 && inspected && isPreparedNumber(*inspected) && !m_inspector->isGone();
    const bool isShown = inspected && !isPrepared;
    const bool isThere = isShown && (count > 0 || !m_inspector->isGone()); // in a menu nobody sees that it has ended
    m_end->setEnabled((isAnyFree || isPrepared) && m_connection->isOperator() && !m_isFailing);
    const quint64 first = count > 0 ? sessions.first() : inspected.value_or(0);
    m_end->setText(count > 1        ? tr("&End %n sessions…", nullptr, count)
                       : isThere    ? tr("&End session %1…").arg(first)
                       : isPrepared ? tr("&End %1…").arg(PreparedText::holder(*inspected))
                                    : tr("&End session…"));
    m_end->setIconText(count > 1        ? tr("End %n sessions…", nullptr, count)
                           : isShown    ? tr("End session %1…").arg(first)
                           : isPrepared ? tr("End %1…").arg(PreparedText::holder(*inspected))
                                        : tr("End session…"));
    m_end->setToolTip(count > 0 && !isAnyFree
                          ? protection
                          : WaitsPageText::endTip(isPrepared ? 1 : count, *m_connection, m_isFailing));
    m_copy->setEnabled(inspected.has_value());
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
    return {m_list->tree(), m_list->graph()};
}

LiveTreeView *WaitsPage::view() const
{
    return m_list->tree();
}

WaitTreeModel *WaitsPage::model() const
{
    return m_list->model();
}

WaitGraphView *WaitsPage::graph() const
{
    return m_list->graph();
}

void WaitsPage::focusFilter()
{
    m_filter->take();
}

bool WaitsPage::closeLast()
{
    if (!m_filter->text().isEmpty()) {
        m_filter->clear();
        m_list->currentWidget()->setFocus();
        return true;
    }
    if (m_sources->fold())
        return true;
    if (m_notice->isVisible()) {
        m_notice->clear();
        return true;
    }
    if (!m_list->current() && m_list->chosen().isEmpty())
        return false;
    m_list->deselect();
    return true;
}

QStringList WaitsPage::exportFormats() const
{
    return m_list->isGraphShown() ? QStringList{u"svg"_s, u"png"_s, u"csv"_s} : QStringList{u"csv"_s};
}

std::optional<PagePoll> WaitsPage::poll() const
{
    PagePoll poll{&m_clock, {}, 0, 0, m_isFailing};
    if (!m_picture)
        return poll;
    poll.cost = m_picture->waits->cost;
    const QList<WaitRow> &rows = model()->outline().rows;
    poll.shown = std::count_if(rows.cbegin(), rows.cend(),
                               [](const WaitRow &row) { return row.key.kind == WaitKey::Kind::Session; });
    poll.total = m_picture->nodes.size();
    return poll;
}

QByteArray WaitsPage::exported(const QString &format) const
{
    if (format != "csv"_L1)
        return graph()->exported(format);
    return m_picture ? waitsToCsv(*m_picture) : QByteArray();
}

} // namespace lockscope::ui
