// SPDX-License-Identifier: MIT
#include "deadlockspage.h"

#include "deadlockinspector.h"
#include "deadlocklistmodel.h"
#include "deadlocktext.h"
#include "deadlockview.h"
#include "ui/server/serverconnection.h"
#include "ui/style/paletteicon.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/text/csv.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/filteredit.h"
#include "ui/widgets/inspectorsplitter.h"
#include "ui/widgets/livetableview.h"
#include "ui/widgets/mutedlabel.h"
#include "ui/widgets/roles.h"

#include <QtCore/QSortFilterProxyModel>
#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QStackedLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;
using Phase = MonitorStatus::Phase;

DeadlocksPage::DeadlocksPage(ServerConnection *connection, QWidget *parent)
    : Page(connection, tr("Deadlocks"), u"deadlocks"_s, parent)
    , m_clock(this)
    , m_model(new DeadlockListModel(this))
    , m_filtered(new QSortFilterProxyModel(this)) // bounded by the model, and deadlocks are rare
    , m_filter(new FilterEdit(tr("Filter by table, statement or reason"), this))
    , m_list(new LiveTableView(this))
    , m_picture(new DeadlockView(this))
    , m_empty(new EmptyState(this))
    , m_stack(new QStackedLayout)
    , m_missing(new MutedLabel({}, this))
    , m_copy(new QAction(svgIcon(u"copy"_s), tr("Copy dead&lock as text"), this))
    , m_showInspector(new QAction(svgIcon(u"inspector"_s), tr("Deadloc&k details"), this))
{
    setupActions();
    m_inspector = new DeadlockInspector({m_copy}, this);
    setupList();
    setupLayout();
    connect(connection, &ServerConnection::opened, this, &DeadlocksPage::onOpened);
    connect(connection, &ServerConnection::statusChanged, this, &DeadlocksPage::onStatus);
    connection->follow(&WaitsFeed::updated, this, &DeadlocksPage::onWaits);
    connection->follow(&WaitsFeed::failed, this, &DeadlocksPage::onFailed);
    connection->follow(&WaitsFeed::deadlocksRead, this, &DeadlocksPage::onInbox);
    connection->follow(&WaitsFeed::deadlocksFailed, this, &DeadlocksPage::onRefused);
    connect(connection, &ServerConnection::pausedChanged, this,
            [this](bool isPaused) { m_clock.setFrozen(isPaused || m_isFailing); });
    m_clock.setTicking(false);
    onOpened();
}

QString DeadlocksPage::help() const
{
    return DeadlockText::help();
}

void DeadlocksPage::setupActions()
{
    m_copy->setIconText(tr("Copy as text"));
    m_copy->setShortcut(QKeySequence::Copy);
    m_copy->setShortcutContext(Qt::WidgetShortcut);
    m_copy->setToolTip(tr("Copy everything known of the selected deadlock, with the server's own text (%1)")
                           .arg(m_copy->shortcut().toString(QKeySequence::NativeText)));
    connect(m_copy, &QAction::triggered, this, [this] {
        if (m_inspector->shape())
            QGuiApplication::clipboard()->setText(DeadlockText::all(*m_inspector->shape()));
    });
    m_showInspector->setIconText(tr("Details"));
    m_showInspector->setToolTip(tr("Show or hide what is known of the selected deadlock (Enter)"));
}

void DeadlocksPage::setupList()
{
    m_filtered->setSourceModel(m_model);
    m_filtered->setFilterKeyColumn(-1);
    m_filtered->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_filtered->setSortRole(SortRole);
    m_list->setModel(m_filtered);
    m_list->setAccessibleName(tr("Deadlocks"));
    QHeaderView *header = m_list->horizontalHeader();
    header->setSortIndicator(DeadlockListModel::LastColumn, Qt::DescendingOrder);
    header->setSortIndicatorShown(true);
    m_filtered->sort(DeadlockListModel::LastColumn, Qt::DescendingOrder);
    connect(header, &QHeaderView::sortIndicatorChanged, this,
            [this](int column, Qt::SortOrder order) { m_filtered->sort(column, order); });
    const int mark = fontMetrics().height() + 6;
    m_list->setColumns({{u"2026-00-00 00:00:00"_s, 0, 0, mark},
                        {u"1,204"_s},
                        {u"shop.orders"_s, 2},
                        {u"Different orders"_s, 0},
                        {u"update orders set total"_s, 4, 1}});
    m_list->nameColumns<DeadlockListModel::Column>(u"deadlocks"_s);
    m_list->addActions({m_copy, m_showInspector});
    m_filter->setList(m_list);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &DeadlocksPage::showChosen);
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this, &DeadlocksPage::showChosen);
    connect(m_filter, &FilterEdit::textChanged, this, [this](const QString &text) {
        m_filtered->setFilterFixedString(text);
        showEmpty();
    });
    connect(m_empty, &EmptyState::actionClicked, m_filter, &FilterEdit::clear);
}

