// SPDX-License-Identifier: MIT
#include "lockending.h"

#include "lockinspector.h"
#include "lockspagetext.h"
#include "locktablemodel.h"
#include "ui/server/serverconnection.h"
#include "ui/style/paletteicon.h"
#include "ui/text/commontext.h"
#include "ui/widgets/livetableview.h"

#include <QtGui/QAction>

namespace lockscope::ui {

using namespace Qt::StringLiterals;

LockEnding::LockEnding(ServerConnection *connection, QObject *parent)
    : QObject(parent)
    , m_connection(connection)
    , m_action(new QAction(svgIcon(u"release"_s), tr("&Release lock…"), this))
{
    m_action->setShortcut(Qt::Key_Delete);
    m_action->setShortcutContext(Qt::WidgetShortcut);
    connect(m_action, &QAction::triggered, this, &LockEnding::requestEnd);
    connect(connection, &ServerConnection::modeChanged, this, &LockEnding::update);
}

void LockEnding::setList(const LockTableModel *model, const LiveTableView *view, const LockInspector *inspector)
{
    m_model = model;
    m_view = view;
    m_inspector = inspector;
    connect(inspector, &LockInspector::lockChanged, this, &LockEnding::update);
    update();
}

bool LockEnding::isAnswering(const LockKey &key) const
{
    const MonitorStatus &status = m_connection->statusOf(key);
    return status.phase == MonitorStatus::Phase::Live || status.isWithoutTables();
}

/// Sessions are ended where the window looks, and nowhere else: a number means another one on each server.
std::optional<quint64> LockEnding::sessionOf(const LockRow &lock)
{
    return lock.key.server == 0 ? lock.endsWith() : std::nullopt;
}

QString LockEnding::whyNot(const LockRow &lock)
{
    if (lock.key.server != 0 && !traitsOf(lock.key.kind).isReleasable && lock.endsWith())
        return tr("It ends with its session. Open its server in a window to end that.");
    return CommonText::whyNotReleasable(lock);
}

QList<SharedLockRow> LockEnding::chosen() const
{
    QList<SharedLockRow> locks;
    for (const int row : m_view->selectedRowNumbers()) {
        if (const LockItem *item = m_model->itemAt(row))
            locks += item->row;
    }
    if (locks.size() <= 1 && m_inspector->lock())
        return {*m_inspector->lock()}; // which knows it as it was last read
    return locks;
}

/// Leases and rows of tables end by a release, others with their session or their prepared transaction.
void LockEnding::requestEnd()
{
    QList<quint64> sessions;
    const QList<SharedLockRow> locks = chosen();
    if (locks.size() == 1 && isPreparedNumber(locks.first()->key.session)) {
        Q_EMIT preparedRequested(locks.first()->key.session);
        return;
    }
    if (locks.size() == 1 && locks.first()->table) {
        Q_EMIT tableReleaseRequested(*locks.first()->table);
        return;
    }
    if (locks.size() == 1 && locks.first()->keyLock) {
        Q_EMIT keyReleaseRequested(locks.first());
        return;
    }
    for (const LockRow &lock : locks) {
        const auto session = sessionOf(lock);
        if (!session) {
            Q_EMIT releaseRequested(lock);
            return;
        }
        if (!sessions.contains(*session))
            sessions += *session;
    }
    if (!sessions.isEmpty())
        Q_EMIT killRequested(sessions);
}

QString LockEnding::whyReadOnly() const
{
    return m_connection->isRecorded() ? tr("This is a recording: nothing can be released in it.")
                                      : tr("This server is open read-only. Start operator mode to release a lock.");
}

QString LockEnding::whyNoAnswer(const LockKey &key) const
{
    return tr("%1 does not answer.").arg(m_connection->profileOf(key).fullName());
}

void LockEnding::updateForSeveral(const QList<int> &rows)
{
    QSet<quint64> sessions;
    bool isEndable = true;
    for (qsizetype i = 0; i < rows.size() && isEndable; ++i) { // there may be very many
        const LockItem *item = m_model->itemAt(rows[i]);
        const std::optional<quint64> session = item ? sessionOf(item->row) : std::nullopt;
        isEndable = session.has_value();
        sessions.insert(session.value_or(0));
    }
    const bool isAnswering = this->isAnswering({});
    const int count = int(sessions.size());
    m_action->setText(isEndable ? tr("&End %n session(s)…", nullptr, count) : tr("&Release lock…"));
    m_action->setIconText(isEndable ? tr("End %n session(s)…", nullptr, count) : tr("Release lock…"));
    m_action->setEnabled(isEndable && m_connection->isOperator() && isAnswering);
    if (!isEndable)
        m_action->setToolTip(tr("Leases are released here one by one. lockctl release --prefix releases several."));
    else if (!m_connection->isOperator())
        m_action->setToolTip(whyReadOnly());
    else
        m_action->setToolTip(isAnswering ? tr("End the sessions that hold them (Del)") : whyNoAnswer({}));
}

void LockEnding::update()
{
    if (const QList<int> rows = m_view->selectedRowNumbers(); rows.size() > 1) {
        updateForSeveral(rows);
        return;
    }
    const bool hasLock = m_inspector->lock() && !m_inspector->isGone();
    const LockKey key = hasLock ? m_inspector->lock()->key : LockKey();
    const QString whyNot = hasLock ? this->whyNot(*m_inspector->lock()) : QString();
    const bool endsSession = hasLock && sessionOf(*m_inspector->lock());
    const bool isPrepared = hasLock && isPreparedNumber(m_inspector->lock()->key.session);
    const bool isAnswering = this->isAnswering(key);
    const bool mayAct = m_connection->isOperatorOf(key);
    m_action->setText(endsSession ? tr("&End session…") : isPrepared ? tr("&End transaction…") : tr("&Release lock…"));
    m_action->setIconText(hasLock ? LocksPageText::end(*m_inspector->lock(), m_view->fontMetrics())
                                  : tr("Release lock…"));
    m_action->setEnabled(hasLock && whyNot.isEmpty() && mayAct && isAnswering);
    if (!whyNot.isEmpty() && !m_connection->isRecorded())
        m_action->setToolTip(whyNot);
    else if (!mayAct)
        m_action->setToolTip(whyReadOnly());
    else if (!isAnswering)
        m_action->setToolTip(whyNoAnswer(key));
    else if (endsSession)
        m_action->setToolTip(tr("End the session that holds it (Del)"));
    else if (isPrepared)
        m_action->setToolTip(tr("End the prepared transaction that holds it (Del)"));
    else if (hasLock && (m_inspector->lock()->table || m_inspector->lock()->keyLock))
        m_action->setToolTip(tr("Free it as its program would (Del)"));
    else
        m_action->setToolTip(hasLock ? tr("End this lease (Del)") : tr("Select a lock to release it."));
}

} // namespace lockscope::ui
