// SPDX-License-Identifier: MIT
#include "lockspage.h"

#include "facetbar.h"
#include "lockcopies.h"
#include "lockending.h"
#include "lockgrouplist.h"
#include "lockinspector.h"
#include "lockspagetext.h"
#include "locktablemodel.h"
#include "savedviews.h"
#include "serverbar.h"
#include "ui/server/serverconnection.h"
#include "ui/style/displaytimezone.h"
#include "ui/style/paletteicon.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/filteredit.h"
#include "ui/widgets/flowlayout.h"
#include "ui/widgets/inspectorsplitter.h"
#include "ui/widgets/livetableview.h"
#include "zonebar.h"

#include <QtGui/QAction>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QStackedLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using Phase = MonitorStatus::Phase;

LocksPage::LocksPage(ServerConnection *connection, QWidget *parent)
    : Page(connection, tr("Locks"), u"locks"_s, parent)
    , m_model(new LockTableModel(connection->clock(), this))
    , m_filter(new FilterEdit(tr("Filter: words, or holder:ci waiters:>3 kind:row"), this))
    , m_facets(new FacetBar(this))
    , m_groups(new LockGroupList(this))
    , m_savedViews(new SavedViews(this))
    , m_servers(new ServerBar(connection, this))
    , m_view(new LiveTableView(this))
    , m_empty(new EmptyState(this))
    , m_ending(new LockEnding(connection, this))
    , m_showInspector(new QAction(svgIcon(u"inspector"_s), tr("&Inspector"), this))
    , m_guesses(new QAction(tr("Also &keys that are perhaps locks"), this))
    , m_showMore(new QAction(tr("Show 10 times as many"), this))
    , m_startServer(new QAction(tr("Start the private server"), this))
    , m_installTables(new QAction(tr("Install lock tables"), this))
{
    setupActions();
    m_inspector = new LockInspector(connection, m_ending->action(), this);
    setupList();
    m_ending->setList(m_model, m_view, m_inspector);
    setupFilter();
    setupStack();

    connect(connection, &ServerConnection::opened, this, &LocksPage::onOpened);
    connect(connection, &ServerConnection::feedsMade, this, &LocksPage::onFeedsMade);
    connect(connection, &ServerConnection::statusChanged, this, &LocksPage::onStatus);
    connect(DisplayTimeZone::instance(), &DisplayTimeZone::changed, this, &LocksPage::onStatus);
    connect(connection, &ServerConnection::listUpdated, this, &LocksPage::onList);
    connection->follow(&TablesFeed::updated, this, [this](const TableLocksPtr &tables) {
        m_tables = *tables;
        m_tablesFailure.reset();
        showNotice();
    });
    connection->follow(&TablesFeed::failed, this, [this](const LockError &error) {
        m_tablesFailure = error;
        showNotice();
    });
    connect(connection->clock(), &LiveClock::ticked, this, &LocksPage::onTick);
    setupServers();
}

QString LocksPage::help() const
{
    return LocksPageText::help();
}

void LocksPage::setupActions()
{
    m_showInspector->setToolTip(tr("Show or hide what is known of the selected lock (Enter)"));
    connect(m_showMore, &QAction::triggered, this, [this] { m_connection->call(&Monitor::setLimit, m_limit *= 10); });
    connect(m_startServer, &QAction::triggered, this, [this] { m_connection->open(m_connection->profile(), {}); });
    connect(m_installTables, &QAction::triggered, m_connection, &ServerConnection::installTables);
}

