// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

#include "feeds/monitor.h"

class QSortFilterProxyModel;
class QStackedLayout;

namespace lockscope::ui {

class EmptyState;
class EventTableModel;
class FilterEdit;
class LiveTableView;

/// What was not routine: takeovers, losses, releases by force, with time, operator and reason.
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

private:
    void onOpened();
    void onEvents(const QList<Event> &events);
    void onStatus();
    void showEmpty();

    EventTableModel *m_model;
    QSortFilterProxyModel *m_filtered;
    // Made in the order in which Tab visits them.
    FilterEdit *m_filter;
    LiveTableView *m_view;
    EmptyState *m_empty;
    QStackedLayout *m_stack;
};

} // namespace lockscope::ui