void DeadlocksPage::setupLayout()
{
    auto *row = new QHBoxLayout;
    row->setContentsMargins(kSpaceSection, kSpace, kSpaceSection, kSpace);
    row->addWidget(m_filter, 1);
    row->addStretch(1);
    m_column->addLayout(row);
    auto *parts = new QSplitter(Qt::Vertical, this);
    parts->addWidget(m_list);
    parts->addWidget(m_picture);
    parts->setChildrenCollapsible(false);
    parts->setHandleWidth(1);
    parts->setStretchFactor(0, 1);
    parts->setStretchFactor(1, 2);
    parts->setSizes({200, 400});
    auto *middle = new QWidget(this);
    middle->setLayout(m_stack);
    m_stack->addWidget(parts);
    m_stack->addWidget(m_empty);
    m_column->addWidget(new InspectorSplitter(middle, m_inspector, m_showInspector, this), 1);
    m_missing->setWordWrap(true);
    m_missing->setContentsMargins(kSpaceSection, kSpaceInGroup, kSpaceSection, kSpaceInGroup);
    m_missing->hide();
    m_bars->add(m_missing);
}

void DeadlocksPage::focusFilter()
{
    m_filter->take();
}

bool DeadlocksPage::closeLast()
{
    if (!m_filter->text().isEmpty()) {
        m_filter->clear();
        m_list->setFocus();
        return true;
    }
    if (!m_list->selectionModel()->hasSelection())
        return false;
    m_list->selectionModel()->clear();
    return true;
}

QStringList DeadlocksPage::exportFormats() const
{
    return m_inspector->shape() ? QStringList{u"csv"_s, u"svg"_s, u"png"_s} : QStringList{u"csv"_s};
}

QByteArray DeadlocksPage::exported(const QString &format) const
{
    return format == "csv"_L1 ? toCsv(*m_filtered) : m_picture->exported(format);
}

std::optional<PagePoll> DeadlocksPage::poll() const
{
    return PagePoll{&m_clock, m_cost, m_filtered->rowCount(), m_model->rowCount(), m_isFailing};
}

QString DeadlocksPage::missing() const
{
    return m_inbox ? DeadlockText::missing(*m_inbox) : QString();
}

/// The same server once more goes on with what was seen of it.
void DeadlocksPage::onOpened()
{
    m_refusal.reset();
    m_account.clear();
    m_clock.forget();
    m_error->clear();
    m_notice->clear();
    setFailing(false);
    m_noticed = 0;
    m_wanted.clear();
    m_model->setInbox({});
    m_inbox.reset();
    if (const DeadlockInboxPtr inbox = m_connection->deadlocks()) {
        m_noticed = inbox->arrived();
        onInbox(inbox);
        return;
    }
    m_missing->hide();
    showEmpty();
    showBadge();
}

/// Its own connection tells by itself when it fails; only a server that did not start has none.
void DeadlocksPage::onStatus()
{
    const MonitorStatus &status = m_connection->status();
    if (!m_connection->isOpen() && status.phase == Phase::Failing && status.error)
        onFailed(*status.error);
}

void DeadlocksPage::setFailing(bool isFailing)
{
    m_isFailing = isFailing;
    m_clock.setFrozen(isFailing || m_connection->isPaused());
    m_list->setStale(isFailing);
}

void DeadlocksPage::onWaits(const ServerWaitsPtr &waits, const Capabilities &capabilities)
{
    m_clock.sync(waits->clock);
    m_cost = waits->cost;
    m_account = capabilities.account;
    if (!m_isFailing)
        return;
    setFailing(false);
    m_error->clear();
    showEmpty();
}

void DeadlocksPage::onFailed(const LockError &error)
{
    setFailing(true);
    m_error->show(MessageBar::Level::Error, error.message, CommonText::serverWords(error));
    showEmpty();
}