void LocksPage::setupList()
{
    const int mark = fontMetrics().height() + 6;
    m_view->setModel(m_model);
    m_view->setAccessibleName(tr("Locks"));
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setColumns({{u"orders/42-abc"_s, 6, 0, mark},
                        {u"cache1:6379"_s, 2, 0, mark},
                        {u"Optimistic"_s, 0, 0, mark},
                        {u"inventory"_s},
                        {u"a7:812345/3"_s, 0, 2},
                        {u"note text"_s, 2, 1},
                        {u"≥ 59 min 59 s"_s},
                        {u"59 min 59 s"_s, 0, 0, 46},
                        {u"1,204"_s, 0, 0, 0, true},
                        {u"100"_s, 0, 0, mark},
                        {u"alive"_s, 0, 3}});
    m_view->nameColumns<LockTableModel::Column>(u"locks"_s);
    m_filter->setList(m_view);
    m_copies = new LockCopies(m_connection, m_model, m_view, this);
    connect(m_copies->nameAction(), &QAction::triggered, this, [this] { m_copies->copyNames(m_inspector->lock()); });
    m_view->addActions(QList{m_ending->action()} + m_copies->actions() + QList{m_showInspector});
    tellWhyNot(m_view, m_ending->action());
    QHeaderView *header = m_view->horizontalHeader();
    header->setSortIndicator(LockTableModel::ResourceColumn, Qt::AscendingOrder);
    header->setSortIndicatorShown(true);
    connect(header, &QHeaderView::sortIndicatorChanged, this, &LocksPage::onSorted);
    connect(m_model, &LockTableModel::aboutToApply, m_view, &LiveTableView::keepPlace);
    connect(m_model, &LockTableModel::applied, m_view, &LiveTableView::restorePlace);
    connect(m_model, &LockTableModel::aboutToApply, m_view, &LiveTableView::holdSelection);
    connect(m_model, &LockTableModel::applied, m_view, &LiveTableView::restoreSelection);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &LocksPage::onSelected);
    connect(m_empty, &EmptyState::actionClicked, this, [this] {
        m_filter->clear();
        m_facets->clear();
        m_groups->clear();
    });
}

void LocksPage::setupFilter()
{
    connect(m_filter, &FilterEdit::textChanged, this, &LocksPage::sendView);
    connect(m_facets, &FacetBar::facetsChanged, this, &LocksPage::sendView);
    connect(m_groups, &LockGroupList::changed, this, &LocksPage::sendView);
    connect(m_savedViews, &SavedViews::chosen, this, &LocksPage::showView);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(kSpaceSection, kSpace, kSpaceSection, kSpace);
    row->setSpacing(kSpace);
    row->addWidget(m_filter, 1, Qt::AlignTop);
    auto *flow = new FlowLayout(kSpace); // into several rows where there is little room
    flow->addWidget(m_facets);
    flow->addWidget(m_groups->chooser());
    flow->addWidget(m_savedViews);
    row->addLayout(flow);
    row->addStretch(1);
    m_column->addWidget(m_servers);
    m_column->addLayout(row);
}

void LocksPage::setupStack()
{
    auto *list = new QWidget(this);
    auto *columns = new QHBoxLayout(list);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(m_groups);
    m_stack = new QStackedLayout;
    columns->addLayout(m_stack, 1);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);
    m_column->addWidget(new InspectorSplitter(list, m_inspector, m_showInspector, this), 1);
    auto *zone = new ZoneBar(m_connection, this);
    m_bars->add(zone);
    connect(zone, &ZoneBar::answered, m_bars, &BarStack::closeGaps);
}

void LocksPage::onOpened()
{
    m_model->clear();
    m_selected.reset();
    m_wanted.reset();
    m_limit = Monitor::DefaultLimit;
    m_inspector->setLock(std::nullopt);
    m_facets->setCounts({});
    m_error->clear();
    m_notice->clear();
    m_lastNotice.clear();
    m_tables = {};
    m_tablesFailure.reset();
    onServers(); // one of them has another name
    updateBadge();
}

void LocksPage::onStatus()
{
    const MonitorStatus &status = m_connection->status();
    if (status.error && status.phase != Phase::Connecting)
        showError(*status.error);
    else
        m_error->clear();
    showNotice();
    onServers();
}

