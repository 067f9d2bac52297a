// SPDX-License-Identifier: MIT
#include "lockinspector.h"

#include "console/auditfile.h"
#include "queuemodel.h"
#include "ui/pages/events/eventtablemodel.h"
#include "ui/pages/waits/waittext.h"
#include "ui/server/furtherservers.h"
#include "ui/server/serverconnection.h"
#include "ui/style/displaytimezone.h"
#include "ui/text/commontext.h"
#include "ui/text/tablelocktext.h"
#include "ui/widgets/elidedlabel.h"
#include "ui/widgets/livetableview.h"

#include <QtGui/QAction>
#include <QtWidgets/QGridLayout>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QVBoxLayout>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kQueueRows = 6;
constexpr int kEventRows = 5;
constexpr qsizetype kMaxRows = 10;

QString endWords(const LockRow &lock, ServerTime now)
{
    if (lock.key.kind == LockKind::User)
        return LockInspector::tr("when it is given back, or with its session");
    if (lock.key.kind == LockKind::Metadata)
        return LockInspector::tr("when it is given back, or with its transaction or session");
    if (lock.table)
        return TableLockText::left(lock, now);
    if (lock.isOfSession)
        return LockInspector::tr("when it is given back, or with its session");
    if (!traitsOf(lock.key.kind).hasEnd)
        return LockInspector::tr("with its transaction");
    const auto remaining = lock.remaining(now);
    if (!remaining)
        return LockInspector::tr("never");
    const bool hasUnknownTtl = lock.expiresAt && !lock.ttl; // an etcd tells what is left alone, and so do keys
    if (hasUnknownTtl && remaining->count() > 0)
        return LockInspector::tr("in %1").arg(CommonText::countdown(remaining));
    if (hasUnknownTtl)
        return CommonText::countdown(remaining);
    const QString ttl =
        lock.ttl ? LockInspector::tr("TTL %1").arg(CommonText::duration(lock.ttl)) : LockInspector::tr("no TTL");
    return (remaining->count() <= 0 ? LockInspector::tr("%1, %2") : LockInspector::tr("in %1, %2"))
        .arg(CommonText::countdown(remaining), ttl);
}

/// Of another program's key, which may have no token.
QByteArray guardOf(const LockRow &lock)
{
    return lock.keyLock ? lock.keyLock->holders.constFirst().guard() : QByteArray();
}

} // namespace

LockInspector::LockInspector(ServerConnection *connection, QAction *release, QWidget *parent)
    : Inspector(tr("Select a lock to see its owner, its queue and what happened to it."), parent)
    , m_connection(connection)
    , m_queue(new QueueModel(connection->clock(), this))
    , m_events(new EventTableModel(this))
{
    setupFacts();
    setupLists();
    addButtons({release});
    connection->follow(&Monitor::detailsUpdated, this, &LockInspector::onDetails);
    connection->follow(&TablesFeed::updated, this, [this](const TableLocksPtr &tables) {
        m_tables = tables;
        showRunning();
    });
    connect(connection->clock(), &LiveClock::ticked, this, &LockInspector::showRunning);
    connect(DisplayTimeZone::instance(), &DisplayTimeZone::changed, this, [this] {
        if (m_lock)
            showFacts();
    });
    setLock(std::nullopt);
}

void LockInspector::setupFacts()
{
    QGridLayout *held = addFacts();
    m_heldFacts = held->parentWidget();
    m_server = addFact(held, tr("Server"));
    m_token = addFact(held, tr("Token"));
    m_service = addFact(held, tr("Owner"));
    m_process = addFact(held, tr("Process"));
    m_session = addFact(held, tr("Session"));
    m_since = addFact(held, tr("Since"));
    m_ends = addFact(held, tr("Ends"));
    m_note = addFact(held, tr("Note"));

    QGridLayout *table = addFacts();
    m_tableFacts = table->parentWidget();
    m_program = addFact(table, tr("Program"));
    m_clock = addFact(table, tr("Clock"));
    m_reason = addFact(table, tr("Not known"));
    m_remark = addFact(table, tr("Remark"));
    m_noRelease = addFact(table, tr("Release"));
    m_values = addFact(table, tr("Row"));
    m_keyValues = addFact(table, tr("Value"));

    QGridLayout *server = addFacts();
    m_serverFacts = server->parentWidget();
    m_account = addFact(server, tr("Account"));
    m_statement = addFact(server, tr("Statement"));
    m_rows = addFact(server, tr("Rows"));

    QGridLayout *tried = addFacts();
    m_triedFacts = tried->parentWidget();
    m_recent = addFact(tried, tr("Last minute"));
    m_total = addFact(tried, tr("In all"));
    m_retries = addFact(tried, tr("Retries"));
    m_version = addFact(tried, tr("Version"));
    m_committed = addFact(tried, tr("Last commit"));
}

