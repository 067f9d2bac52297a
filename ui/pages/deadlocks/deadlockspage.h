// SPDX-License-Identifier: MIT
#pragma once

#include "deadlocks/deadlockinbox.h"
#include "ui/pages/page.h"
#include "ui/server/liveclock.h"
#include "waits/capabilities.h"
#include "waits/serverwaits.h"

class QSortFilterProxyModel;
class QStackedLayout;

namespace lockscope::ui {

class DeadlockInspector;
class DeadlockListModel;
class DeadlockView;
class EmptyState;
class FilterEdit;
class LiveTableView;
class MutedLabel;

/// Every deadlock that was seen of the server, one row for each shape, with its picture and what is known of it. Of a
/// recording, those that had been seen by the moment that is shown.
class DeadlocksPage : public Page
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive the page.
    explicit DeadlocksPage(ServerConnection *connection, QWidget *parent = nullptr);

    QString help() const override;
    void focusFilter() override;
    bool closeLast() override;
    QStringList exportFormats() const override;
    QByteArray exported(const QString &format) const override;
    std::optional<PagePoll> poll() const override;

    QAction *copyAction() const { return m_copy; }
    QAction *inspectorAction() const { return m_showInspector; }
    DeadlockListModel *model() const { return m_model; }
    LiveTableView *view() const { return m_list; }
    DeadlockView *picture() const { return m_picture; }
    DeadlockInspector *inspector() const { return m_inspector; }
    /// What is not in the list, in words.
    QString missing() const;
    /// Selects those of this shape, as soon as they are there; clears the filter when it hides them.
    void select(const QByteArray &shape);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void setupActions();
    void setupList();
    void setupLayout();
    void onOpened();
    void onStatus();
    void onWaits(const ServerWaitsPtr &waits, const Capabilities &capabilities);
    void onFailed(const LockError &error);
    void onInbox(const DeadlockInboxPtr &inbox);
    void onRefused(const LockError &error);
    void selectWanted();
    void showChosen();
    void showEmpty();
    void showBadge();
    void setFailing(bool isFailing);

    LiveClock m_clock;
    DeadlockListModel *m_model;
    QSortFilterProxyModel *m_filtered;
    // Made in the order in which Tab visits them.
    FilterEdit *m_filter;
    LiveTableView *m_list;
    DeadlockView *m_picture;
    EmptyState *m_empty;
    QStackedLayout *m_stack;
    MutedLabel *m_missing;
    QAction *m_copy;
    QAction *m_showInspector;
    DeadlockInspector *m_inspector;

    DeadlockInboxPtr m_inbox; ///< the last one; null: not read yet
    std::optional<LockError> m_refusal;
    QString m_account; ///< as GRANT takes it; empty: not known
    std::chrono::microseconds m_cost{};
    quint64 m_noticed = 0; ///< of those that arrived, how many had arrived when somebody looked
    QByteArray m_wanted;   ///< the shape that is to be selected; empty: none
    bool m_isFailing = false;
};

} // namespace lockscope::ui
