// SPDX-License-Identifier: MIT
#include "lockcopies.h"

#include "locks/lockjson.h"
#include "locktablemodel.h"
#include "ui/server/serverconnection.h"
#include "ui/style/paletteicon.h"
#include "ui/text/csv.h"
#include "ui/widgets/livetableview.h"

#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QMenu>

#include <algorithm>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kMostActs = 200;
constexpr qsizetype kLooksBefore = 5;

} // namespace

LockCopies::LockCopies(ServerConnection *connection, LockTableModel *model, LiveTableView *view, QWidget *parent)
    : QObject(parent)
    , m_connection(connection)
    , m_model(model)
    , m_view(view)
    , m_name(new QAction(svgIcon(u"copy"_s), tr("&Copy name"), this))
    , m_as(new QAction(tr("Copy &as"), this))
    , m_menu(std::make_unique<QMenu>())
    , m_incident(new QAction(tr("Copy &incident report"), this))
{
    m_name->setShortcut(QKeySequence::Copy);
    m_name->setShortcutContext(Qt::WidgetShortcut);
    m_name->setToolTip(tr("Copy the resource's name (%1)").arg(m_name->shortcut().toString(QKeySequence::NativeText)));
    m_incident->setToolTip(tr("What is blocked, by whom, since when, and what was done: Markdown for a ticket"));
    m_as->setMenu(m_menu.get());
    m_menu->addAction(tr("&Text"), this, [this] { copy(toText(*m_model, rows())); });
    m_menu->addAction(tr("&CSV"), this, [this] { copy(QString::fromUtf8(toCsv(*m_model, rows()))); });
    m_menu->addAction(tr("&JSON"), this,
                      [this] { copy(QString::fromUtf8(toJson(*m_model, rows(), m_connection->clock()->now()))); });
    connect(m_incident, &QAction::triggered, this, [this] { copy(incident()); });
    connect(connection, &ServerConnection::opened, this, &LockCopies::forget);
    connect(connection, &ServerConnection::released, this, &LockCopies::onReleased);
    connect(connection, &ServerConnection::killed, this, &LockCopies::onKilled);
    connection->follow(&WaitsFeed::updated, this, [this](const ServerWaitsPtr &waits) { onWaits(waits); });
    connection->follow(&Monitor::detailsUpdated, this, [this](const LockDetails &details) {
        m_details = details;
        update();
    });
    connect(view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &LockCopies::update);
    update();
}

LockCopies::~LockCopies() = default;

void LockCopies::update()
{
    const bool hasRows = m_view->selectionModel()->hasSelection();
    m_as->setEnabled(hasRows);
    m_incident->setEnabled(m_details.has_value());
}

QList<int> LockCopies::rows() const
{
    QList<int> rows;
    for (const QModelIndex &index : m_view->selectionModel()->selectedRows())
        rows.append(index.row());
    std::sort(rows.begin(), rows.end());
    return rows;
}

QByteArray LockCopies::toJson(const LockTableModel &model, const QList<int> &rows, ServerTime now)
{
    QJsonArray array;
    for (const int row : rows) {
        if (const LockItem *item = model.itemAt(row); item && !item->vanishedAt)
            array.append(lockscope::toJson(*item->row, now));
    }
    return QJsonDocument(array).toJson();
}

void LockCopies::copy(const QString &text)
{
    if (!text.isEmpty())
        QGuiApplication::clipboard()->setText(text);
}

QString LockCopies::incident() const
{
    if (!m_details)
        return {};
    IncidentFacts facts;
    facts.server = m_connection->profile().fullName() + u", "_s + m_connection->status().server.version;
    facts.at = m_connection->clock()->now();
    facts.details = *m_details;
    facts.waits = m_waits;
    facts.acts = m_acts;
    return IncidentReport::of(facts);
}

void LockCopies::onWaits(const ServerWaitsPtr &waits)
{
    m_waits = waits;
    m_before.append(waits);
    if (m_before.size() > kLooksBefore)
        m_before.removeFirst();
}

void LockCopies::onReleased(const ReleaseOrder &order, const ReleaseReport &report)
{
    note(IncidentReport::released(order, report, m_connection->clock()->now()));
}

/// Those who waited are gone from the last look by the time that the answer is there.
void LockCopies::onKilled(const KillOrder &order, const KillReport &report)
{
    int freed = 0;
    for (const ServerWaitsPtr &waits : std::as_const(m_before))
        freed = std::max(freed, IncidentReport::freedBy(*waits, order.target.session));
    note(IncidentReport::killed(order, report, freed, m_connection->clock()->now()));
}

void LockCopies::note(const IncidentAct &act)
{
    m_acts.append(act);
    if (m_acts.size() > kMostActs)
        m_acts.removeFirst();
}

void LockCopies::forget()
{
    m_details.reset();
    m_waits.reset();
    m_before.clear();
    m_acts.clear();
    update();
}

} // namespace lockscope::ui