LiveTableView *LockInspector::addTable(QAbstractItemModel *model)
{
    auto *table = new LiveTableView(m_body);
    table->setModel(model);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    table->setFocusPolicy(Qt::NoFocus);
    m_sections->addWidget(table);
    return table;
}

void LockInspector::setupLists()
{
    m_queueTitle = addTitle();
    m_queueView = addTable(m_queue);
    m_queueView->setColumns({{u"00"_s, 0, 0, 0}, {u"worker on b2"_s, 1, 0, 24}, {u"9 min 59 s"_s, 0, 0, 0}});
    m_queueHint = addText();
    m_queueHint->setText(CommonText::whyWaitersUnknown());

    m_eventsTitle = addTitle();
    m_eventsView = addTable(m_events);
    m_eventsView->horizontalHeader()->hide();
    // Time, what, by whom; the rest is one lock's own or stands in the tooltip and on the events page.
    m_eventsView->setColumns({{u"00:00:00Z"_s, 0, 0, 0},
                              {u"Force-released"_s, 1, 0, 24},
                              {{}, 0, 9, 400},
                              {{}, 0, 9, 400},
                              {{}, 0, 9, 400},
                              {u"root@host"_s, 1, 1, 0},
                              {{}, 0, 9, 400},
                              {{}, 0, 9, 400},
                              {{}, 0, 9, 400}});

    m_sqlTitle = addTitle();
    m_sqlTitle->setText(tr("SQL that would release it"));
    m_sql = addSql(m_sqlTitle->text());
}

void LockInspector::setLock(const std::optional<LockRow> &lock)
{
    const bool isOther = !lock || !m_lock || lock->key != m_lock->key;
    const bool isOtherLease = isOther || lock->token != m_lock->token || guardOf(*lock) != guardOf(*m_lock) || m_isGone;
    m_lock = lock;
    m_isGone = false;
    m_queue->setClock(m_connection->clockOf(lock ? lock->key : LockKey()));
    setShown(lock.has_value());
    const LockTraits traits = traitsOf(lock ? lock->key.kind : LockKind::Lease);
    m_buttons.first()->setVisible(lock && (traits.isReleasable || lock->endsWith()));
    if (isOther) {
        m_queue->setRows({});
        m_events->clear();
        showHolder(std::nullopt); // until it is told who that is
        fitTables();
    }
    if (!lock) {
        m_name->setFullText(tr("No lock selected"));
        Q_EMIT lockChanged();
        return;
    }
    if (isOtherLease && traits.isReleasable && !lock->table && !lock->keyLock) {
        const ReleaseOrder order{lock->key, lock->token, AuditFile::operatorName(), {}};
        m_sql->setPlainText(QString::fromUtf8(m_connection->releaseStatement(order)));
    }
    m_sqlTitle->setText(m_connection->profileOf(lock->key).isStore() ? tr("What would release it")
                                                                     : tr("SQL that would release it"));
    m_heldFacts->setVisible(traits.hasHolder);
    m_tableFacts->setVisible(lock->table || lock->keyLock);
    m_serverFacts->setVisible(traits.isServers);
    m_triedFacts->setVisible(traits.hasAttempts);
    const bool hasSql = traits.isReleasable && CommonText::whyNotReleasable(*lock).isEmpty();
    m_sqlTitle->setVisible(hasSql);
    m_sql->setVisible(hasSql);
    m_name->setFullText(CommonText::lock(lock->key));
    showFacts();
    showRunning();
    if (isOtherLease)
        Q_EMIT lockChanged();
}

