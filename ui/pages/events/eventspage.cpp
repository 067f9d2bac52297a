// SPDX-License-Identifier: MIT
#include "eventspage.h"

#include "eventtablemodel.h"
#include "recordreader.h"
#include "ui/server/serverconnection.h"
#include "ui/style/paletteicon.h"
#include "ui/style/theme.h"
#include "ui/text/commontext.h"
#include "ui/text/csv.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/filteredit.h"
#include "ui/widgets/livetableview.h"
#include "ui/widgets/roles.h"

#include <QtCore/QSortFilterProxyModel>
#include <QtGui/QAction>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QStackedLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

EventsPage::EventsPage(ServerConnection *connection, QWidget *parent)
    : Page(connection, tr("Events"), u"events"_s, parent)
    , m_model(new EventTableModel(this))
    , m_filtered(new QSortFilterProxyModel(this)) // bounded by the model, and events are rare
    , m_filter(new FilterEdit(tr("Filter by any word"), this))
    , m_view(new LiveTableView(this))
    , m_empty(new EmptyState(this))
    , m_stack(new QStackedLayout)
    , m_record(new RecordReader(this))
{
    m_filtered->setSourceModel(m_model);
    m_filtered->setFilterKeyColumn(-1);
    m_filtered->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_view->setModel(m_filtered);
    m_view->setAccessibleName(tr("Events"));
    m_filtered->setSortRole(SortRole);
    m_filtered->setSortCaseSensitivity(Qt::CaseInsensitive);
    m_view->horizontalHeader()->setSortIndicator(EventTableModel::TimeColumn, Qt::DescendingOrder);
    m_view->horizontalHeader()->setSortIndicatorShown(true);
    connect(m_view->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this,
            [this](int column, Qt::SortOrder order) { m_filtered->sort(column, order); });
    const int mark = fontMetrics().height() + 6;
    m_view->setColumns({{u"2026-00-00 00:00:00Z"_s},
                        {u"Force-released"_s, 0, 0, mark},
                        {u"orders/42-abcde"_s, 3},
                        {u"10,204"_s},
                        {u"billing on a7 (pid"_s, 2},
                        {u"operator@host"_s, 1, 1},
                        {u"why it had to be"_s, 5},
                        {u"nothing was done:"_s, 2, 2},
                        {u"This machine"_s, 0, 3}});

    m_view->nameColumns<EventTableModel::Column>(u"events"_s);
    m_filter->setList(m_view);

    auto *row = new QHBoxLayout;
    row->setContentsMargins(kSpaceSection, kSpace, kSpaceSection, kSpace);
    row->addWidget(m_filter, 1);
    row->addStretch(1);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);
    m_column->addLayout(row);
    m_column->addLayout(m_stack, 1);

    connect(m_filter, &FilterEdit::textChanged, this, [this](const QString &text) {
        m_filtered->setFilterFixedString(text);
        showEmpty();
    });
    connect(m_empty, &EmptyState::actionClicked, m_filter, &FilterEdit::clear);
    connect(connection, &ServerConnection::opened, this, &EventsPage::onOpened);
    connect(connection, &ServerConnection::statusChanged, this, &EventsPage::onStatus);
    connect(connection, &ServerConnection::feedsMade, this, [this] {
        if (m_connection->isOpen() && !m_connection->isRecorded())
            m_record->setServer(m_connection->url(), m_connection->profile().store);
    });
    connect(connection, &ServerConnection::momentShown, this, &EventsPage::onMoment);
    connection->follow(&Monitor::eventsArrived, this, &EventsPage::onEvents);
    connect(m_record, &RecordReader::read, this, &EventsPage::onActs);
    connect(m_record, &RecordReader::isCurrent, this, &EventsPage::selectWanted);
    connect(connection, &ServerConnection::restarted, this, [this](ServerTime at) {
        Event event;
        event.at = at;
        event.kind = Event::Kind::ServerStart;
        onEvents({event});
    });
    showEmpty();
}