void LocksPage::showError(const LockError &error)
{
    if (m_connection->status().isWithoutTables()) {
        const QString consequence = tr("only locks of the server itself and of other programs are listed.");
        m_error->show(MessageBar::Level::Info, CommonText::withoutTables(error, consequence));
        if (m_connection->isOperator() && error.kind == LockError::Kind::SchemaMissing)
            m_error->addAction(m_installTables);
        return;
    }
    if (m_connection->status().phase == Phase::Live) { // of leases alone
        m_error->show(MessageBar::Level::Info, error.message + u' ' + tr("Only locks of other programs are listed."),
                      CommonText::serverWords(error));
        return;
    }
    QString text = error.message;
    if (isListed(0)) {
        const QString moment = CommonText::moment(m_connection->last().clock.server);
        text += u' '
            + (m_lockView.servers.isEmpty() ? tr("What is listed is from %1.").arg(moment)
                                            : tr("What is listed of it is from %1.").arg(moment));
    }
    m_error->show(MessageBar::Level::Error, text, CommonText::serverWords(error));
    if (m_connection->profile().isPrivate)
        m_error->addAction(m_startServer);
}

void LocksPage::onList(const LockListUpdatePtr &update)
{
    m_model->apply(update);
    m_groups->show(update->groups);
    if (update->contains.isEmpty()) // else they are of what the server found for the filter
        m_facets->setCounts(update->counts);
    showEmpty();
    if (m_wanted && m_model->rowOf(*m_wanted) >= 0)
        select(*m_wanted);
    const bool isLost = m_selected && !m_view->selectionModel()->hasSelection();
    const int row = isLost ? m_model->rowOf(*m_selected) : -1;
    m_view->setAutoScroll(false); // where it comes back the reader's place stays
    if (row >= 0)
        m_view->chooseRow(row);
    m_view->setAutoScroll(true);
    showNotice();
    updateBadge();
}

void LocksPage::setAlarms(const QHash<LockKey, QString> &alarms)
{
    m_alarms = alarms;
    m_model->setAlarms(alarms);
    updateBadge();
}

void LocksPage::updateBadge()
{
    const LockListUpdate &last = m_connection->last();
    if (!last.contains.isEmpty())
        return; // it counts the whole server, whatever is looked for
    Q_EMIT badgeChanged(LocksPageText::inNeed(last, m_alarms), LocksPageText::badge(last, m_alarms.size()));
}

void LocksPage::showNotice()
{
    const QString text = LocksPageText::notice(*m_connection, keyPasses(), m_tables, m_tablesFailure);
    if (text == m_lastNotice)
        return; // also when the person closed it
    m_lastNotice = text;
    if (text.isEmpty())
        return m_notice->clear();
    m_notice->show(MessageBar::Level::Info, text);
    if (m_connection->last().isCut() && !m_connection->last().isFilling)
        m_notice->addAction(m_showMore);
}

void LocksPage::showEmpty()
{
    if (m_model->rowCount() > 0) {
        const bool isFirst = m_stack->currentWidget() != m_view && m_filter->text().isEmpty();
        m_stack->setCurrentWidget(m_view);
        const QWidget *focus = window()->focusWidget();
        if (isFirst && (!focus || focus == m_filter))
            m_view->setFocus(); // the list's keys work from the start
        return;
    }
    const bool isNarrowed = m_facets->facets() || m_groups->within();
    LocksPageText::explainEmptyList(*m_connection, m_filter->text(), isNarrowed, m_empty);
    m_stack->setCurrentWidget(m_empty);
    if (m_inspector->lock() && !m_inspector->isGone() && (isNarrowed || !m_filter->text().isEmpty()))
        m_inspector->setLock(std::nullopt); // its button would act on what nobody sees
}

