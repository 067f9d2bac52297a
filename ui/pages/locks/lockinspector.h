// SPDX-License-Identifier: MIT
#pragma once

#include "feeds/monitor.h"
#include "feeds/tablesfeed.h"
#include "ui/widgets/inspectorparts.h"

class QAbstractItemModel;

namespace lockscope::ui {

class EventTableModel;
class LiveTableView;
class QueueModel;
class ServerConnection;

/// One lock in full: a sentence that says how it stands, its owner, its queue, what happened to it, and the SQL that
/// would release it, as far as locks of its kind have these. Stays with its lock when that vanishes, and says so.
class LockInspector : public Inspector
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive the inspector. `release` is the page's action, shown as the button.
    LockInspector(ServerConnection *connection, QAction *release, QWidget *parent = nullptr);

    /// Shows this lock; none = nothing is selected.
    void setLock(const std::optional<LockRow> &lock);
    /// The lock is free now.
    void setGone();
    const std::optional<LockRow> &lock() const { return m_lock; }
    /// The lock shown is not held any more.
    bool isGone() const { return m_isGone; }
    /// The queue on screen has somebody in it.
    bool hasQueue() const;

Q_SIGNALS:
    /// Another lock, other hands, or free.
    void lockChanged();

private:
    void setupFacts();
    void setupLists();
    LiveTableView *addTable(QAbstractItemModel *model);
    void showMark() override;
    void showAttempts(const Attempts &attempts);
    void showTable(const TableLock &lock);
    void showKey(const LockRow &lock);
    void setSql(const QByteArray &sql);
    void onDetails(const LockDetails &details);
    void showFacts();
    void setFact(QLabel *value, const QString &text);
    void showHolder(const std::optional<ServerSession> &holder, const RowLocks &rows = {});
    QString goneWords() const;
    bool isRecorded(const LockKey &key) const;
    void showRunning();
    void fitTables();

    ServerConnection *m_connection;
    std::optional<LockRow> m_lock;
    bool m_isGone = false;
    TableLocksPtr m_tables; ///< as read last; null: not yet

    QWidget *m_triedFacts = nullptr; ///< of what has attempts
    QLabel *m_version = nullptr;
    QLabel *m_committed = nullptr;
    QLabel *m_recent = nullptr;
    QLabel *m_total = nullptr;
    QLabel *m_retries = nullptr;
    QWidget *m_heldFacts = nullptr; ///< of what has a holder
    QLabel *m_server = nullptr;     ///< of a list of several
    QLabel *m_token = nullptr;
    QLabel *m_service = nullptr;
    QLabel *m_process = nullptr;
    QLabel *m_session = nullptr;
    QLabel *m_since = nullptr;
    QLabel *m_ends = nullptr;
    QLabel *m_note = nullptr;
    QWidget *m_tableFacts = nullptr; ///< of another program's table or key
    QLabel *m_program = nullptr;
    QLabel *m_clock = nullptr;
    QLabel *m_reason = nullptr;
    QLabel *m_remark = nullptr;
    QLabel *m_noRelease = nullptr; ///< why there is none
    QLabel *m_values = nullptr;
    QLabel *m_keyValues = nullptr;
    QWidget *m_serverFacts = nullptr;
    QLabel *m_account = nullptr;
    QLabel *m_statement = nullptr;
    QLabel *m_rows = nullptr;
    QLabel *m_queueTitle = nullptr;
    QueueModel *m_queue;
    LiveTableView *m_queueView = nullptr;
    QLabel *m_queueHint = nullptr;
    QLabel *m_eventsTitle = nullptr;
    EventTableModel *m_events;
    LiveTableView *m_eventsView = nullptr;
    QLabel *m_sqlTitle = nullptr;
    QPlainTextEdit *m_sql = nullptr;
};

} // namespace lockscope::ui