QString EventsPage::help() const
{
    return tr(
        "What was not routine, newest first. Grants and releases that went as planned are not recorded.\n\n"
        "Taken over: a lease ran out and the next program took it. Lost: a holder found that its lease was no longer "
        "its own. Force-released: a person ended it; operator and reason are shown beside it. Release failed: a holder "
        "could not release, and the lease ended with its time.\n\n"
        "What people did from this machine is on record here too, on any server; what is in both records is one "
        "row.\n\n"
        "/ filters, Ctrl+E exports what is shown.");
}

void EventsPage::focusFilter()
{
    m_filter->take();
}

bool EventsPage::closeLast()
{
    if (m_filter->text().isEmpty())
        return false;
    m_filter->clear();
    m_view->setFocus();
    return true;
}

QByteArray EventsPage::exported(const QString &) const
{
    return toCsv(*m_filtered);
}

void EventsPage::onOpened()
{
    m_wanted.reset();
    m_model->clear();
    m_notice->clear();
    m_error->clear();
    showEmpty();
}

void EventsPage::onEvents(const QList<Event> &events)
{
    m_view->keepPlace();
    m_model->add(events);
    m_view->restorePlace();
    showEmpty();
}

void EventsPage::onActs(const QList<AuditLine> &acts, const QString &error)
{
    if (m_connection->isRecorded()) // the answer came late
        return;
    m_view->keepPlace();
    m_model->setActs(acts);
    m_view->restorePlace();
    if (error.isEmpty())
        m_notice->clear();
    else
        m_notice->show(MessageBar::Level::Warning, tr("What was done from this machine cannot be listed."), error);
    showEmpty();
}

/// What was there by then, and nothing of later.
void EventsPage::onMoment(const ReplayedMomentPtr &moment)
{
    m_view->keepPlace();
    m_model->clear();
    m_model->add(moment->events);
    m_model->setActs(moment->acts);
    m_view->restorePlace();
    showEmpty();
}

/// It was written just now, and may not have been read yet.
void EventsPage::select(const AuditEntry &act)
{
    m_wanted = act;
    m_record->ask();
}

void EventsPage::selectWanted()
{
    const int row = m_wanted ? m_model->rowOf(*m_wanted) : -1;
    m_wanted.reset();
    if (row < 0)
        return;
    const QModelIndex source = m_model->index(row, 0);
    if (!m_filtered->mapFromSource(source).isValid())
        m_filter->clear();
    m_view->chooseRow(m_filtered->mapFromSource(source).row());
    m_view->setFocus();
}

void EventsPage::onStatus()
{
    const MonitorStatus &status = m_connection->status();
    if (status.isWithoutTables())
        m_error->show(MessageBar::Level::Info,
                      CommonText::withoutTables(*status.error, tr("only this machine's own record is listed.")));
    else if (status.isFailing() && status.error)
        m_error->show(MessageBar::Level::Error, status.error->message, CommonText::serverWords(*status.error));
    else
        m_error->clear();
    m_view->setStale(status.isFailing());
    showEmpty();
}

void EventsPage::showEmpty()
{
    if (m_filtered->rowCount() > 0) {
        m_stack->setCurrentWidget(m_view);
        return;
    }
    if (m_model->rowCount() > 0)
        m_empty->setMessage(tr("No event matches"),
                            tr("Hidden by the filter: %1.").arg(CommonText::count(m_model->rowCount())), {},
                            tr("Clear filter"));
    else if (m_connection->isRecorded() && m_connection->status().isFailing())
        m_empty->tellFailure(false);
    else if (m_connection->isRecorded())
        m_empty->setMessage(
            tr("Nothing out of the ordinary"),
            tr("Until this moment of the recording nothing was taken over, lost or released by force."));
    else if (m_connection->isStore())
        m_empty->setMessage(tr("Nothing out of the ordinary"),
                            tr("What is released by force from this machine is recorded here, with time, operator and "
                               "reason."));
    else {
        m_empty->setMessage(
            tr("Nothing out of the ordinary"),
            tr("Takeovers of expired leases, losses and releases by force are recorded here, with time, "
               "operator and reason."));
        m_empty->offerStarts();
    }
    m_stack->setCurrentWidget(m_empty);
}

} // namespace lockscope::ui