void LockInspector::setGone()
{
    const bool isNews = !m_isGone;
    m_isGone = true;
    m_queue->setRows({});
    m_sqlTitle->hide(); // there is nothing to release
    m_sql->hide();
    fitTables();
    showFacts();
    showRunning();
    if (isNews)
        Q_EMIT lockChanged();
}

void LockInspector::showFacts()
{
    const LockRow &lock = *m_lock;
    showMark();
    m_mark->setToolTip(CommonText::tip(CommonText::stateMeaning(lock)));
    if (lock.attempts)
        showAttempts(*lock.attempts);
    if (lock.table)
        showTable(*lock.table);
    if (lock.keyLock)
        showKey(lock);
    const bool isOneOfSeveral = !m_connection->further()->isEmpty();
    showFact(m_server, isOneOfSeveral ? breakable(m_connection->profileOf(lock.key).fullName()) : QString());
    setFact(m_token, lock.hasToken() ? CommonText::token(lock.token) : CommonText::none());
    m_service->setText(breakable(CommonText::who(lock.owner)));
    setFact(m_process, CommonText::process(lock.owner));
    const QString id = QString::fromLatin1(lock.owner.session);
    const QString alive = lock.connectionId ? tr("alive, connection %1").arg(*lock.connectionId) : tr("alive");
    const QString session = lock.sessionAlive || lock.connectionId ? alive : tr("gone");
    showFact(m_session, traitsOf(lock.key.kind).hasSession ? session : QString());
    m_session->setToolTip(CommonText::tip(tr("Session id %1").arg(id)));
    m_since->setText(lock.acquiredAt ? CommonText::moment(*lock.acquiredAt) : CommonText::none());
    m_since->setToolTip(CommonText::since(lock));
    m_note->setToolTip(CommonText::tip(CommonText::noteOf(lock)));
    setFact(m_note,
            lock.note.isEmpty() || lock.table || lock.keyLock ? CommonText::none()
                                                              : CommonText::shortened(CommonText::noteOf(lock), 200));
}

/// A prepared transaction has no session, and a row or key of another program tells of none.
void LockInspector::setFact(QLabel *value, const QString &text)
{
    const bool hasNone =
        m_lock && (m_lock->table || m_lock->keyLock || (traitsOf(m_lock->key.kind).isServers && !m_lock->connectionId));
    showFact(value, hasNone && text == CommonText::none() ? QString() : text);
}

void LockInspector::showAttempts(const Attempts &attempts)
{
    const auto text = [](const AttemptCounts &counts) {
        return counts.attempts() == 0
            ? tr("no attempts")
            : tr("%1 conflicts: %2").arg(CommonText::percent(counts.conflictRate()), CommonText::counts(counts));
    };
    m_recent->setText(attempts.recent ? text(*attempts.recent) : tr("not watched for long enough"));
    m_total->setText(text(attempts.total));
    m_total->setToolTip(CommonText::tip(
        tr("Counted since %1, last at %2")
            .arg(CommonText::exactMoment(attempts.since), CommonText::exactMoment(attempts.countedAt))));
    m_retries->setText(CommonText::count(qint64(attempts.retries)));
    m_version->setText(attempts.version ? CommonText::token(*attempts.version) : tr("in the application's own table"));
    m_committed->setText(attempts.committedAt ? CommonText::moment(*attempts.committedAt) : CommonText::none());
    m_committed->setToolTip(CommonText::exactMoment(attempts.committedAt));
}

/// With a place for the lock's name.
QString LockInspector::goneWords() const
{
    if (!traitsOf(m_lock->key.kind).hasHolder)
        return tr("Nobody has tried to commit %1 for ten minutes. Below is how it was.");
    const bool isReadNow = m_connection->isRecorded() || !m_lock->table || !m_tables
        || m_tables->read.contains(m_lock->table->table.place());
    return isReadNow ? tr("%1 is free now. Below is how it was when last seen held.")
                     : tr("The table of %1 is gone, or cannot be seen any more: whether it is free is not known. Below "
                          "is how it was when last seen held.");
}

