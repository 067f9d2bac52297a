// SPDX-License-Identifier: MIT
#include "lockcopies.h"

#include "locktablemodel.h"
#include "ui/server/serverconnection.h"
#include "ui/style/paletteicon.h"
#include "ui/widgets/livetableview.h"

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
/// These are copied before the next key is pressed; more would hold up the window.
constexpr qsizetype kFewRows = 500;

QList<LockItem> pick(const QList<LockItem> &items, const QList<int> &rows)
{
    QList<LockItem> picked;
    picked.reserve(rows.size());
    for (const int row : rows) {
        if (row < items.size())
            picked.append(items[row]);
    }
    return picked;
}

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
    m_menu->addAction(tr("&Text"), this, [this] { copySelected(LockExtract::Format::Text); });
    m_menu->addAction(tr("&CSV"), this, [this] { copySelected(LockExtract::Format::Csv); });
    m_menu->addAction(tr("&JSON"), this, [this] { copySelected(LockExtract::Format::Json); });
    connect(m_incident, &QAction::triggered, this, [this] { copy(incident()); });
    connect(connection, &ServerConnection::opened, this, &LockCopies::forget);
    connect(connection, &ServerConnection::released, this, &LockCopies::onReleased);
    connect(connection, &ServerConnection::tableReleased, this,
            [this](const TableReleaseOrder &order, const TableReleaseReport &report) {
                note(IncidentReport::released(order, report, keyOf(order.lock), m_connection->clock()->now()));
            });
    connect(connection, &ServerConnection::keyReleased, this,
            [this](const KeyReleaseOrder &order, const KeyReleaseReport &report) {
                note(IncidentReport::released(order, report, m_connection->clockOf(order.key)->now()));
            });
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
    m_name->setEnabled(hasRows);
    m_as->setEnabled(hasRows);
    m_incident->setEnabled(hasRows && m_details);
}

void LockCopies::copyNames(const std::optional<LockRow> &inspected)
{
    const QList<int> rows = m_view->selectedRowNumbers();
    if (rows.size() <= 1 && inspected)
        copy({{*inspected, {}, {}}}, {0}, LockExtract::Format::Names);
    else
        copy(m_model->items(), rows, LockExtract::Format::Names);
}

void LockCopies::copySelected(LockExtract::Format format)
{
    copy(m_model->items(), m_view->selectedRowNumbers(), format);
}

/// The last one that was asked for is what is in the clipboard at the end. Rows are picked where their text is made:
/// those of a long list lie all over the memory.
void LockCopies::copy(const QList<LockItem> &items, const QList<int> &rows, LockExtract::Format format)
{
    const auto work = [items, rows, format, headers = m_model->titles(), times = m_model->times(),
                       servers = m_model->serverNames()] {
        return QString::fromUtf8(LockExtract{pick(items, rows), headers, times, servers}.as(format));
    };
    const int number = ++m_copies;
    if (rows.size() <= kFewRows)
        return copy(work());
    m_calls.run(work, this, [this, number](const QString &text) {
        if (number == m_copies)
            copy(text);
    });
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
    const LockKey &key = m_details->key;
    const ServerProfile &server = m_connection->profileOf(key);
    const QString version = server.isStore() ? server.storeTitle() : m_connection->statusOf(key).server.version;
    facts.server = QStringList{server.fullName(), version}.join(u", "_s);
    facts.at = m_connection->clockOf(key)->now();
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
    note(IncidentReport::released(order, report, m_connection->clockOf(order.key)->now()));
}

/// Several rows may have its name: the one of the list that is as this one was shown. None: it is not there, or there
/// are several.
std::optional<LockKey> LockCopies::keyOf(const TableLock &lock) const
{
    std::optional<LockKey> key;
    for (const LockItem &item : m_model->items()) {
        const auto &row = item.row->table;
        if (!row || row->values != lock.values || row->table.place() != lock.table.place()
            || row->table.columns != lock.table.columns)
            continue;
        if (key)
            return std::nullopt;
        key = item.row->key;
    }
    return key;
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
