// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"
#include "ui/server/liveclock.h"
#include "waitoutline.h"

namespace lockscope::ui {

class FilterEdit;
class LiveTreeView;
class SourceBar;
class WaitGraphView;
class WaitInspector;
class WaitList;
class WaitTreeModel;

/// Who blocks whom, as the server's own locks tell: a tree or a graph, worst blocker first, with an inspector.
class WaitsPage : public Page
{
    Q_OBJECT
public:
    /// `connection` is not owned and must outlive the page.
    explicit WaitsPage(ServerConnection *connection, QWidget *parent = nullptr);

    QString help() const override;
    void focusFilter() override;
    bool closeLast() override;
    /// The graph's formats only while it is shown.
    QStringList exportFormats() const override;
    QByteArray exported(const QString &format) const override;
    std::optional<PagePoll> poll() const override;

    QAction *endAction() const { return m_end; }
    QAction *copyAction() const { return m_copy; }
    QAction *graphAction() const { return m_showGraph; }
    QAction *inspectorAction() const { return m_showInspector; }
    /// One for each source, to switch off what costs a server too much.
    QList<QAction *> sourceActions() const { return m_sourceActions; }
    /// Widgets whose keys belong to the list: Space, Enter, Del.
    QList<QWidget *> listWidgets() const;
    LiveTreeView *view() const;
    WaitTreeModel *model() const;
    WaitGraphView *graph() const;
    WaitInspector *inspector() const { return m_inspector; }
    SourceBar *sources() const { return m_sources; }
    /// The last look; null: none yet.
    const WaitPicturePtr &picture() const { return m_picture; }
    /// Clears the filter when that hides it.
    void select(quint64 session);

Q_SIGNALS:
    void killRequested(const QList<quint64> &sessions);
    /// By its name.
    void lessonRequested(const QString &id);
    /// Of what stands for a prepared transaction.
    void preparedRequested(quint64 number);
    /// Each look, with the graph made from it: nobody else has to make one.
    void pictureTaken(const lockscope::ui::WaitPicturePtr &picture);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void setupActions();
    void setupSources();
    void setupList();
    void setupFilter();
    void onOpened();
    void onStatus();
    void onWaits(const ServerWaitsPtr &waits, const Capabilities &capabilities);
    void showError(const LockError &error);
    void onChosen();
    void onGraphWanted(bool isWanted);
    void showEmpty();
    void updateEnd();

    LiveClock m_clock; ///< of the last look; that of the locks page has looks of its own
    WaitPicturePtr m_picture;
    bool m_isFailing = false;
    // Made in the order in which Tab visits them.
    FilterEdit *m_filter;
    WaitList *m_list;
    SourceBar *m_sources;
    WaitInspector *m_inspector = nullptr;
    QAction *m_end;
    QAction *m_copy;
    QAction *m_showGraph;
    QAction *m_showInspector;
    QList<QAction *> m_sourceActions;
};

} // namespace lockscope::ui
