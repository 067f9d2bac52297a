// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

#include "feeds/monitor.h"

class QStackedLayout;

namespace lockscope::ui {

class EmptyState;
class FacetBar;
class FilterEdit;
class LiveTableView;
class LockCopies;
class LockEnding;
class LockGroupList;
class LockInspector;
class LockTableModel;
class SavedViews;
class ServerBar;

/// Every lock that is not free, live: filter, list, inspector.
class LocksPage : public Page
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive the page.
    explicit LocksPage(ServerConnection *connection, QWidget *parent = nullptr);

    QString help() const override;
    void focusFilter() override;
    bool closeLast() override;
    QStringList exportFormats() const override { return {QStringLiteral("csv"), QStringLiteral("json")}; }
    QByteArray exported(const QString &format) const override;
    FilesMaker exportedFiles(const QString &format, const QString &baseName) const override;

    /// Where ends of locks are asked for.
    LockEnding *ending() const { return m_ending; }
    QAction *releaseAction() const;
    QAction *inspectorAction() const { return m_showInspector; }
    /// Lists keys too of which only the name says that they are locks.
    QAction *guessesAction() const { return m_guesses; }
    QAction *copyAction() const;
    /// It and the others that copy.
    QList<QAction *> copyActions() const;
    LockCopies *copies() const { return m_copies; }
    /// Widgets whose keys belong to the list: Space, Enter, Del.
    QWidget *listWidget() const;
    LockTableModel *model() const { return m_model; }
    LockInspector *inspector() const { return m_inspector; }
    LiveTableView *view() const { return m_view; }
    /// Clears the filter and the facets when they hide it.
    void select(const LockKey &key);
    /// What is wrong with which lock: marked in the list and counted by the badge.
    void setAlarms(const QHash<LockKey, QString> &alarms);
    void setReducedMotion(bool reduced);

Q_SIGNALS:
    /// Another server is to join the list: which, a person is to be asked.
    void serverWanted();
    /// Of a further server, by its number.
    void passwordWanted(int number);

private:
    void setupServers();
    void onServers();
    void onFeedsMade();
    /// Of the servers that answer: what is wrong with the others is said anyway.
    QMap<int, KeyPasses> keyPasses() const;
    /// There are locks of it in the list.
    bool isListed(int server) const;
    void setupList();
    void setupActions();
    void setupFilter();
    void setupStack();
    void onOpened();
    void onStatus();
    void onList(const LockListUpdatePtr &update);
    void onTick();
    void onSelected();
    void onSorted(int column, Qt::SortOrder order);
    void sendView();
    void showView(const LockView &view);
    void showError(const LockError &error);
    void updateBadge();
    void showNotice();
    void showEmpty();

    LockTableModel *m_model;
    // Made in the order in which Tab visits them.
    FilterEdit *m_filter;
    FacetBar *m_facets;
    LockGroupList *m_groups;
    SavedViews *m_savedViews;
    ServerBar *m_servers;
    LiveTableView *m_view;
    EmptyState *m_empty;
    QStackedLayout *m_stack = nullptr;
    LockInspector *m_inspector;
    LockEnding *m_ending;
    QAction *m_showInspector;
    QAction *m_guesses;
    QAction *m_showMore;
    QAction *m_startServer;
    LockCopies *m_copies = nullptr;
    QAction *m_installTables;
    LockView m_lockView;
    int m_limit = Monitor::DefaultLimit;
    std::optional<LockKey> m_selected;
    std::optional<LockKey> m_wanted; ///< selected as soon as a list without the filter has it
    QHash<LockKey, QString> m_alarms;
    QString m_lastNotice;
    TableLocks m_tables;                      ///< the last look at those of other programs
    std::optional<LockError> m_tablesFailure; ///< why there was none since
};

} // namespace lockscope::ui