void DeadlocksPage::onInbox(const DeadlockInboxPtr &inbox)
{
    m_inbox = inbox;
    m_refusal.reset();
    m_notice->clear();
    m_list->keepPlace();
    m_model->setInbox(inbox);
    m_list->restorePlace();
    m_missing->setText(missing());
    m_missing->setVisible(!missing().isEmpty());
    selectWanted();
    if (!m_list->selectionModel()->hasSelection() && m_filtered->rowCount() > 0 && !m_list->hasFocus())
        m_list->chooseRow(0);
    showChosen();
    showEmpty();
    showBadge();
}

void DeadlocksPage::select(const QByteArray &shape)
{
    m_wanted = shape;
    selectWanted();
}

void DeadlocksPage::selectWanted()
{
    const auto found = std::ranges::find(m_model->rows(), m_wanted, &DeadlockShape::shape);
    if (found == m_model->rows().end())
        return;
    m_wanted.clear();
    const QModelIndex source = m_model->index(int(found - m_model->rows().begin()), 0);
    if (!m_filtered->mapFromSource(source).isValid())
        m_filter->clear();
    m_list->chooseRow(m_filtered->mapFromSource(source).row());
}

void DeadlocksPage::onRefused(const LockError &error)
{
    m_refusal = error;
    if (m_model->rowCount() > 0)
        m_notice->show(MessageBar::Level::Warning, tr("New deadlocks cannot be read. %1").arg(error.message),
                       CommonText::serverWords(error));
    showEmpty();
}

void DeadlocksPage::showChosen()
{
    const QModelIndex current = m_list->currentIndex();
    const bool isChosen = current.isValid() && m_list->selectionModel()->isRowSelected(current.row(), {});
    if (!isChosen) {
        m_inspector->show(std::nullopt);
        m_picture->show(std::nullopt);
        m_copy->setEnabled(false);
        return;
    }
    const DeadlockShape &shape = m_model->rows()[m_filtered->mapToSource(current).row()];
    if (m_inspector->shape() != shape)
        m_picture->show(shape.latest);
    m_inspector->show(shape);
    m_copy->setEnabled(true);
}

void DeadlocksPage::showEmpty()
{
    if (m_filtered->rowCount() > 0) {
        m_stack->setCurrentIndex(0);
        return;
    }
    m_stack->setCurrentWidget(m_empty);
    if (m_connection->isStore()) {
        m_empty->tellOtherKind(m_connection->profile().storeTitle());
    } else if (m_model->rowCount() > 0) {
        m_empty->setMessage(tr("No deadlock matches"),
                            tr("Hidden by the filter: %1.").arg(CommonText::count(m_model->rowCount())), {},
                            tr("Clear filter"));
    } else if (m_refusal && m_refusal->kind == LockError::Kind::NoPermission) {
        m_empty->setMessage(
            tr("This account may not read deadlocks"),
            tr("The server shows them to accounts with the privilege PROCESS, which changes nothing and "
               "shows all sessions. Somebody who may grant it has to run this; then F5 reads them:"),
            u"GRANT PROCESS ON *.* TO %1"_s.arg(m_account.isEmpty() ? u"…"_s : m_account));
    } else if (m_refusal) {
        m_empty->setMessage(tr("Deadlocks cannot be read"), m_refusal->message);
    } else if (!m_inbox && m_isFailing) {
        m_empty->tellFailure(!m_connection->isRecorded());
    } else if (!m_inbox) {
        m_empty->setMessage(tr("Looking for deadlocks…"), {});
    } else if (m_connection->isRecorded()) {
        m_empty->setMessage(tr("No deadlock was seen"),
                            tr("Until this moment none was recorded. What came before the recording is not in it."));
    } else {
        m_empty->setMessage(tr("No deadlock was seen"),
                            tr("A server ends a deadlock at once, by rolling one of the transactions back. It appears "
                               "here a second later, with who waited for whom, and stays."));
        m_empty->offerStarts();
    }
}

void DeadlocksPage::showBadge()
{
    const quint64 arrived = m_inbox && !m_connection->isRecorded() ? m_inbox->arrived() : 0;
    if (isVisible())
        m_noticed = arrived;
    const int count = int(std::min<quint64>(arrived - std::min(arrived, m_noticed), 1000));
    Q_EMIT badgeChanged(count, count > 0 ? tr("%n new deadlock(s)", nullptr, count) : QString());
}

void DeadlocksPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    m_clock.setTicking(true);
    showBadge();
}

void DeadlocksPage::hideEvent(QHideEvent *event)
{
    Page::hideEvent(event);
    m_clock.setTicking(false);
}

} // namespace lockscope::ui
