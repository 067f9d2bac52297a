// SPDX-License-Identifier: MIT
#pragma once

#include "incidentreport.h"
#include "lockextract.h"
#include "ui/server/backgroundcalls.h"

class QAction;
class QMenu;

namespace lockscope::ui {

class LiveTableView;
class LockTableModel;
class ServerConnection;

/// What can be copied of the list: the names, rows as text, CSV or JSON, and the selected lock as an incident. The text
/// of very many rows is made in another thread, and is there a moment later.
class LockCopies : public QObject
{
    Q_OBJECT
public:
    /// None of these is owned, and all must outlive it.
    LockCopies(ServerConnection *connection, LockTableModel *model, LiveTableView *view, QWidget *parent);
    ~LockCopies() override;

    QAction *nameAction() const { return m_name; }
    /// All of them, for a menu.
    QList<QAction *> actions() const { return {m_name, m_as, m_incident}; }
    /// Of the selected rows; of one, or none, that in the inspector, which may have left the list.
    void copyNames(const std::optional<LockRow> &inspected);

    /// Without a selected row the incident is that of the lock whose details came last.
    QString incident() const;

private:
    void copySelected(LockExtract::Format format);
    /// Some rows of a list.
    void copy(const QList<LockItem> &items, const QList<int> &rows, LockExtract::Format format);
    void copy(const QString &text);
    void onReleased(const ReleaseOrder &order, const ReleaseReport &report);
    std::optional<LockKey> keyOf(const TableLock &lock) const;
    void onWaits(const ServerWaitsPtr &waits);
    void onKilled(const KillOrder &order, const KillReport &report);
    void note(const IncidentAct &act);
    void forget();
    void update();

    ServerConnection *m_connection;
    LockTableModel *m_model;
    LiveTableView *m_view;
    QAction *m_name;
    QAction *m_as;
    std::unique_ptr<QMenu> m_menu;
    QAction *m_incident;
    std::optional<LockDetails> m_details;
    ServerWaitsPtr m_waits;
    QList<ServerWaitsPtr> m_before; ///< the last few, to tell whom an act freed
    QList<IncidentAct> m_acts;
    int m_copies = 0; ///< that were asked for
    BackgroundCalls m_calls;
};

} // namespace lockscope::ui