/// What runs with the clock.
void LockInspector::showRunning()
{
    if (!m_lock || !isVisible())
        return;
    const ServerTime now = m_connection->clockOf(m_lock->key)->now();
    if (m_isGone) {
        m_summary->setText(goneWords().arg(CommonText::shortened(CommonText::lock(m_lock->key))));
        m_ends->setText(CommonText::none());
        return;
    }
    m_summary->setText(breakable(CommonText::summary(*m_lock, now)));
    m_ends->setText(endWords(*m_lock, now));
    m_ends->setToolTip(CommonText::exactMoment(m_lock->expiresAt));
    m_queueView->viewport()->update();
}

void LockInspector::onDetails(const LockDetails &details)
{
    if (!m_lock || details.key != m_lock->key)
        return;
    if (details.lock) {
        setLock(details.lock);
        showHolder(details.holder, details.rows);
    } else {
        setGone();
    }
    m_queue->setRows(details.queue);
    m_events->setEvents(details.events);
    fitTables();
}

void LockInspector::showHolder(const std::optional<ServerSession> &holder, const RowLocks &rows)
{
    setFact(m_account, holder ? WaitText::account(*holder) : CommonText::none());
    const QString statement = holder ? WaitText::statement(*holder) : CommonText::none();
    setFact(m_statement, CommonText::shortened(statement, 200));
    m_statement->setToolTip(CommonText::tip(statement));
    QStringList lines{holder ? WaitText::rows(*holder) : CommonText::none()};
    const QStringList locks = WaitText::rowLocks(rows);
    lines += locks.mid(0, kMaxRows);
    if (locks.size() > kMaxRows)
        lines += tr("… and %n more", nullptr, int(locks.size() - kMaxRows));
    setFact(m_rows, lines.join(u'\n'));
    m_rows->setToolTip(CommonText::tip(locks.join(u'\n')));
}

void LockInspector::showMark()
{
    if (m_lock)
        setMark(m_isGone ? Mark::Released : markOf(m_lock->state));
}

/// A store tells of no events, nor does the list of a further server.
bool LockInspector::isRecorded(const LockKey &key) const
{
    return key.server == 0 && !m_connection->isStore();
}

bool LockInspector::hasQueue() const
{
    return m_queue->rowCount() > 0;
}

/// Tables here are as high as their rows, up to a few; the rest scrolls.
void LockInspector::fitTables()
{
    const auto fit = [](LiveTableView *view, int most) {
        const int rows = qMin(view->model()->rowCount(), most);
        const int head = view->horizontalHeader()->isHidden() ? 0 : view->horizontalHeader()->sizeHint().height();
        view->setFixedHeight(head + rows * view->verticalHeader()->defaultSectionSize() + 2);
        view->setVisible(rows > 0);
    };
    fit(m_queueView, kQueueRows);
    fit(m_eventsView, kEventRows);
    const int read = m_queue->rowCount();
    const int waiting = read == 0 && m_lock ? m_lock->waiters.value_or(0) : read; // not read yet, or nobody answers
    const LockTraits traits = traitsOf(m_lock ? m_lock->key.kind : LockKind::Lease);
    const bool isUnknown = m_lock && traits.hasQueue && !m_lock->waiters;
    const QString nobody = isUnknown ? tr("Who waits is unknown") : tr("Nobody waits");
    const bool isUntold = isUnknown && m_lock->keyLock; // its program keeps none
    m_queueTitle->setVisible(traits.hasQueue && !isUntold);
    m_queueTitle->setText(waiting == 0 ? nobody : tr("Queue (%1)").arg(CommonText::count(waiting)));
    m_queueHint->setVisible(isUnknown && !isUntold);
    m_eventsTitle->setVisible(traits.hasToken && (!m_lock || isRecorded(m_lock->key)));
    m_eventsTitle->setText(m_events->rowCount() == 0 ? tr("No events on record") : tr("Recent events"));
}

} // namespace lockscope::ui