void LocksPage::onTick()
{
    if (!m_view->isVisible())
        return;
    const auto [first, last] = m_view->rowsInSight();
    if (m_model->hasFreshRows(first, last))
        return m_view->viewport()->update();
    for (const int column : {int(LockTableModel::HeldForColumn), int(LockTableModel::TtlColumn)})
        m_view->viewport()->update(m_view->columnViewportPosition(column), 0, m_view->columnWidth(column),
                                   m_view->viewport()->height());
}

/// Only a selected row counts, of several the one with the keyboard: a view that gets the focus makes some row the
/// current one by itself. No selection means that the lock left the list: the inspector stays with it and says so.
void LocksPage::onSelected()
{
    m_ending->update();
    const QModelIndex current = m_view->currentIndex();
    const int row =
        m_view->selectionModel()->isSelected(current) ? current.row() : m_view->selectedRowNumbers().value(0, -1);
    const LockItem *item = m_model->itemAt(row);
    if (!item || (m_selected == item->row->key && m_inspector->lock()))
        return;
    m_wanted.reset();
    m_selected = item->row->key;
    m_inspector->setLock(item->row);
    m_connection->watch(m_selected);
}

void LocksPage::select(const LockKey &key)
{
    const int row = m_model->rowOf(key);
    m_wanted.reset();
    if (row >= 0) {
        m_view->chooseRow(row);
        m_view->setFocus(); // its keys act on what is chosen
        return;
    }
    m_filter->clear();
    m_facets->clear();
    m_groups->clear();
    m_wanted = key;
}

void LocksPage::onSorted(int column, Qt::SortOrder order)
{
    m_lockView.sort = LockTableModel::sortOf(column);
    m_lockView.descending = order == Qt::DescendingOrder;
    sendView();
}

void LocksPage::sendView()
{
    m_wanted.reset(); // the person looks for something else by now
    m_lockView.filter = m_filter->text();
    m_lockView.facets = m_facets->facets();
    m_lockView.grouping = m_groups->grouping();
    m_lockView.within = m_groups->within();
    m_lockView.servers = m_model->serverNames();
    m_savedViews->setShown(m_lockView);
    m_connection->call(&Monitor::setView, m_lockView);
}

void LocksPage::showView(const LockView &view)
{
    m_view->horizontalHeader()->setSortIndicator(LockTableModel::columnOf(view.sort),
                                                 view.descending ? Qt::DescendingOrder : Qt::AscendingOrder);
    m_facets->setFacets(view.facets);
    m_filter->setText(view.filter);
}

void LocksPage::setReducedMotion(bool reduced)
{
    m_model->setReducedMotion(reduced);
    m_lockView.ghostTime = reduced ? std::chrono::milliseconds::zero() : LockView().ghostTime;
    sendView();
}

QAction *LocksPage::releaseAction() const
{
    return m_ending->action();
}

QWidget *LocksPage::listWidget() const
{
    return m_view;
}

void LocksPage::focusFilter()
{
    m_filter->take();
}

bool LocksPage::closeLast()
{
    if (!m_filter->text().isEmpty()) {
        m_filter->clear();
        m_view->setFocus();
        return true;
    }
    if (m_notice->isVisible()) {
        m_notice->clear();
        return true;
    }
    if (!m_selected)
        return false;
    m_selected.reset();
    m_view->selectionModel()->clear();
    m_inspector->setLock(std::nullopt);
    m_connection->watch(std::nullopt);
    return true;
}

QByteArray LocksPage::exported(const QString &format) const
{
    return exportedFiles(format, exportName())().first();
}

Page::FilesMaker LocksPage::exportedFiles(const QString &format, const QString &baseName) const
{
    const auto made = format == "json"_L1 ? LockExtract::Format::Json : LockExtract::Format::Csv;
    return [extract = LockExtract{m_model->items(), m_model->titles(), m_model->times(), m_model->serverNames()}, made,
            name = baseName + u'.' + format] {
        return Files{{name, extract.as(made)}};
    };
}

} // namespace lockscope::ui
