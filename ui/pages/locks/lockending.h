// SPDX-License-Identifier: MIT
#pragma once

#include "locks/snapshot.h"

#include <QtCore/QObject>

class QAction;

namespace lockscope::ui {

class LiveTableView;
class LockInspector;
class LockTableModel;
class ServerConnection;

/// How what is chosen in the list of locks ends: one action, which says what it does to that, or why it does nothing.
class LockEnding : public QObject
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive it.
    LockEnding(ServerConnection *connection, QObject *parent);

    /// Where locks are chosen; once, before anything else.
    void setList(const LockTableModel *model, const LiveTableView *view, const LockInspector *inspector);
    QAction *action() const { return m_action; }
    /// Others are chosen, or the server answers in another way.
    void update();

Q_SIGNALS:
    void releaseRequested(const lockscope::LockRow &lock);
    /// Of a lock in another program's table.
    void tableReleaseRequested(const lockscope::TableLock &lock);
    /// Of a lock in another program's key or node.
    void keyReleaseRequested(const lockscope::LockRow &lock);
    /// Of locks of the server's own, which end with their sessions.
    void killRequested(const QList<quint64> &sessions);
    /// Of those of a prepared transaction that no session has.
    void preparedRequested(quint64 number);

private:
    /// Those that are selected, in their order; without any that is, the one that the inspector shows.
    QList<SharedLockRow> chosen() const;
    bool isAnswering(const LockKey &key) const;
    static std::optional<quint64> sessionOf(const LockRow &lock);
    static QString whyNot(const LockRow &lock);
    void requestEnd();
    QString whyReadOnly() const;
    QString whyNoAnswer(const LockKey &key) const;
    void updateForSeveral(const QList<int> &rows);

    ServerConnection *m_connection;
    QAction *m_action;
    const LockTableModel *m_model = nullptr;
    const LiveTableView *m_view = nullptr;
    const LockInspector *m_inspector = nullptr;
};

} // namespace lockscope::ui
