// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

#include "console/auditlog.h"
#include "feeds/monitor.h"
#include "feeds/replayfeed.h"

class QSortFilterProxyModel;
class QStackedLayout;

namespace lockscope::ui {

class EmptyState;
class EventTableModel;
class FilterEdit;
class LiveTableView;
class RecordReader;

/// What was not routine: takeovers, losses, releases by force, with time, operator and reason; by the server's record
/// and by that of this machine.
class EventsPage : public Page
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive the page.
    explicit EventsPage(ServerConnection *connection, QWidget *parent = nullptr);

    QString help() const override;
    void focusFilter() override;
    bool closeLast() override;
    QByteArray exported(const QString &format) const override;

    EventTableModel *model() const { return m_model; }
    LiveTableView *view() const { return m_view; }
    /// Selects the newest row that tells of it, as soon as it is there; clears the filter when it hides it.
    void select(const AuditEntry &act);

private:
    void onOpened();
    void onMoment(const ReplayedMomentPtr &moment);
    void onEvents(const QList<Event> &events);
    void onActs(const QList<AuditLine> &acts, const QString &error);
    void onStatus();
    void selectWanted();
    void showEmpty();

    EventTableModel *m_model;
    QSortFilterProxyModel *m_filtered;
    // Made in the order in which Tab visits them.
    FilterEdit *m_filter;
    LiveTableView *m_view;
    EmptyState *m_empty;
    QStackedLayout *m_stack;
    RecordReader *m_record;
    std::optional<AuditEntry> m_wanted; ///< to be selected
};

} // namespace lockscope::ui
